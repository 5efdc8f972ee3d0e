"""Keeps a broken provider from being asked again and again: opens after outages in a row, then probes."""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from memory.errors import AnswerError, KeyRefusedError, OutageError, TemporaryError
from memory.llm.retry_after import LONGEST_S
from memory.ports import Clock

OUTAGES: Final = 5
FIRST_WAIT_S: Final = 30
LONGEST_WAIT_S: Final = 600
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BreakerState:
    """`name` is `closed`, `open` or `half-open`; of the last two `reason` says why, `retry_at` until when."""

    name: str
    reason: str = ""
    hint: str = ""
    retry_at: int | None = None


class Breaker:
    """Lets calls through while the provider answers.

    It opens after 5 outages in a row, and at once for a refused key or a Retry-After; while open every call
    fails at once with the last fault and the time to come back. Then one call probes; each failed probe
    doubles the wait, from 30 s to 10 min. For one event loop; what it knows is gone with the process.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._outages = 0
        self._wait_s = 0  # before the next probe; 0 while none is needed
        self._opens_at = 0
        self._probing = False
        self._fault: TemporaryError | None = None

    @property
    def state(self) -> BreakerState:
        """For `health`."""
        left_s = self._left_s()
        if self._fault is None or not (left_s or self._wait_s):
            return BreakerState("closed")
        name = "open" if left_s else "half-open"
        return BreakerState(name, str(self._fault), self._fault.hint, self._opens_at if left_s else None)

    async def run(self, call: Callable[[], Awaitable[T]]) -> T:
        """What `call` gives. Raises its fault, or the last one while the breaker is open."""
        is_probe = self._admit()
        self._probing = self._probing or is_probe
        try:
            answer = await call()
        except TemporaryError as error:
            self._failed(error, is_probe)
            raise
        except AnswerError:  # the provider works, this prompt does not
            self._answered()
            raise
        finally:
            if is_probe:
                self._probing = False
        self._answered()
        return answer

    def _admit(self) -> bool:
        """Whether this call is the probe. Raises the last fault when it may not go."""
        left_s = self._left_s()
        if self._fault is None or not (left_s or self._wait_s):
            return False
        if left_s or self._probing:
            raise _again(self._fault, left_s or FIRST_WAIT_S)
        return True

    def _left_s(self) -> int:
        """How long it stays open; a clock that was set back does not keep it open for long."""
        left_s = self._opens_at - self._clock.now()
        return left_s if 0 < left_s <= LONGEST_S else 0

    def _failed(self, error: TemporaryError, is_probe: bool) -> None:
        if not isinstance(error, OutageError | KeyRefusedError):
            return
        self._fault = error
        self._outages += 1
        wait_s = math.ceil((error.retry_after_ms or 0) / 1000)
        if isinstance(error, KeyRefusedError):
            self._wait_s = LONGEST_WAIT_S
        elif is_probe or (self._outages >= OUTAGES and not self._wait_s):
            self._wait_s = min(LONGEST_WAIT_S, 2 * self._wait_s or FIRST_WAIT_S)
        wait_s = max(wait_s, self._wait_s)
        self._opens_at = max(self._opens_at, self._clock.now() + wait_s)
        if wait_s:
            error.retry_after_ms = 1000 * self._left_s()

    def _answered(self) -> None:
        self._outages = self._wait_s = self._opens_at = 0
        self._fault = None


def _again(fault: TemporaryError, wait_s: int) -> TemporaryError:
    return type(fault)(str(fault), hint=fault.hint, retry_after_ms=1000 * wait_s)
