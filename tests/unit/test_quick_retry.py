"""The one quick retry: for what failed quickly and may be gone at once."""

import asyncio

import pytest
from tenacity import RetryCallState

from memory.errors import KeyRefusedError, OutageError
from memory.llm.retry import once_more


def after(seconds: float) -> RetryCallState:
    """A first call that failed after so long."""
    state = RetryCallState(once_more(), None, (), {})
    state.outcome_timestamp = state.start_time + seconds
    return state


@pytest.mark.parametrize(("seconds", "is_over"), [(0.1, False), (4.9, False), (5.1, True), (30.0, True)])
def test_who_was_silent_for_long_is_not_asked_again_at_once(seconds: float, is_over: bool) -> None:
    """Two timeouts in a row would outlast the lease of the turns."""
    assert once_more().stop(after(seconds)) is is_over


async def test_the_wait_before_it_is_short_and_by_chance() -> None:
    """Many daemons that met one fault do not come back together."""
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)

    async def fails() -> None:
        raise OutageError("down")

    for _ in range(20):
        with pytest.raises(OutageError):
            await once_more(note)(fails)
    assert len(set(waits)) > 1
    assert 0.2 <= min(waits) <= max(waits) <= 1.0


@pytest.mark.parametrize(
    "error", [OutageError("busy", retry_after_ms=0), KeyRefusedError("no"), ValueError("x")]
)
async def test_what_a_retry_would_not_help_is_raised_at_once(error: Exception) -> None:
    """A time that was named, a person's task, a fault of our own."""
    calls = 0

    async def fails() -> None:
        nonlocal calls
        calls += 1
        raise error

    with pytest.raises(type(error)):
        await once_more(asyncio.sleep)(fails)
    assert calls == 1
