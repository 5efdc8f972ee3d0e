"""The ledger of predictions over a real database: what is told, once, to whom, as of when."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import apsw
import pytest

from config.settings import load
from memory import forgetting, outbox
from memory.database import Database
from memory.errors import InvalidError, NotFoundError
from memory.model import (
    DAY_S,
    Evidence,
    Modality,
    Origin,
    Prediction,
    ProactiveItem,
    ProactiveState,
    Role,
    Scope,
    Turn,
)
from memory.proactive import ledger, notices, recording
from memory.proactive.resolving import resolve
from memory.store import resources
from memory.turns import content_hash

NOW = 1_796_000_000
ANA = Scope("ana")


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = Database.open(tmp_path / "memud.db", load().store.model_copy(update={"ballast_bytes": 4096}))
    yield opened
    opened.close()


def say(connection: apsw.Connection, key: str, at: int, user_id: str = "ana", *, private: bool = True) -> str:
    turn = Turn(
        key, Scope(user_id, None, "s"), Role.USER, None, key, key, Modality.CHAT, at, "UTC", Origin.USER,
        private, content_hash(key),
    )  # fmt: skip
    return resources.insert(connection, turn, f"t-{key}", at).id


def predicted(
    topic: str, *turns: str, due_at: int | None = None, expires_at: int = NOW + DAY_S
) -> Prediction:
    evidence = tuple(Evidence(turn) for turn in turns)
    return Prediction("habit", topic, topic, "because", 0.8, evidence, due_at, expires_at, "s")


async def record(
    database: Database, prediction: Prediction, item_id: str, now: int = NOW
) -> ProactiveItem | None:
    return await database.write(lambda c: recording.record(c, "ana", prediction, item_id, now))


async def recorded(database: Database, prediction: Prediction, item_id: str, now: int = NOW) -> ProactiveItem:
    item = await record(database, prediction, item_id, now)
    assert item is not None
    return item


async def listed(database: Database, as_of: int | None = None, scope: Scope = ANA) -> dict[str, str]:
    found = await database.read(lambda c: ledger.entries(c, scope, as_of=as_of))
    return {item.id: item.state.value for item in found}


async def waiting(database: Database, now: int, scope: Scope = ANA) -> list[str]:
    return [item.id for item in await database.read(lambda c: ledger.waiting(c, scope, now))]


async def test_a_prediction_counts_from_the_last_of_its_evidence(database: Database) -> None:
    """Whenever the monitor came round to it; the evidence keeps its order and its keys."""
    first, last = await database.write(lambda c: (say(c, "a", NOW - 900), say(c, "b", NOW - 100)))
    item = await recorded(database, predicted("tea", first, last), "p-1", NOW + 5_000)
    assert item.created_at == NOW - 100
    assert item.state is ProactiveState.OPEN
    assert [(one.resource_id, one.key) for one in item.evidence] == [("t-a", "a"), ("t-b", "b")]


async def test_the_same_topic_is_told_once_while_it_lasts(database: Database) -> None:
    """The second prediction is evidence for the first; after its end the topic may come again."""
    for key, at in (("a", NOW), ("b", NOW + 60), ("c", NOW + 2 * DAY_S)):
        await database.write(partial(say, key=key, at=at))
    await recorded(database, predicted("tea", "t-a"), "p-1")
    again = await database.write(lambda c: recording.record(c, "ana", predicted("tea", "t-b"), "p-2", NOW))
    assert again is None
    (item,) = await database.read(lambda c: ledger.entries(c, ANA))
    assert [one.resource_id for one in item.evidence] == ["t-a", "t-b"]
    await recorded(database, predicted("tea", "t-c", expires_at=NOW + 9 * DAY_S), "p-3")


async def test_a_topic_that_is_over_stays_quiet_in_its_own_time(database: Database) -> None:
    """What was dismissed is not predicted again by looking at the same turn twice, even long after."""
    await database.write(lambda c: say(c, "a", NOW))
    await recorded(database, predicted("tea", "t-a"), "p-1")
    await database.write(lambda c: resolve(c, "ana", "p-1", ProactiveState.DISMISSED, None, NOW + 10))
    late = NOW + 90 * DAY_S
    assert (
        await database.write(lambda c: recording.record(c, "ana", predicted("tea", "t-a"), "p-2", late))
        is None
    )
    assert await listed(database) == {"p-1": "dismissed"}


async def test_evidence_has_a_bound(database: Database) -> None:
    """Asked a hundred times, it is no better proven and no slower to read."""
    for n in range(40):
        await database.write(partial(say, key=f"k{n}", at=NOW + n))
        await record(database, predicted("tea", f"t-k{n}"), f"p-{n}")
    (item,) = await database.read(lambda c: ledger.entries(c, ANA))
    assert len(item.evidence) == recording.MAX_EVIDENCE


async def test_a_guess_is_refused_and_lost_evidence_stores_nothing(database: Database) -> None:
    """No evidence is an error of the detector; forgotten or foreign evidence is no longer a prediction."""
    await database.write(lambda c: say(c, "a", NOW, "ben"))
    with pytest.raises(InvalidError):
        await database.write(lambda c: recording.record(c, "ana", predicted("tea"), "p-1", NOW))
    for turn in ("t-a", "t-gone"):
        assert await record(database, predicted("x", turn), "p-1") is None
    assert await listed(database) == {}


async def test_forgetting_a_turn_takes_the_prediction_with_it(database: Database) -> None:
    """Nothing is said on evidence that is gone."""
    await database.write(lambda c: say(c, "a", NOW))
    item = await recorded(database, predicted("tea", "t-a"), "p-1")
    await database.write(lambda c: notices.announce(c, item, NOW))
    await database.write(lambda c: forgetting.forget(c, "ana", "t-a", NOW))
    assert await listed(database) == {}
    assert await database.read(lambda c: outbox.after(c, 0, ["proactive"], ANA, 10)) == []


async def test_an_item_is_as_private_as_its_evidence(database: Database) -> None:
    """A group sees what was said in public alone; one private turn hides it."""
    group = Scope("ana", public_only=True)
    await database.write(lambda c: (say(c, "a", NOW, private=False), say(c, "b", NOW)))
    await recorded(database, predicted("tea", "t-a"), "p-1")
    assert await waiting(database, NOW, group) == ["p-1"]
    await database.write(lambda c: recording.record(c, "ana", predicted("tea", "t-b"), "p-2", NOW))
    assert await waiting(database, NOW, group) == []
    assert await listed(database, scope=group) == {}
    assert await waiting(database, NOW) == ["p-1"]


async def test_what_is_delivered_is_not_waiting_any_more(database: Database) -> None:
    """Delivered twice, it keeps the time of the first."""
    await database.write(lambda c: say(c, "a", NOW))
    await recorded(database, predicted("tea", "t-a"), "p-1")
    await database.write(lambda c: recording.deliver(c, ["p-1"], NOW + 10))
    await database.write(lambda c: recording.deliver(c, ["p-1"], NOW + 500))
    assert await waiting(database, NOW + 600) == []
    (told,) = await database.read(lambda c: notices.brought_up(c, "ana", NOW, NOW + 600))
    assert (told.id, told.topic, told.at) == ("p-1", "tea", NOW + 10)


async def test_what_is_shown_before_it_is_due_still_comes_at_its_time(database: Database) -> None:
    """A reminder beside its topic on Tuesday does not lose the Friday."""
    await database.write(lambda c: say(c, "a", NOW))
    await recorded(database, predicted("tea", "t-a", due_at=NOW + 900), "p-1")
    await database.write(lambda c: recording.deliver(c, ["p-1"], NOW + 10))
    assert await waiting(database, NOW + 900) == ["p-1"]


async def test_a_snoozed_item_comes_back_at_its_time_and_is_told_again(database: Database) -> None:
    """Silent until then, and not expired by its first end."""
    await database.write(lambda c: say(c, "a", NOW))
    item = await recorded(database, predicted("tea", "t-a"), "p-1")
    await database.write(lambda c: notices.announce(c, item, NOW))
    await database.write(lambda c: recording.deliver(c, ["p-1"], NOW + 5))
    until = NOW + 3 * DAY_S
    snoozed = await database.write(
        lambda c: resolve(c, "ana", "p-1", ProactiveState.SNOOZED, until, NOW + 10)
    )
    assert (snoozed.state, snoozed.due_at) == (ProactiveState.SNOOZED, until)
    assert await database.write(lambda c: recording.expire(c, NOW + 2 * DAY_S)) == 0
    assert await waiting(database, until - 1) == []
    assert await waiting(database, until) == ["p-1"]
    assert await database.read(lambda c: notices.unannounced(c, until)) == {"ana": {"p-1"}}


@pytest.mark.parametrize("until", [None, NOW, NOW - 5, 2**63 - 1])
async def test_a_snooze_needs_an_end_ahead(database: Database, until: int | None) -> None:
    """Without one, with a past or an absurd one nothing changes."""
    await database.write(lambda c: say(c, "a", NOW))
    await recorded(database, predicted("tea", "t-a"), "p-1")
    with pytest.raises(InvalidError):
        await database.write(lambda c: resolve(c, "ana", "p-1", ProactiveState.SNOOZED, until, NOW))
    assert await listed(database) == {"p-1": "open"}


async def test_nobody_resolves_what_is_another_users(database: Database) -> None:
    """It is not even there."""
    await database.write(lambda c: say(c, "a", NOW))
    await recorded(database, predicted("tea", "t-a"), "p-1")
    with pytest.raises(NotFoundError):
        await database.write(lambda c: resolve(c, "ben", "p-1", ProactiveState.USED, None, NOW))
    assert await listed(database) == {"p-1": "open"}


async def test_as_of_shows_the_states_of_that_moment(database: Database) -> None:
    """Not yet made, open, delivered, over - whatever was written down since."""
    await database.write(lambda c: say(c, "a", NOW))
    await recorded(database, predicted("tea", "t-a"), "p-1")
    await database.write(lambda c: recording.deliver(c, ["p-1"], NOW + 100))
    await database.write(lambda c: recording.expire(c, NOW + 2 * DAY_S))
    assert await listed(database) == {"p-1": "miss"}
    assert await listed(database, NOW - 1) == {}
    assert await listed(database, NOW) == {"p-1": "open"}
    assert await listed(database, NOW + 100) == {"p-1": "delivered"}
    assert await listed(database, NOW + DAY_S) == {"p-1": "miss"}
    assert await waiting(database, NOW + 99) == ["p-1"]


async def test_a_dismissed_item_stays_dismissed_whatever_moment_is_asked_about(database: Database) -> None:
    """Asking about the past is no way around the user's word."""
    await database.write(lambda c: say(c, "a", NOW))
    await recorded(database, predicted("tea", "t-a"), "p-1")
    await database.write(lambda c: resolve(c, "ana", "p-1", ProactiveState.DISMISSED, None, NOW + 50))
    assert await waiting(database, NOW + 1) == []


async def test_an_item_is_announced_once(database: Database) -> None:
    """Two ticks, one notice, for its owner alone."""
    await database.write(lambda c: say(c, "a", NOW))
    item = await recorded(database, predicted("tea", "t-a"), "p-1")
    for _ in range(2):
        await database.write(lambda c: notices.announce(c, item, NOW))
    assert len(await database.read(lambda c: outbox.after(c, 0, ["proactive"], ANA, 10))) == 1
    assert await database.read(lambda c: outbox.after(c, 0, ["proactive"], Scope("ben"), 10)) == []
    assert await database.read(lambda c: notices.unannounced(c, NOW)) == {}
