"""The ledger scores itself: what comes true by a turn of the user, what is a miss, what only ends."""

import itertools
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import apsw
import pytest

from config.settings import load
from jobs.foresight import Foresight
from memory.database import Database
from memory.model import (
    DAY_S,
    Evidence,
    Modality,
    Origin,
    Prediction,
    ProactiveState,
    Resource,
    Role,
    Scope,
    Turn,
)
from memory.ports import Embedder
from memory.proactive import ledger, outcomes, recording
from memory.proactive.following.fulfilled import APART_S, Fulfilment
from memory.proactive.resolving import resolve
from memory.proactive.trust import Outcome
from memory.store import resources
from memory.testing import FakeEmbedder, FrozenClock
from memory.turns import content_hash

NOON = 1_796_036_400
HOUR_S = 3600
LATE = NOON + 30 * DAY_S


class House:
    """A store, the ledger, and the look at what is new."""

    def __init__(self, database: Database, embedder: Embedder | None) -> None:
        self.database = database
        self._embedder = embedder
        self._numbers = itertools.count(1)
        clock = FrozenClock(LATE)
        fulfilment = Fulfilment(embedder, database, clock)
        self.foresight = Foresight(database, [], fulfilment, clock, lambda prefix: prefix)

    async def say(self, text: str, at: int, role: Role = Role.USER) -> str:
        """Store a turn with its vector; its id."""
        origin = Origin.USER if role is Role.USER else Origin.ASSISTANT
        key = f"k{next(self._numbers)}"
        turn = Turn(
            key, Scope("ana", None, "s1"), role, None, text, text, Modality.CHAT, at, "UTC", origin, True,
            content_hash(text),
        )  # fmt: skip
        stored = await self.database.write(lambda c: resources.insert(c, turn, f"t-{key}", at))
        if self._embedder is not None:
            await self._embed(self._embedder, stored)
        return stored.id

    async def _embed(self, embedder: Embedder, stored: Resource) -> None:
        vector = (await embedder.passages([stored.turn.text]))[0]
        await self.database.write(lambda c: resources.set_embedding(c, stored.key, vector, embedder.name))

    async def predict(
        self,
        topic: str,
        *,
        detector: str = "repeated_intent",
        said: str = "",
        probability: float = 0.8,
        due_at: int | None = None,
    ) -> str:
        """An item that was made at noon and lasts a week; its id."""
        evidence = (Evidence(await self.say(said or topic, NOON)),)
        made = Prediction(detector, topic, topic, "w", probability, evidence, due_at, NOON + 7 * DAY_S)
        item_id = f"p-{topic}"
        assert await self.database.write(
            partial(recording.record, user_id="ana", prediction=made, item_id=item_id, now=NOON)
        )
        return item_id

    async def states(self, as_of: int | None = None) -> dict[str, str]:
        """The ledger by now, or then, by topic."""
        await self.foresight.run(None, dry_run=False)
        found = await self.database.read(lambda c: ledger.entries(c, Scope("ana"), as_of=as_of))
        return {item.topic: item.state.value for item in found}


@pytest.fixture(params=["vectors", "words"])
async def house(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[House]:
    """Once with an embedder, once with words alone."""
    store = load().store.model_copy(update={"ballast_bytes": 4096})
    database = Database.open(tmp_path / "memud.db", store)
    yield House(database, FakeEmbedder() if request.param == "vectors" else None)
    database.close()


@pytest.mark.parametrize(
    ("topic", "said"),
    [("price of NVDA", "how is the price of NVDA today?"), ("英伟达股价", "今天英伟达股价怎么样")],
)
async def test_a_prediction_comes_true_when_the_user_turns_to_it(house: House, topic: str, said: str) -> None:
    """From that turn on, told or not; another topic stays open."""
    await house.predict(topic)
    await house.predict("the train to Hamburg")
    await house.say(said, NOON + DAY_S)
    assert await house.states() == {topic: "hit", "the train to Hamburg": "open"}
    assert (await house.states(NOON + HOUR_S))[topic] == "open"


async def test_the_same_asking_is_no_proof(house: House) -> None:
    """Within half an hour it belongs to the evidence; so does what was said before."""
    await house.predict("price of NVDA")
    await house.say("and the price of NVDA after hours?", NOON + APART_S - 1)
    await house.say("price of NVDA", NOON - DAY_S)
    assert await house.states() == {"price of NVDA": "open"}


async def test_neither_the_assistant_nor_a_greeting_proves_anything(house: House) -> None:
    """Only the user's own words, and only telling ones."""
    await house.predict("price of NVDA")
    await house.say("The price of NVDA is 180 dollars.", NOON + DAY_S, Role.ASSISTANT)
    await house.say("good morning!", NOON + DAY_S)
    assert await house.states() == {"price of NVDA": "open"}


async def test_what_is_over_is_a_miss_where_the_user_was_expected(house: House) -> None:
    """Of a deed at its time nobody reports: that one only ends, and nothing is learnt from it."""
    await house.predict("price of NVDA")
    await house.predict("post the letter", detector="commitment", due_at=NOON + HOUR_S)
    await house.database.write(lambda c: recording.expire(c, LATE))
    assert await house.states() == {"price of NVDA": "miss", "post the letter": "expired"}
    learnt = await house.database.read(lambda c: outcomes.outcomes(c, "ana", LATE))
    assert learnt == [Outcome("repeated_intent", "price of NVDA", False, False, False, NOON + 7 * DAY_S)]


async def test_a_turn_that_arrives_late_makes_a_miss_a_hit(house: House) -> None:
    """It counts from when it was said; after the end it proves nothing."""
    await house.predict("price of NVDA")
    await house.predict("the train to Hamburg")
    await house.database.write(lambda c: recording.expire(c, LATE))
    await house.say("what is the price of NVDA?", NOON + 3 * DAY_S)
    await house.say("when does the train to Hamburg leave?", NOON + 8 * DAY_S)
    assert await house.states() == {"price of NVDA": "hit", "the train to Hamburg": "miss"}


async def test_a_reminder_is_not_lost_because_the_user_speaks_of_it_first(house: House) -> None:
    """It comes true once it was handed out."""
    item_id = await house.predict("call ana", detector="commitment", probability=0.99, due_at=NOON + DAY_S)
    await house.say("I should call Ana", NOON + DAY_S + 60)
    assert await house.states() == {"call ana": "open"}
    await house.database.write(lambda c: recording.deliver(c, [item_id], NOON + DAY_S + 120))
    await house.say("so I will call Ana now", NOON + DAY_S + 180)
    assert await house.states() == {"call ana": "hit"}


async def test_what_has_its_time_comes_true_around_it(house: House) -> None:
    """The same topic days before is another matter."""
    await house.predict("weather in Berlin", detector="habit", due_at=NOON + 3 * DAY_S)
    await house.say("weather in Berlin?", NOON + DAY_S)
    assert await house.states() == {"weather in Berlin": "open"}
    await house.say("the weather in Berlin please", NOON + 3 * DAY_S - HOUR_S)
    assert await house.states() == {"weather in Berlin": "hit"}


@pytest.mark.parametrize("outcome", [ProactiveState.USED, ProactiveState.DISMISSED])
async def test_what_the_user_said_of_an_item_stands(house: House, outcome: ProactiveState) -> None:
    """A turn about its topic changes nothing any more, nor does its end."""
    item_id = await house.predict("price of NVDA")
    await house.database.write(lambda c: resolve(c, "ana", item_id, outcome, None, NOON + 60))
    await house.say("what is the price of NVDA?", NOON + DAY_S)
    await house.database.write(lambda c: recording.expire(c, LATE))
    assert await house.states() == {"price of NVDA": outcome.value}


async def test_nothing_is_learnt_from_what_was_called_off(house: House) -> None:
    """Done, moved or cancelled, the prediction was not wrong."""
    item_id = await house.predict("price of NVDA")
    await house.database.write(lambda c: recording.call_off(c, [item_id], NOON + 60, NOON + 60))
    assert await house.database.read(lambda c: outcomes.outcomes(c, "ana", LATE)) == []


async def test_another_look_finds_the_same(house: House) -> None:
    """A second run and a run for one user change nothing that the first has found."""
    await house.predict("price of NVDA")
    await house.say("what is the price of NVDA?", NOON + DAY_S)
    await house.say("the price of NVDA again", NOON + 2 * DAY_S)
    first = await house.states(), await _learnt(house)
    await house.foresight.run("ana", dry_run=False)
    assert (await house.states(), await _learnt(house)) == first
    assert first[1] == [Outcome("repeated_intent", "price of NVDA", True, False, False, NOON + DAY_S)]


async def _learnt(house: House) -> list[Outcome]:
    def read(connection: apsw.Connection) -> list[Outcome]:
        return outcomes.outcomes(connection, "ana", LATE)

    return await house.database.read(read)
