"""A lease and what it may cost begin together and end together, at the edge of the limit too."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import pytest

from daemon.leases import recover_leases, release_leases
from memory import queue
from memory.errors import AnswerError, OutageError, TemporaryError
from memory.model import DAY_S, Scope
from memory.ports import Answer, Batching, Matrix, Prompt
from memory.testing import FakeEmbedder, FakeLanguageModel, told_fact, told_facts
from tests.funded import ALONE, Account, account, budget_of, funded, need
from tests.world import World, finished

TOO_LONG_S = 10
CELLO = "I play the cello."
TEA = "I prefer tea over coffee."
NOTHING = Account(0, 0, 0, 0)
Then = Literal["rules", "wait"]


class Slow(FakeLanguageModel):
    """Answers once it is let go; `begun` counts the calls."""

    def __init__(self) -> None:
        super().__init__(told_facts)
        self.begun: asyncio.Queue[None] = asyncio.Queue()
        self.let_go = asyncio.Event()

    async def answer(self, prompt: Prompt) -> Answer:
        """The truth, later."""
        self.begun.put_nowait(None)
        await self.let_go.wait()
        return await super().answer(prompt)


async def _until_asked(model: Slow) -> None:
    await asyncio.wait_for(model.begun.get(), TOO_LONG_S)


async def _take(world: World, count: int, text: str = TEA) -> None:
    """Each in a session of its own, so that none waits for another."""
    for n in range(count):
        await world.take(text, f"k{n}", scope=Scope(session_id=f"s{n}"))


async def test_a_lease_holds_what_it_may_cost_until_the_answer_is_booked(world: World) -> None:
    """While the model thinks its tokens are kept free; then what it took is counted, and nothing held."""
    model = Slow()
    world = funded(world, model, budget_of(0))
    await world.take(CELLO, "k")
    async with asyncio.TaskGroup() as group:
        group.create_task(world.worker.work_on_next())
        await _until_asked(model)
        assert await account(world) == Account(leased=1, reserved=1, calls=0, used=0)
        assert await world.rows("SELECT purpose, tokens FROM llm_reservations") == [("extract", need(CELLO))]
        model.let_go.set()
    ended = await account(world)
    assert (ended.leased, ended.reserved, ended.calls) == (0, 0, 1)
    assert 0 < ended.used <= need(CELLO)


@pytest.mark.parametrize(("short_by", "calls"), [(0, 1), (1, 0)])
@pytest.mark.parametrize("then", ["rules", "wait"])
async def test_the_ladder_holds_at_the_edge_of_the_limit(
    world: World, then: Then, short_by: int, calls: int
) -> None:
    """What fits to the token is asked; one token less, and rules draw the facts, or the turns wait."""
    model = FakeLanguageModel(told_facts)
    world = funded(world, model, budget_of(need(TEA) - short_by, then))
    await _take(world, 3)
    await world.learn()
    assert len(model.prompts) == (await account(world)).calls == calls
    asked, left = [("done", 1, None)] * calls, 3 - calls
    if then == "rules":
        assert await world.entries() == [("done", 1, None)] * 3
        assert [fact.memory for fact in await world.facts()] != []
    else:
        assert await world.entries() == [*asked, *[("queued", 0, "budget")] * left]
        ((until,),) = await world.rows("SELECT DISTINCT due_at FROM capture_queue WHERE state = 'queued'")
        assert until % DAY_S == 0
        assert 0 < until - world.clock.now() <= DAY_S
    assert (await account(world)).reserved == 0


async def test_turns_that_wait_for_a_budget_are_learnt_the_next_day(world: World) -> None:
    """A day's limit for one call a day takes three days for three turns; none counts a try."""
    model = FakeLanguageModel(told_facts)
    world = funded(world, model, budget_of(need(TEA)))
    await _take(world, 3)
    begun = world.clock.now()
    await world.learn_all()
    assert await world.entries() == [("done", 1, None)] * 3
    assert world.clock.now() // DAY_S - begun // DAY_S == 2


async def test_a_turn_that_waits_for_a_budget_has_its_vector(world: World) -> None:
    """It is found by sense although nobody is paid for its facts."""
    world = funded(world, FakeLanguageModel(told_facts), budget_of(1))
    await world.take(CELLO, "k")
    await world.learn()
    assert len(world.index) == 1


async def test_workers_side_by_side_share_the_last_of_a_day(world: World) -> None:
    """Room for two calls and nearly a third: two begin, the third turn waits, whoever comes first."""
    model = Slow()
    world = funded(world, model, budget_of(3 * need(TEA) - 1))
    await _take(world, 3)
    async with asyncio.TaskGroup() as group:
        working = [group.create_task(world.worker.work_on_next()) for _ in range(3)]
        await _until_asked(model)
        await _until_asked(model)
        await asyncio.wait(working, timeout=TOO_LONG_S, return_when=asyncio.FIRST_COMPLETED)
        assert await account(world) == Account(leased=2, reserved=2, calls=0, used=0)
        assert sorted(state for state, _, _ in await world.entries()) == ["leased", "leased", "queued"]
        model.let_go.set()
    assert len(model.prompts) == 2


class Odd(Exception):
    """What nobody foresaw."""


@pytest.mark.parametrize("turns", [1, 2])
@pytest.mark.parametrize("error", [OutageError("away"), AnswerError("refused"), Odd()])
async def test_a_call_that_fails_gives_back_what_was_kept_free(
    world: World, turns: int, error: Exception
) -> None:
    """Postponed, tried again or halved: the lease and its reservation are gone, nothing is booked."""
    world = funded(world, FakeLanguageModel(told_facts, [error]), budget_of(0), Batching(turns, 30))
    for n in range(turns):
        await world.take(TEA, f"k{n}")
    world.clock.turn(30)
    assert await world.worker.work_on_next()
    assert await account(world) == NOTHING
    await world.learn_all()
    assert {state for state, _, _ in await world.entries()} == {"done"}


async def test_a_turn_that_is_given_up_holds_nothing(world: World) -> None:
    """Dead of answers that cost something: they are booked, one by one."""
    cut = AnswerError("cut", input_tokens=80, output_tokens=20)
    tries = world.settings.capture.max_attempts
    world = funded(world, FakeLanguageModel(told_facts, [cut] * tries), budget_of(0))
    await world.take(TEA, "k")
    await world.learn_all()
    assert [state for state, _, _ in await world.entries()] == ["dead"]
    assert await account(world) == Account(leased=0, reserved=0, calls=tries, used=100 * tries)


async def test_a_hang_gives_back_what_was_kept_free(world: World) -> None:
    """Once the lease's time is over; a call without an answer is not booked."""
    capture = world.settings.capture.model_copy(update={"lease_s": 1})
    short = replace(world, settings=world.settings.model_copy(update={"capture": capture}))
    world = funded(short, Slow(), budget_of(0))
    await world.take(CELLO, "k")
    await finished(asyncio.ensure_future(world.worker.work_on_next()))
    assert await world.entries() == [("queued", 1, "timeout")]
    assert await account(world) == NOTHING


async def test_a_turn_forgotten_while_the_model_reads_it_costs_what_it_took(world: World) -> None:
    """The call was made, so it is booked; nothing is learnt and nothing stays reserved."""
    model = Slow()
    world = funded(world, model, budget_of(0))
    taken = await world.take(CELLO, "k")
    assert taken.stored is not None
    async with asyncio.TaskGroup() as group:
        group.create_task(world.worker.work_on_next())
        await _until_asked(model)
        await world.curation.forget(Scope(), taken.stored.id, dry_run=False)
        model.let_go.set()
    ended = await account(world)
    assert (ended.leased, ended.reserved, ended.calls) == (0, 0, 1)
    assert await world.facts() == []


async def test_a_lost_lease_keeps_its_money_until_its_call_is_over(world: World) -> None:
    """Its answer may still come and cost: both calls are within the limit, both are booked, one counts."""
    model = Slow()
    world = funded(world, model, budget_of(0))
    await world.take(CELLO, "k")
    async with asyncio.TaskGroup() as group:
        group.create_task(world.worker.work_on_next())
        await _until_asked(model)
        world.clock.turn(world.settings.capture.lease_s + 1)
        await world.database.write(lambda c: queue.sweep(c, world.clock.now()))
        group.create_task(world.worker.work_on_next())
        await _until_asked(model)
        assert await account(world) == Account(leased=1, reserved=2, calls=0, used=0)
        model.let_go.set()
    ended = await account(world)
    assert (ended.leased, ended.reserved, ended.calls) == (0, 0, 2)
    assert len(await world.facts()) == 1


class Stumbling(FakeEmbedder):
    """Away for the fact, once."""

    def __init__(self) -> None:
        self.is_away = True

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """Vectors, unless the fact is asked for the first time."""
        if self.is_away and "I play the cello" in texts:
            self.is_away = False
            raise TemporaryError("away")
        return await super().passages(texts)


def _cello(_: str) -> Any:
    return {"facts": [told_fact("t1", "I play the cello")]}


@pytest.mark.parametrize("then", ["rules", "wait"])
@pytest.mark.parametrize("spent", [True, False])
async def test_a_kept_answer_is_used_without_paying_again(world: World, then: Then, spent: bool) -> None:
    """Also on a day that has nothing left: it was paid for."""
    model = FakeLanguageModel(_cello)
    limit = need(CELLO) if spent else 0
    world = funded(world, model, budget_of(limit, then), ALONE, Stumbling())
    await world.take(CELLO, "k")
    begun = world.clock.now()
    await world.learn_all()
    assert world.clock.now() - begun < 3600
    assert len(model.prompts) == 1
    assert [fact.memory for fact in await world.facts()] == ["I play the cello"]
    ended = await account(world)
    assert (ended.leased, ended.reserved, ended.calls) == (0, 0, 1)


async def test_turns_that_tell_nothing_wait_for_no_budget(world: World) -> None:
    """They cost no call, so they are done on a spent day, too; what was kept free for one is given back."""
    for limit in (1, 0):
        world = funded(world, FakeLanguageModel(told_facts), budget_of(limit))
        await world.take("Thanks!", f"k{limit}")
        await world.learn()
        assert await account(world) == NOTHING
    assert await world.entries() == [("done", 1, None)] * 2


@pytest.mark.parametrize("ends", ["stop", "crash"])
async def test_nothing_stays_reserved_when_the_daemon_ends(world: World, ends: str) -> None:
    """A clean stop gives back turns and money in one step; after a crash the next start does."""
    budget, model = budget_of(0), Slow()
    world = funded(world, model, budget)
    await world.take(CELLO, "k")
    working = asyncio.ensure_future(world.worker.work_on_next())
    await _until_asked(model)
    if ends == "stop":
        await release_leases(world.database, budget, world.clock)
    else:
        await recover_leases(world.database, budget, 3, world.clock)
    assert await account(world) == NOTHING
    working.cancel()
    await asyncio.wait([working], timeout=TOO_LONG_S)
    assert await account(world) == NOTHING
