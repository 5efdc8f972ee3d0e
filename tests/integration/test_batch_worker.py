"""The worker with an extractor that takes several turns: one call, one transaction, no turn for another."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from jobs.capture import CaptureWorker
from memory.errors import AnswerError, BudgetError, KeyRefusedError, OutageError, TemporaryError
from memory.knowledge.learning import Learning
from memory.model import Item, Resource, Scope
from memory.ports import Batching, Proposal
from memory.testing import FakeEmbedder, FakeExtractor
from tests.world import World

TOO_LONG_S = 10


class BatchExtractor(FakeExtractor):
    """Takes four turns at once; a turn with "poison" in it spoils the answer for all."""

    batching = Batching(turns=4, quiet_s=30)

    def __init__(self, errors: Sequence[Exception] = ()) -> None:
        super().__init__(errors)
        self.batches: list[list[str]] = []

    async def extract(self, turns: Sequence[Resource], known: Sequence[Item]) -> Sequence[Proposal]:
        """Each turn's whole text as one fact, unless one of them is poison."""
        self.batches.append([turn.turn.event_key for turn in turns])
        if any("poison" in turn.turn.text for turn in turns):
            raise AnswerError("refused")
        return await super().extract(turns, known)


@pytest.fixture
def extractor() -> BatchExtractor:
    """What the world below learns with."""
    return BatchExtractor()


@pytest.fixture
def world(world: World, extractor: BatchExtractor) -> World:
    """A store whose extractor takes batches."""
    return World.build(
        world.database,
        world.settings,
        world.clock,
        world.new_id,
        embedder=FakeEmbedder(),
        extractor=extractor,
    )


async def _take(world: World, *keys: str, **fields: Any) -> None:
    for key in keys:
        await world.take(fields.get("text", f"I play the {key} instrument."), key)


async def test_a_batch_costs_one_call_and_is_done_as_one(world: World, extractor: BatchExtractor) -> None:
    """Four turns, one call; each fact leads to its own turn."""
    await _take(world, "a", "b", "c", "d")
    await world.learn()
    assert extractor.batches == [["a", "b", "c", "d"]]
    assert await world.entries() == [("done", 1, None)] * 4
    facts = await world.facts()
    assert [fact.sources[0].key for fact in facts] == ["a", "b", "c", "d"]
    assert len(world.index) == 8


async def test_a_turn_has_its_vector_before_the_quiet_gap_is_over(
    world: World, extractor: BatchExtractor
) -> None:
    """It is found by sense at once; its facts wait."""
    await _take(world, "a")
    assert await world.worker.embed_next()
    assert not await world.worker.embed_next()
    assert len(world.index) == 1
    assert await world.facts() == []
    world.clock.turn(30)
    await world.learn()
    assert extractor.batches == [["a"]]
    assert len(world.index) == 2


async def test_one_poison_turn_dies_alone(world: World, extractor: BatchExtractor) -> None:
    """The batch is halved until the turn stands alone; the others have their facts, it has its reason."""
    await _take(world, "a", "b")
    await _take(world, "bad", text="poison")
    await _take(world, "d")
    await world.learn_all()
    states = [(state, reason) for state, _, reason in await world.entries()]
    assert states == [("done", None), ("done", None), ("dead", "answer"), ("done", None)]
    assert [fact.sources[0].key for fact in await world.facts()] == ["a", "b", "d"]
    assert extractor.batches[:2] == [["a", "b", "bad", "d"], ["a", "b"]]


@pytest.mark.parametrize("error", [OutageError, KeyRefusedError, BudgetError])
async def test_a_provider_s_fault_counts_for_no_turn(
    world: World, extractor: BatchExtractor, error: type[TemporaryError]
) -> None:
    """The batch waits as long as the provider says, and comes again as it was."""
    extractor.errors = [error("away", retry_after_ms=3_600_500)] * 9
    await _take(world, "a", "b", "c", "d")
    for _ in range(9):
        await world.learn()
        due = await world.rows("SELECT DISTINCT due_at, attempts, reason FROM capture_queue")
        assert due == [(world.clock.now() + 3_601, 0, error.reason)]
        world.clock.turn(3_601)
    await world.learn()
    assert {tuple(batch) for batch in extractor.batches} == {("a", "b", "c", "d")}
    assert len(await world.facts()) == 4


async def test_a_compaction_waits_for_no_quiet(world: World) -> None:
    """`settled` lets the session's turns go at once and returns when they are done, also without a wake."""
    stop = asyncio.Event()
    async with asyncio.timeout(TOO_LONG_S), asyncio.TaskGroup() as group:
        group.create_task(world.worker.run(stop))
        await _take(world, "a", "b")
        await world.worker.settled(Scope(session_id="s"))
        stop.set()
    assert len(await world.facts()) == 2


async def test_a_turn_forgotten_meanwhile_takes_its_batch_s_answer_with_it(world: World) -> None:
    """What a model made of all of them is dropped; the others are asked about again without it."""

    class Forgetful(BatchExtractor):
        async def extract(self, turns: Sequence[Resource], known: Sequence[Item]) -> Sequence[Proposal]:
            found = await super().extract(turns, known)
            if len(self.batches) == 1:
                await world.curation.forget(Scope(), turns[1].id, dry_run=False)
                return [replace(one, fact=replace(one.fact, text="words of all")) for one in found]
            return found

    forgetful = Forgetful()
    learning = Learning(world.embedder, forgetful, world.settler, world.generations)
    worker = CaptureWorker(world.database, learning, world.settings.capture, world.clock, world.new_id)
    await _take(world, "a", "b", "c", "d")
    while await worker.work_on_next():
        pass
    assert forgetful.batches == [["a", "b", "c", "d"], ["a", "c", "d"]]
    assert [fact.sources[0].key for fact in await world.facts()] == ["a", "c", "d"]
