"""A whole store behind a provider that fails: the real SDKs against the stub servers, on a frozen clock."""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from memory.llm.breaker import Breaker
from memory.llm.guarded import GuardedModel
from memory.model import Scope
from memory.ports import Batching
from memory.recall.asking import Asker
from memory.recall.finding import Finder
from memory.recall.offsets import Offsets
from memory.recall.query import Query
from memory.recall.recall import Recall
from memory.recall.repeats import Repeats
from memory.recall.scored import Scorer
from memory.testing import told_facts
from memory.vectors.generations import Generations
from tests.funded import account, budget_of, funded
from tests.stubs.models import SHORT_S, Stubbed, anthropic_stub, openai_stub
from tests.stubs.script import OF_THE_ANSWER, OF_THE_PROMPT, PASSING, Fault, mixed
from tests.world import World

EVENTS = 2_000
HOURS_DOWN = 6
MINUTE_S = 60
PROBE_WINDOW_S = 600
MAX_CALLS_PER_EVENT = 1.6
_MIXED = (*PASSING, *OF_THE_PROMPT, *OF_THE_ANSWER)
_STUBS = {"anthropic": anthropic_stub, "openai": openai_stub}
_WORDS = ["amber", "basil", "cedar", "delta", "ember", "fable", "grove", "hazel", "ivory", "jasper"]


async def _no_sleep(_: float) -> None:
    return


def _learning(world: World, stubbed: Stubbed, batching: Batching) -> World:
    """The store with the stub's model behind its breaker, paid for without a limit."""
    model = GuardedModel(stubbed.model, Breaker(world.clock), _no_sleep)
    return funded(world, model, budget_of(0), batching)


def _sentence(n: int) -> str:
    words = " ".join(_WORDS[int(digit)] for digit in f"{n:04}")
    return f"I keep the {words} in a wooden box."


async def _capture(world: World, numbers: range) -> None:
    """Events in, spread over users and sessions."""
    for n in numbers:
        scope = Scope(f"user-{n % 50}", None, f"session-{n % 200}")
        await world.take(_sentence(n), f"k{n}", scope=scope)


async def _items(world: World) -> Counter[str]:
    return Counter(content for (content,) in await world.rows("SELECT content FROM items"))


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("provider", "turns"), [("anthropic", 4), ("openai", 1)])
async def test_every_event_is_done_or_dead_with_a_reason(world: World, provider: str, turns: int) -> None:
    """A fifth of the calls fails in 20 ways; each fact of what is done is there once, at few calls."""
    async with _STUBS[provider](world.clock, told_facts, mixed(_MIXED, 0.2, seed=7), SHORT_S) as stubbed:
        world = _learning(world, stubbed, Batching(turns, 30 if turns > 1 else 0))
        await _capture(world, range(EVENTS))
        await world.learn_all()
        calls = len(stubbed.stub.requests)
    states = await world.rows(
        """
        SELECT r.event_key, q.state, q.reason
        FROM capture_queue AS q JOIN resources AS r ON r.key = q.resource_key
        """
    )
    assert len(states) == EVENTS
    assert all(state == "done" or (state == "dead" and reason) for _, state, reason in states)
    truth = Counter(_sentence(int(key[1:])) for key, state, _ in states if state == "done")
    assert await _items(world) == truth
    ended = await account(world)
    assert (ended.leased, ended.reserved) == (0, 0)
    assert truth.total() / turns <= ended.calls <= calls
    dead = EVENTS - truth.total()
    sys.stdout.write(
        f"\n{provider}, {turns} a batch: {EVENTS} events, {calls} calls ({calls / EVENTS:.3f} an event),"
        f" {truth.total()} done, {dead} dead with a reason, items equal to the ground truth\n"
    )
    assert calls / EVENTS <= MAX_CALLS_PER_EVENT


class Outage:
    """A script: every call fails while `is_down`."""

    def __init__(self) -> None:
        self.is_down = True

    def __iter__(self) -> Iterator[Fault | None]:
        return self

    def __next__(self) -> Fault | None:
        return Fault.SERVER_ERROR if self.is_down else None


def _recall(world: World) -> Recall:
    """Recall by full text, which needs no provider."""
    settings, nothing = world.settings.recall, Generations(None)
    asker = Asker(world.database, nothing, world.clock, lambda: True, settings.candidates)
    scorer = Scorer(settings, Finder(settings.candidates), Offsets(""))
    return Recall(world.database, asker, scorer, Repeats(nothing), settings, lambda *_: ())


@pytest.mark.slow
@pytest.mark.timeout(300)
async def test_six_hours_down_lose_nothing_and_bury_nothing(world: World) -> None:
    """One probe in ten minutes, once it is known to be down; recall answers; then all is made up for."""
    outage, events = Outage(), HOURS_DOWN * 60
    async with anthropic_stub(world.clock, told_facts, outage, SHORT_S) as stubbed:
        world = _learning(world, stubbed, Batching(4, 30))
        recall, probes, found = _recall(world), list[int](), 0
        for minute in range(events):
            await _capture(world, range(minute, minute + 1))
            asked = len(stubbed.stub.requests)
            await world.learn()
            probes += [world.clock.now()] * (len(stubbed.stub.requests) - asked)
            if minute % 30 == 0:
                scope = Scope(f"user-{minute % 50}")
                answer = await recall.recall(Query(_sentence(minute)[7:-1], scope, 10, threshold=0))
                found += bool(answer.results)
            world.clock.turn(MINUTE_S)
        waiting = await world.rows("SELECT count(*) FROM capture_queue WHERE state = 'queued'")
        assert waiting == [(events,)]
        assert found == HOURS_DOWN * 2
        late = [at for at in probes if at >= probes[0] + 3600]
        assert all(after - before >= PROBE_WINDOW_S for before, after in pairwise(late))
        outage.is_down = False
        await world.learn_all()
    assert await world.rows("SELECT DISTINCT state FROM capture_queue") == [("done",)]
    assert await _items(world) == Counter(map(_sentence, range(events)))
    assert (await account(world)).reserved == 0
    sys.stdout.write(
        f"\n{HOURS_DOWN} h down, {events} events, {len(probes)} calls meanwhile, {len(late)}"
        f" of them after the first hour, nothing lost, nothing dead\n"
    )
