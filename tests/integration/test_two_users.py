"""Two users of one daemon: nothing of one reaches the other, by any method."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from memud_client import Client, ForbiddenError, MemudError, NotFoundError

from memory.model import Scope
from memory.store.listing import Listing
from tests.daemons import DaemonProcess
from tests.world import World

BOAT = "quokka"
TOLD = f"I decided to name the sailing boat {BOAT}."
ASKED = "what is the sailing boat called"
GROUP = {"private": False}


@dataclass(frozen=True)
class Owner:
    """What the first user has stored."""

    client: Client
    item_id: str
    turn_id: str
    dead_id: str
    prediction_id: str

    @property
    def ids(self) -> list[str]:
        """Of everything that is theirs."""
        return [self.item_id, self.turn_id, self.dead_id, self.prediction_id]


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaemonProcess]:
    """One daemon for all: what a test changes is the stranger's own."""
    process = DaemonProcess(tmp_path_factory.mktemp("two"))
    process.start()
    yield process
    assert process.stop() == 0


@pytest.fixture(scope="module")
def owner(daemon: DaemonProcess) -> Iterator[Owner]:
    """A user with facts, turns, a superseded and a dropped one, predictions, a question and a summary."""
    with daemon.client("alice") as client:
        client.recall(f"What do you know of the {BOAT}?", session_id="s")
        asked = {"role": "user", "content": f"Remind me tomorrow to paint the {BOAT}.", "key": "remind"}
        client.capture([{"key": "told", "role": "user", "content": TOLD}, asked], session_id="s")
        summary = client.session_compact("s")
        assert BOAT in summary["summary"]
        client.job_run("monitor")
        item = client.add(f"The {BOAT} is moored in the north harbour.")["item"]
        client.update(item["id"], categories=[BOAT])
        turn_id = client.capture([{"key": "told", "role": "user", "content": TOLD}], session_id="s")["ids"][0]
        entries = client.queue_list(state="done", user_id="alice")["results"]
        predictions = client.proactive_list()["results"]
        assert predictions
        yield Owner(client, item["id"], turn_id, entries[0]["id"], predictions[0]["id"])


@pytest.fixture(scope="module")
def stranger(daemon: DaemonProcess, owner: Owner) -> Iterator[Client]:
    """The other user, with a session and words of the same names."""
    with daemon.client("bob") as client:
        client.hello(user_id="bob")
        client.capture(
            [{"key": "told", "role": "user", "content": "I decided to buy a canoe."}], session_id="s"
        )
        client.session_compact("s")
        yield client


def _text(answer: Any) -> str:
    return json.dumps(answer, ensure_ascii=False)


READS: dict[str, dict[str, Any]] = {
    "recall": {"query": ASKED, "threshold": 0, "explain": True, "session_id": "s"},
    "recall.log": {},
    "search": {"query": f"{BOAT} sailing boat harbour", "limit": 100, "include_superseded": True},
    "list": {"include_superseded": True, "limit": 1000},
    "proactive.list": {"limit": 1000},
    "proactive.next": {"limit": 100},
    "session.resume": {"session_id": "s", "limit": 100},
    "session.compact": {"session_id": "s"},
    "categories.list": {},
    "queue.list": {"state": "done", "limit": 1000},
    "stats": {},
}


@pytest.mark.parametrize("method", READS)
def test_no_reading_method_shows_another_user_s(owner: Owner, stranger: Client, method: str) -> None:
    """Neither words nor ids; the owner sees them by the same call."""
    seen = _text(stranger.call(method, **READS[method]))
    assert BOAT not in seen
    assert not [memory_id for memory_id in owner.ids if memory_id in seen]
    if method not in ("stats", "proactive.next", "queue.list"):
        assert BOAT in _text(owner.client.call(method, **READS[method]))


BY_ID: dict[str, dict[str, Any]] = {
    "get": {},
    "history": {},
    "update": {"importance": 0.1},
    "forget": {},
    "restore": {},
    "pin": {},
    "explain": {"query": ASKED},
    "resources.get": {},
    "proactive.resolve": {"outcome": "dismissed"},
    "queue.retry": {},
    "queue.drop": {},
}


@pytest.mark.parametrize("method", BY_ID)
def test_no_id_reaches_another_user_s(owner: Owner, stranger: Client, method: str) -> None:
    """Whole ids and prefixes of them are unknown, and nothing changes."""
    before = [owner.client.list(), owner.client.proactive_list(), owner.client.stats(user_id="alice")]
    for memory_id in owner.ids:
        for typed in (memory_id, memory_id[:8]):
            with pytest.raises(NotFoundError) as caught:
                stranger.call(method, id=typed, **BY_ID[method])
            assert BOAT not in str(caught.value)
    assert [owner.client.list(), owner.client.proactive_list(), owner.client.stats(user_id="alice")] == before


def test_a_short_prefix_names_no_foreign_id(owner: Owner, stranger: Client) -> None:
    """An ambiguous prefix lists the caller's own candidates."""
    for words in ("The canoe is red.", "The paddle is made of ash."):
        stranger.add(words)
    for prefix in ("m", "t"):
        with pytest.raises(MemudError) as caught:
            stranger.call("get", id=prefix)
        assert not [memory_id for memory_id in owner.ids if memory_id in str(caught.value)]


def test_a_subscriber_is_told_nothing_of_another_user(owner: Owner, stranger: Client) -> None:
    """From the beginning of the outbox on, a stranger's stream has the stranger's notices alone."""
    for client in (owner.client, stranger):
        client.capture([], session_id="s", context={"tokens_used": 90, "context_window": 100})
    notices = stranger.subscribe(["proactive", "compaction"], cursor=0)
    first = next(notices)
    notices.close()
    assert (first["topic"], first["user_id"]) == ("compaction", "bob")
    theirs = owner.client.subscribe(["compaction"], cursor=0)
    assert next(theirs)["user_id"] == "alice"
    theirs.close()


def test_a_bound_connection_can_not_leave_its_user(daemon: DaemonProcess, owner: Owner) -> None:
    """After `hello` with a user, naming another is forbidden for every method."""
    with daemon.client() as client:
        client.hello(user_id="carol")
        with pytest.raises(ForbiddenError):
            client.call("list", user_id="alice")
        with pytest.raises(ForbiddenError):
            client.call("hello", user_id="alice")
        assert client.call("list")["results"] == []
        assert client.call("stats")["items"] == 0


def test_the_same_words_of_two_users_are_two_facts(owner: Owner, stranger: Client) -> None:
    """What one says neither reinforces nor supersedes what the other said, and forgetting is one's own."""
    said = stranger.add(f"The {BOAT} is moored in the north harbour.")
    assert said["action"] == "added"
    stranger.forget(said["item"]["id"])
    assert owner.client.get(owner.item_id)["item"]["reinforced"] == 0
    assert owner.client.search("north harbour")["results"]


def test_a_job_for_one_user_leaves_the_other_s_facts(owner: Owner, stranger: Client) -> None:
    """A cleanup as of the far future, asked for by one user, takes that user's facts alone."""
    stranger.job_run("cleanup", as_of=4_000_000_000)
    assert stranger.list()["results"] == []
    assert owner.client.get(owner.item_id)["item"]["id"] == owner.item_id


GROUP_READS = {name: params for name, params in READS.items() if name not in ("session.compact", "stats")}


@pytest.mark.parametrize("method", GROUP_READS)
def test_private_false_hides_private_rows(owner: Owner, method: str) -> None:
    """In a group nothing private is shown, by any reading method."""
    seen = _text(owner.client.call(method, **GROUP_READS[method], **GROUP))
    assert BOAT not in seen
    assert not [memory_id for memory_id in owner.ids if memory_id in seen]


@pytest.mark.parametrize("method", ["get", "history", "explain", "resources.get"])
def test_private_false_hides_private_rows_by_id(owner: Owner, method: str) -> None:
    """Nor when somebody in the group knows the id."""
    params = {"query": ASKED} if method == "explain" else {}
    wanted = owner.turn_id if method == "resources.get" else owner.item_id
    try:
        seen = _text(owner.client.call(method, id=wanted, **params, **GROUP))
    except NotFoundError as error:
        seen = str(error)
    assert BOAT not in seen


async def test_a_group_does_not_learn_where_a_fact_was_said_in_private(world: World) -> None:
    """What was said in private and then in public is shown by its public turn alone."""
    await world.say("I am allergic to peanuts", "therapy-1", scope=Scope(session_id="therapy"), private=True)
    await world.say("I am allergic to peanuts", "group-1", scope=Scope(session_id="group"), private=False)
    public = Scope(public_only=True)
    (item,) = (await world.curation.list(Listing(public))).items
    assert [source.key for source in item.sources] == ["group-1"]
    assert item.session_id == "group"
    assert (await world.curation.get(public, item.id)).sources == item.sources
    assert (await world.curation.history(public, item.id)).sources == item.sources
