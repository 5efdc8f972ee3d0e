"""Bells that ring periodically, and what is due by the wall clock. The only file that knows APScheduler."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

_CLOCK_SLACK_S = 300


@dataclass(frozen=True, slots=True)
class Bell:
    """Calls `ring` on the event loop each `period_s`, up to `jitter_s` later. `ring` returns at once."""

    name: str
    period_s: float
    ring: Callable[[], object]
    jitter_s: int = 0


class Schedule:
    """Rings bells, and does no work itself: no job is lost or cut off when it stops.

    Rings that were missed, by a busy loop or a stopped process, are made up for by one. A bell does not
    ring while the machine sleeps: whoever hears it asks `is_due`, at every ring and at the start.
    """

    def __init__(self, bells: Sequence[Bell]) -> None:
        self._scheduler = AsyncIOScheduler(timezone=UTC)
        for bell in bells:
            self._scheduler.add_job(
                _ring,
                IntervalTrigger(seconds=bell.period_s, jitter=bell.jitter_s or None, timezone=UTC),
                args=(bell,),
                id=bell.name,
                coalesce=True,
                max_instances=1,
                misfire_grace_time=None,
            )

    def start(self) -> None:
        """Begin; the first ring comes after one period. Needs the running loop."""
        self._scheduler.start()

    def pause(self) -> None:
        """Ring no more; what was rung goes on."""
        self._scheduler.pause()

    def shutdown(self) -> None:
        """End; does not wait."""
        if self._scheduler.running:
            self._scheduler.shutdown(wait=False)


def is_due(last_ok: int | None, now: int, period_s: int) -> bool:
    """Whether a job that last succeeded at `last_ok` has to run.

    A success in the future means that the clock was turned back: then the job runs, and is right again.
    """
    if last_ok is None or last_ok > now + _CLOCK_SLACK_S:
        return True
    return now - last_ok >= period_s


# A plain function would be called in another thread.
async def _ring(bell: Bell) -> None:
    bell.ring()
