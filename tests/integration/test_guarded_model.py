"""A model behind its breaker and its one quick retry, over the wire."""

import json
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager

import pytest

from memory.errors import KeyRefusedError, MemudError, OutageError
from memory.llm.breaker import Breaker
from memory.llm.guarded import GuardedModel
from memory.testing import FrozenClock
from tests.stubs import script
from tests.stubs.models import Stubbed, asking, openai_stub
from tests.stubs.provider import NOW
from tests.stubs.script import Fault


@pytest.fixture
def clock() -> FrozenClock:
    """The time."""
    return FrozenClock(NOW)


async def at_once(_: float) -> None:
    """A wait that is over."""


def guarded(stubbed: Stubbed, clock: FrozenClock) -> GuardedModel:
    """The model as the daemon has it, but without waits."""
    return GuardedModel(stubbed.model, Breaker(clock), at_once)


def failing(clock: FrozenClock, faults: Iterator[Fault | None]) -> AbstractAsyncContextManager[Stubbed]:
    """A provider with these faults."""
    return openai_stub(clock, faults=faults)


@pytest.mark.parametrize("fault", [Fault.SERVER_ERROR, Fault.RESET, Fault.CUT_BODY, Fault.RATE_LIMIT])
async def test_what_failed_in_passing_is_tried_once_more(clock: FrozenClock, fault: Fault) -> None:
    """Most faults of a network are gone with the next call."""
    async with failing(clock, script.first([fault])) as stubbed:
        answer = await guarded(stubbed, clock).answer(asking("tea"))
        assert json.loads(answer.raw) == {"facts": ["tea"]}
        assert len(stubbed.stub.requests) == 2


async def test_it_is_tried_once_and_no_more(clock: FrozenClock) -> None:
    """The queue's own retries are kept on disk and wait longer."""
    async with failing(clock, script.always(Fault.SERVER_ERROR)) as stubbed:
        with pytest.raises(OutageError):
            await guarded(stubbed, clock).answer(asking())
        assert len(stubbed.stub.requests) == 2


@pytest.mark.parametrize(
    "fault", [Fault.RATE_LIMIT_SECONDS, Fault.KEY_REFUSED, Fault.TOO_LONG, Fault.REFUSAL, Fault.REJECTED]
)
async def test_what_would_fail_again_is_not_tried_again(clock: FrozenClock, fault: Fault) -> None:
    """Neither a limit with its time, nor a 4xx, nor a refusal."""
    async with failing(clock, script.always(fault)) as stubbed:
        with pytest.raises(MemudError):
            await guarded(stubbed, clock).answer(asking())
        assert len(stubbed.stub.requests) == 1


async def test_a_long_outage_is_asked_once_in_ten_minutes(clock: FrozenClock) -> None:
    """Six hours with a turn every minute: a few dozen requests, and the first call after it is answered."""
    async with failing(clock, script.always(Fault.SERVER_ERROR)) as stubbed:
        model = guarded(stubbed, clock)
        asked_by = {}
        for minute in range(360):
            with pytest.raises(OutageError):
                await model.answer(asking())
            clock.turn(60)
            asked_by[minute] = len(stubbed.stub.requests)
        assert asked_by[359] - asked_by[180] <= 18
        stubbed.stub.faults = script.always(None)
        clock.turn(600)
        assert await model.answer(asking())
        assert model.breaker.state.name == "closed"


async def test_a_refused_key_stops_the_lane_and_says_so(clock: FrozenClock) -> None:
    """One request, then none, whoever asks; `health` reads why."""
    async with failing(clock, script.always(Fault.KEY_REFUSED)) as stubbed:
        model = guarded(stubbed, clock)
        for _ in range(10):
            with pytest.raises(KeyRefusedError):
                await model.answer(asking())
        assert len(stubbed.stub.requests) == 1
        assert "refuses the key" in model.breaker.state.reason
