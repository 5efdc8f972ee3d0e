"""Runs the jobs: when their bell rings, when the wall clock says they are overdue, and when somebody asks."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

import structlog

from daemon.bulletin import Bulletin
from daemon.logs import where
from daemon.schedule import is_due
from jobs.bell import Bell
from memory.database import Database
from memory.errors import InvalidError
from memory.model import Report
from memory.ports import Clock
from memory.store import runs
from memory.store.runs import Run

log = structlog.get_logger()

_MAX_SLACK_S = 60


class Runnable(Protocol):
    """A job as the keeper calls it."""

    def __call__(self, *, user_id: str | None, as_of: int | None, dry_run: bool) -> Awaitable[Report]:
        """Do the work once."""
        ...


@dataclass(frozen=True, slots=True)
class KeptJob:
    """A job and how often it is due; None: only when asked."""

    run: Runnable
    period_s: int | None = None


class Keeper:
    """One job at a time. A job that fails is recorded and tried again at its next time; the daemon goes on.

    What is overdue is decided by `job_runs` and the wall clock, so a machine that slept or was off for
    weeks catches up once.
    """

    def __init__(
        self,
        database: Database,
        jobs: Mapping[str, KeptJob],
        bulletin: Bulletin,
        clock: Clock,
        on_done: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._jobs = jobs
        self._bulletin = bulletin
        self._clock = clock
        self._on_done = on_done
        self._bell = Bell()
        self._one_at_a_time = asyncio.Lock()

    def ring(self) -> None:
        """Look what is overdue."""
        self._bell.ring()

    async def run(self, stop: asyncio.Event) -> None:
        """Catch up, then run what is due at each ring, until told to stop."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._bell.ring_at(stop))
            while not stop.is_set():
                ring = self._bell.next_ring()
                await self._run_due()
                if not stop.is_set():
                    await ring.wait()

    async def run_now(self, name: str, *, user_id: str | None, as_of: int | None, dry_run: bool) -> Report:
        """Run a job because somebody asks. A replay or a dry run leaves its timetable alone.

        Raises InvalidError for an unknown name, and what the job raises.
        """
        if name not in self._jobs:
            raise InvalidError(f"no job {name!r}", hint=f"there are {', '.join(self._jobs)}")
        async with self._one_at_a_time:
            begun = self._clock.now()
            report = await self._jobs[name].run(user_id=user_id, as_of=as_of, dry_run=dry_run)
            if as_of is None and not dry_run and user_id is None:
                await self._database.write(lambda c: runs.succeeded(c, name, begun), frees_space=True)
        self._bulletin.ring()
        self._on_done()
        return report

    async def timetable(self) -> dict[str, tuple[Run, int | None]]:
        """Each job's last run and when it is due next, in Unix seconds."""
        done = await self._database.read(runs.read)
        return {
            name: (done.get(name, Run()), self._next(done.get(name, Run()), job.period_s))
            for name, job in self._jobs.items()
        }

    async def _run_due(self) -> None:
        done = await self._database.read(runs.read)
        now = self._clock.now()
        for name, job in self._jobs.items():
            last_ok = done.get(name, Run()).last_ok
            if job.period_s is not None and is_due(last_ok, now, job.period_s - _slack_s(job.period_s)):
                await self._run_scheduled(name)

    async def _run_scheduled(self, name: str) -> None:
        try:
            report = await self.run_now(name, user_id=None, as_of=None, dry_run=False)
        except Exception as error:  # the job loop goes on; the fault is in job_runs, the log and health
            log.error("job_failed", job=name, error=type(error).__name__, at=where(error))
            await self._note_failure(name, error)
        else:
            # What runs every minute and finds nothing fills no log.
            say = log.info if any(report.counts.values()) or name != "notes" else log.debug
            say("job_done", job=name, **report.counts)

    async def _note_failure(self, name: str, error: Exception) -> None:
        now = self._clock.now()
        try:
            await self._database.write(lambda c: runs.failed(c, name, now, type(error).__name__))
        except Exception as second:  # a full disk can't be told on that disk
            log.error("job_failure_not_recorded", job=name, error=type(second).__name__)

    def _next(self, last: Run, period_s: int | None) -> int | None:
        if period_s is None:
            return None
        return self._clock.now() if last.last_ok is None else last.last_ok + period_s


def _slack_s(period_s: int) -> int:
    """A bell that rings a moment early must not cost a whole period."""
    return min(_MAX_SLACK_S, period_s // 10)


def without_scope(run: Callable[..., Awaitable[Report]]) -> Runnable:
    """A job that serves the whole store, whoever asks."""

    async def adapted(*, user_id: str | None, as_of: int | None, dry_run: bool) -> Report:
        return await run(dry_run=dry_run)

    return adapted
