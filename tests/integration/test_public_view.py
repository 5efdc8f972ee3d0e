"""What a group is told of facts that were changed or doubted in private: all that it knew, and no ids."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pytest
from memud_client import Client, InvalidError, NotFoundError

from memory.knowledge.curation import Statement
from memory.model import Scope
from memory.store import items, links
from memory.store.listing import Listing
from tests.daemons import DaemonProcess
from tests.world import World

PUBLIC = Scope(public_only=True)
AT = 1_740_830_400


@dataclass(frozen=True)
class Told:
    """A group's three facts, and the two that were said in private of the first two."""

    client: Client
    tea: str
    berlin: str
    boat: str
    oolong: str
    munich: str

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """A call from the group, whose answer names nothing private."""
        answer = self.client.call(method, private=False, **params)
        seen = json.dumps(answer, default=str)
        assert self.oolong not in seen, method
        assert self.munich not in seen, method
        return dict(answer)

    def recalled(self, question: str) -> list[str]:
        """The ids of what a group's question is answered with."""
        return [result["id"] for result in self.ask("recall", query=question, threshold=0)["results"]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """A daemon that was told all of it."""
    daemon = DaemonProcess(tmp_path_factory.mktemp("group"))
    daemon.start()
    with daemon.client("alice") as client:

        def add(text: str, *, private: bool) -> str:
            added = client.call("add", memory=text, private=private)
            return str(added["item"]["id"])

        tea = add("My favourite tea is jasmine.", private=False)
        berlin = add("I live in Berlin.", private=False)
        boat = add("My boat is called Quokka.", private=False)
        oolong = add("My favourite tea might be oolong.", private=True)
        munich = add("I moved to Munich.", private=True)
        yield Told(client, tea, berlin, boat, oolong, munich)
    assert daemon.stop() == 0


def test_the_owner_sees_the_doubt_and_the_change(told: Told) -> None:
    """Else the other tests here prove nothing."""
    found = told.client.call("search", query="Which tea is my favourite?")["results"]
    assert told.oolong in next(result["maybe"] for result in found if result["id"] == told.tea)
    assert told.client.get(told.berlin)["item"]["superseded_by"] == told.munich


def test_a_group_is_answered_by_what_it_knows(told: Told) -> None:
    """The newest public statement holds there, without a doubt that was raised in private."""
    assert told.recalled("Where do I live?")[0] == told.berlin
    assert told.recalled("Which tea is my favourite?")[0] == told.tea
    (first, *_) = told.ask("recall", query="Which tea is my favourite?")["results"]
    assert first["maybe"] == []


@pytest.mark.parametrize(
    ("question", "memory"), [("Where do I live?", "berlin"), ("Which tea is my favourite?", "tea")]
)
def test_search_and_explain_name_nothing_private(told: Told, question: str, memory: str) -> None:
    """Neither as a successor, nor as a doubt, nor as a reason."""
    memory_id = getattr(told, memory)
    for include_superseded in (False, True):
        found = told.ask("search", query=question, include_superseded=include_superseded)["results"]
        assert found[0]["id"] == memory_id
        assert (found[0]["superseded_by"], found[0]["maybe"]) == (None, [])
    assert told.ask("explain", query=question, id=memory_id)["recalled"]


def test_a_turn_whose_fact_was_replaced_in_private_still_answers(told: Told) -> None:
    """The words as they were said in the group hold there, as its fact does."""
    turn_id = told.client.get(told.berlin)["item"]["sources"][0]["resource_id"]
    assert "superseded" not in told.ask("explain", query="Where do I live?", id=turn_id)["reason"]


def test_a_turn_whose_fact_was_reworded_in_private_still_answers(told: Told) -> None:
    """The group is not told that there are other words, nor which fact has them."""
    turn_id = told.client.get(told.boat)["item"]["sources"][0]["resource_id"]
    told.client.update(told.boat, memory="My boat is called Wombat.", private=True)
    assert told.recalled("What is my boat called?")[0] == turn_id
    assert told.boat not in json.dumps(told.ask("explain", query="What is my boat called?", id=turn_id))
    told.client.update(told.boat, memory="My boat is called Quokka.", private=False)


@pytest.mark.parametrize("method", ["recall", "search"])
def test_a_group_that_looks_back_reads_no_words_that_were_private_then(told: Told, method: str) -> None:
    """Who rewords a secret before it is shown has not shown the secret; what was public then is shown."""
    said = {"user_id": f"user of {method}", "timestamp": AT}
    owner = {"user_id": said["user_id"]}
    secret = told.client.call("add", memory="My ferret costs 900 a year", **said)["item"]["id"]
    told.client.call("update", id=secret, memory="I have a ferret", private=False, **owner)
    shown = told.client.call("add", memory="My parrot is called Pim", private=False, **said)["item"]["id"]
    told.client.call("update", id=shown, memory="My parrot is called Pom", **owner)
    options = {"threshold": 0} if method == "recall" else {}
    found = told.ask(method, query="my ferret, my parrot", as_of=AT + 60, **options, **owner)["results"]
    memories = {one["id"]: one["memory"] for one in found}
    assert (memories[secret], memories[shown]) == ("I have a ferret", "My parrot is called Pim")


@pytest.mark.parametrize("method", ["get", "history", "explain", "resources.get"])
def test_the_start_of_an_id_leads_to_nothing_private(told: Told, method: str) -> None:
    """Neither to one private fact, nor is one among those it could mean."""
    params = {"query": "Where do I live?"} if method == "explain" else {}
    with pytest.raises(NotFoundError):
        told.ask(method, id=told.munich[:-1], **params)
    with pytest.raises(InvalidError) as refused:
        told.ask(method, id="m-", **params)
    assert told.munich not in str(refused.value)
    assert told.berlin in str(refused.value)


def test_a_category_counts_what_holds_in_public(told: Told) -> None:
    """For the owner, who moved, it counts none."""
    told.client.update(told.berlin, categories=["home"])
    told.client.update(told.munich, categories=["moves"])
    listed = {one["name"]: one["items"] for one in told.ask("categories.list")["results"]}
    assert listed["home"] == 1
    assert "moves" not in listed
    listed = {one["name"]: one["items"] for one in told.client.call("categories.list")["results"]}
    assert "home" not in listed
    assert listed["moves"] == 1


@pytest.mark.parametrize("method", ["get", "history"])
def test_a_fact_on_its_own_names_nothing_private(told: Told, method: str) -> None:
    """No successor, and no version that is one."""
    for memory_id in (told.tea, told.berlin):
        answer = told.ask(method, id=memory_id)
        shown = [answer["item"]] if method == "get" else answer["versions"]
        assert [(one["id"], one["superseded_by"]) for one in shown] == [(memory_id, None)]


@pytest.mark.parametrize("include_superseded", [False, True])
def test_a_list_has_what_holds_in_public(told: Told, include_superseded: bool) -> None:
    """All three facts of the group."""
    listed = told.ask("list", include_superseded=include_superseded)["results"]
    assert [item["id"] for item in listed] == [told.boat, told.berlin, told.tea]
    assert [item["superseded_by"] for item in listed] == [None] * 3


def test_a_public_turn_does_not_name_a_fact_that_became_private(told: Told) -> None:
    """The turn is still to be seen, its fact is not."""
    turn_id = told.client.get(told.boat)["item"]["sources"][0]["resource_id"]
    assert told.ask("resources.get", id=turn_id)["item_ids"] == [told.boat]
    told.client.update(told.boat, private=True)
    assert told.ask("resources.get", id=turn_id)["item_ids"] == []
    told.client.update(told.boat, private=False)


async def _moved(world: World) -> list[str]:
    """Said in a group, then in private, then in the group; each took the place of the one before."""
    ids: list[str] = []
    for town, private in (("Berlin", False), ("Munich", True), ("Hamburg", False)):
        world.clock.turn(60)
        statement = Statement(f"I live in {town}.", private=private, infer=False)
        stored = (await world.curation.add(Scope(), statement)).stored.item
        ids.append(stored.id)
    for older, newer in pairwise(ids):
        await _supersede(world, newer, older)
    return ids


async def _supersede(world: World, newer: str, older: str) -> None:
    at = world.clock.now()
    await world.database.write(lambda c: links.supersede(c, newer, older, "test", at))


async def test_a_public_statement_ends_the_public_one_before_the_private_one(world: World) -> None:
    """A group is not told two towns because the town between them was private."""
    berlin, _, hamburg = await _moved(world)
    assert [item.id for item in (await world.curation.list(Listing(PUBLIC))).items] == [hamburg]
    assert (await world.curation.get(PUBLIC, berlin)).superseded_by == hamburg


async def test_what_was_cleaned_up_still_ends_the_public_statement_before_it(world: World) -> None:
    """A public successor that is in the archive, or gone for good, does not let the older one hold again."""
    berlin, munich, hamburg = await _moved(world)
    await world.curation.update(Scope(), munich, {"private": False})
    stored = await world.database.read(lambda c: items.by_id(c, "default", munich))
    assert stored is not None
    await world.database.write(lambda c: items.delete(c, [stored]))
    assert [item.id for item in (await world.curation.list(Listing(PUBLIC))).items] == [hamburg]
    assert (await world.curation.get(PUBLIC, berlin)).superseded_by == munich


async def _say(world: World, text: str, *, private: bool) -> str:
    """Add a statement; the id of its turn."""
    world.clock.turn(60)
    stored = (await world.curation.add(Scope(), Statement(text, private=private, infer=False))).stored
    return stored.item.sources[-1].resource_id


async def _words(world: World, scope: Scope) -> list[str]:
    return [item.memory for item in (await world.curation.list(Listing(scope))).items]


async def test_a_group_reads_a_fact_as_it_was_said_there(world: World) -> None:
    """Not as it was said in private, before, since, or once the public words are forgotten."""
    await _say(world, "Damn, my boat LEAKS", private=True)
    await _say(world, "DAMN, my boat leaks", private=True)
    assert await _words(world, PUBLIC) == []
    first = await _say(world, "damn, my boat leaks", private=False)
    second = await _say(world, "damn my boat leaks", private=False)
    await _say(world, "DAMN! MY BOAT LEAKS", private=True)
    assert await _words(world, PUBLIC) == ["damn, my boat leaks"]
    assert await world.rows("SELECT count(*) FROM items WHERE embedding IS NULL") == [(0,)]
    await world.curation.forget(Scope(), first, dry_run=False)
    assert await _words(world, PUBLIC) == ["damn my boat leaks"]
    await world.curation.forget(Scope(), second, dry_run=False)
    assert await _words(world, PUBLIC) == []
    (left,) = await _words(world, Scope())
    assert left in ("Damn, my boat LEAKS", "DAMN, my boat leaks", "DAMN! MY BOAT LEAKS")


async def test_what_a_person_worded_in_private_is_shown_to_no_group(world: World) -> None:
    """Somebody says the like of it there: that is shown, as the turn that it is."""
    await _say(world, "My boat leaks", private=True)
    (fact,) = (await world.curation.list(Listing(Scope()))).items
    await world.curation.update(Scope(), fact.id, {"memory": "My boat LEAKS"})
    await _say(world, "My boat leaks", private=False)
    assert await _words(world, PUBLIC) == []
    assert await _words(world, Scope()) == ["My boat LEAKS"]


async def test_a_group_is_not_told_when_something_was_said_in_private(world: World) -> None:
    """Neither that it was known before, nor that it was said again since, nor how often."""
    await _say(world, "My boat leaks", private=True)
    at = world.clock.now()
    await _say(world, "My boat leaks", private=False)
    await _say(world, "My boat leaks", private=True)
    (seen,) = (await world.curation.list(Listing(PUBLIC))).items
    assert (seen.created_at, seen.stated_at, seen.updated_at, seen.reinforced) == (*[at + 60] * 3, 0)
    (owned,) = (await world.curation.list(Listing(Scope()))).items
    assert (owned.created_at, owned.stated_at, owned.reinforced) == (at, at + 120, 2)


async def test_who_adds_in_a_group_is_told_of_nothing_private(world: World) -> None:
    """Neither which private fact ends by it, nor where it was said before."""
    world.clock.turn(60)
    ended = await world.curation.add(Scope(), Statement("I live in Graz", infer=False))
    said = await _say(world, "My boat leaks", private=True)
    world.clock.turn(60)
    newer = await world.curation.add(Scope(), Statement("I moved to Linz", private=False, infer=False))
    assert (newer.action, newer.related_ids) == ("superseded", ())
    assert (await world.curation.get(Scope(), ended.stored.item.id)).superseded_by == newer.stored.item.id
    again = await world.curation.add(Scope(), Statement("My boat leaks", private=False, infer=False))
    assert again.action == "reinforced"
    assert said not in {source.resource_id for source in again.stored.item.sources}
