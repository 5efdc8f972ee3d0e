"""The breaker: a broken provider is asked rarely, a working one always."""

import asyncio

import pytest

from memory.errors import AnswerError, KeyRefusedError, OutageError, TemporaryError
from memory.llm.breaker import Breaker
from memory.testing import FrozenClock


class Provider:
    """Raises its fault, if it has one; counts how often it is asked."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault = fault
        self.asked = 0

    async def answer(self) -> str:
        """One call."""
        self.asked += 1
        if self.fault:
            raise self.fault
        return "fine"


@pytest.fixture
def clock() -> FrozenClock:
    """The time."""
    return FrozenClock()


@pytest.fixture
def breaker(clock: FrozenClock) -> Breaker:
    """A closed breaker."""
    return Breaker(clock)


async def fail(breaker: Breaker, provider: Provider, times: int = 1) -> TemporaryError:
    """Call so often; the last error."""
    for _ in range(times):
        with pytest.raises(TemporaryError) as caught:
            await breaker.run(provider.answer)
    return caught.value


async def test_it_opens_after_five_outages_in_a_row(breaker: Breaker, clock: FrozenClock) -> None:
    """The sixth call comes back at once, with the time to come back."""
    provider = Provider(OutageError("down"))
    await fail(breaker, provider, 4)
    assert breaker.state.name == "closed"
    await fail(breaker, provider)
    assert (breaker.state.name, breaker.state.reason) == ("open", "down")
    assert breaker.state.retry_at == clock.now() + 30
    error = await fail(breaker, provider)
    assert isinstance(error, OutageError)
    assert error.retry_after_ms == 30_000
    assert provider.asked == 5


async def test_an_answer_in_between_starts_the_count_again(breaker: Breaker) -> None:
    """Five in a row, not five in a day."""
    provider = Provider()
    for _ in range(3):
        provider.fault = OutageError("down")
        await fail(breaker, provider, 4)
        provider.fault = None
        assert await breaker.run(provider.answer) == "fine"
    assert breaker.state.name == "closed"


async def test_the_wait_doubles_up_to_ten_minutes(breaker: Breaker, clock: FrozenClock) -> None:
    """One probe a wait, and never more than one in ten minutes of a long outage."""
    provider = Provider(OutageError("down"))
    await fail(breaker, provider, 5)
    waits = []
    for _ in range(8):
        state = breaker.state
        assert state.retry_at
        waits.append(state.retry_at - clock.now())
        clock.turn(waits[-1])
        assert breaker.state.name == "half-open"
        await fail(breaker, provider)
    assert waits == [30, 60, 120, 240, 480, 600, 600, 600]
    assert provider.asked == 5 + 8


async def test_six_hours_down_cost_one_probe_in_ten_minutes(breaker: Breaker, clock: FrozenClock) -> None:
    """However often a worker knocks."""
    provider = Provider(OutageError("down"))
    for _ in range(6 * 360):
        await fail(breaker, provider)
        clock.turn(10)
    assert provider.asked <= 5 + 6 * 6 + 4


async def test_a_probe_that_is_answered_closes_it(breaker: Breaker, clock: FrozenClock) -> None:
    """The next outage counts from one again."""
    provider = Provider(OutageError("down"))
    await fail(breaker, provider, 5)
    clock.turn(30)
    provider.fault = None
    await breaker.run(provider.answer)
    assert breaker.state.name == "closed"
    provider.fault = OutageError("down")
    await fail(breaker, provider)
    assert breaker.state.name == "closed"


async def test_one_probe_at_a_time(breaker: Breaker, clock: FrozenClock) -> None:
    """A crowd that waited for the end of an outage does not bring the next."""
    await fail(breaker, Provider(OutageError("down")), 5)
    clock.turn(30)
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def slow() -> str:
        begun.set()
        await go_on.wait()
        return "fine"

    async with asyncio.TaskGroup() as tasks:
        probe = tasks.create_task(breaker.run(slow))
        await begun.wait()
        other = Provider()
        await fail(breaker, other, 3)
        go_on.set()
    assert probe.result() == "fine"
    assert other.asked == 0
    assert await breaker.run(other.answer) == "fine"


async def test_a_probe_given_up_leaves_the_way_to_the_next(breaker: Breaker, clock: FrozenClock) -> None:
    """A stop in the middle of a probe is no answer."""
    await fail(breaker, Provider(OutageError("down")), 5)
    clock.turn(30)
    begun = asyncio.Event()

    async def endless() -> None:
        begun.set()
        await asyncio.Event().wait()

    async with asyncio.TaskGroup() as tasks:
        probe = tasks.create_task(breaker.run(endless))
        await begun.wait()
        probe.cancel()
    provider = Provider()
    assert await breaker.run(provider.answer) == "fine"


async def test_retry_after_pauses_everybody(breaker: Breaker, clock: FrozenClock) -> None:
    """At once, at the first of them, until the time that was named; then all may go again."""
    provider = Provider(OutageError("busy", retry_after_ms=16_500))
    await fail(breaker, provider)
    error = await fail(breaker, Provider())
    assert error.retry_after_ms == 17_000
    assert breaker.state.retry_at == clock.now() + 17
    clock.turn(17)
    provider.fault = None
    await asyncio.gather(*(breaker.run(provider.answer) for _ in range(3)))
    assert provider.asked == 4


async def test_a_refused_key_pauses_everybody_and_is_seen(breaker: Breaker, clock: FrozenClock) -> None:
    """Nothing goes on there until a person acts; one call in ten minutes looks whether they have."""
    provider = Provider(KeyRefusedError("refuses the key", hint="give it another"))
    error = await fail(breaker, provider)
    assert error.retry_after_ms == 600_000
    assert isinstance(await fail(breaker, provider), KeyRefusedError)
    assert (breaker.state.name, breaker.state.hint) == ("open", "give it another")
    assert provider.asked == 1
    clock.turn(600)
    provider.fault = None
    await breaker.run(provider.answer)
    assert breaker.state.name == "closed"


async def test_a_prompt_without_an_answer_is_no_outage(breaker: Breaker) -> None:
    """The provider works; another prompt may go."""
    provider = Provider(OutageError("down"))
    await fail(breaker, provider, 4)
    provider.fault = AnswerError("refused")
    with pytest.raises(AnswerError):
        await breaker.run(provider.answer)
    provider.fault = OutageError("down")
    await fail(breaker, provider, 4)
    assert breaker.state.name == "closed"


async def test_a_clock_set_back_does_not_keep_it_open(breaker: Breaker, clock: FrozenClock) -> None:
    """A day back must not be a day without facts."""
    await fail(breaker, Provider(OutageError("down")), 5)
    clock.turn(-86_400)
    assert await breaker.run(Provider().answer) == "fine"
