"""The keeper of the jobs: overdue ones run once, failures are told and go no further."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from daemon.bulletin import Bulletin
from daemon.keeper import Keeper, KeptJob
from memory.database import Database
from memory.errors import InvalidError
from memory.model import DAY_S, Report
from memory.store import runs
from memory.testing import FrozenClock

WEEK_S = 7 * DAY_S
TOO_LONG_S = 10


class CountingJob:
    """Counts its runs, rings `ran` at each, and fails as often as it is told."""

    def __init__(self, failures: int = 0) -> None:
        self.runs = 0
        self.failures = failures
        self.ran = asyncio.Event()

    async def __call__(self, *, user_id: str | None, as_of: int | None, dry_run: bool) -> Report:
        """Do nothing, or fail."""
        self.runs += 1
        self.ran.set()
        if self.failures:
            self.failures -= 1
            raise RuntimeError("broken")
        return Report("test", {"did": 1})


class Scene:
    """A keeper with a job, and behind it a probe that is always due and tells when a round is over."""

    def __init__(
        self, database: Database, clock: FrozenClock, job: CountingJob, period_s: int = WEEK_S
    ) -> None:
        self.database, self.clock, self.job = database, clock, job
        self.probe = CountingJob(failures=1_000)
        jobs = {"cleanup": KeptJob(job, period_s), "probe": KeptJob(self.probe, 1)}
        self.keeper = Keeper(database, jobs, Bulletin(), clock)

    async def during(self, act: Callable[[], Awaitable[object]]) -> None:
        """Run the keeper, act, then stop it; what it has begun is finished."""
        stop = asyncio.Event()
        async with asyncio.timeout(TOO_LONG_S), asyncio.TaskGroup() as group:
            group.create_task(self.keeper.run(stop))
            await act()
            stop.set()

    async def settle(self) -> None:
        """Return when the keeper has once more looked through what is due, from the first job to the last."""
        for _ in range(2):  # the round that runs now may have passed the job already
            self.probe.ran.clear()
            self.keeper.ring()
            await self.probe.ran.wait()

    async def last(self) -> runs.Run:
        """What is recorded of the job."""
        return (await self.database.read(runs.read)).get("cleanup", runs.Run())


@pytest.mark.parametrize(
    ("age_s", "due"),
    [
        (8 * DAY_S, True),
        (WEEK_S, True),
        (6 * DAY_S, False),
        (60, False),
        (-60, False),
        (-DAY_S, True),
        (None, True),
    ],
)
async def test_what_is_overdue_at_the_start_runs_once(
    database: Database, clock: FrozenClock, age_s: int | None, due: bool
) -> None:
    """By the wall clock and the record, also after the clock was turned back; a restart runs nothing."""
    if age_s is not None:
        await database.write(lambda c: runs.succeeded(c, "cleanup", clock.now() - age_s))
    for expected in (1 if due else 0, 0):
        scene = Scene(database, clock, CountingJob())
        await scene.during(scene.settle)
        assert scene.job.runs == expected


async def test_a_bell_that_rings_a_little_early_costs_no_period(
    database: Database, clock: FrozenClock
) -> None:
    """The five-minute job runs every five minutes, not every ten."""
    scene = Scene(database, clock, CountingJob(), period_s=300)

    async def five_bells() -> None:
        await scene.settle()
        for _ in range(5):
            clock.turn(299)
            await scene.settle()

    await scene.during(five_bells)
    assert scene.job.runs == 6


async def test_a_job_that_fails_is_recorded_and_tried_again(database: Database, clock: FrozenClock) -> None:
    """The daemon goes on; the reason is in the record until the job succeeds."""
    scene = Scene(database, clock, CountingJob(failures=1))

    async def once() -> None:
        await scene.probe.ran.wait()

    await scene.during(once)
    assert await scene.last() == runs.Run(None, "RuntimeError")
    scene.probe.ran.clear()
    await scene.during(once)
    assert (await scene.last()).last_error is None
    assert (await scene.last()).last_ok == clock.now()


async def test_one_who_asks_is_told_of_the_failure(database: Database, clock: FrozenClock) -> None:
    """`job.run` raises what the job raised; an unknown name is named with the known ones."""
    scene = Scene(database, clock, CountingJob(failures=1))
    with pytest.raises(RuntimeError):
        await scene.keeper.run_now("cleanup", user_id=None, as_of=None, dry_run=False)
    with pytest.raises(InvalidError) as caught:
        await scene.keeper.run_now("nothing", user_id=None, as_of=None, dry_run=False)
    assert "cleanup" in caught.value.hint


@pytest.mark.parametrize(
    ("user_id", "as_of", "dry_run", "recorded"),
    [
        (None, None, False, True),
        ("u", None, False, False),
        (None, 1, False, False),
        (None, None, True, False),
    ],
)
async def test_only_a_whole_run_moves_the_timetable(
    database: Database,
    clock: FrozenClock,
    user_id: str | None,
    as_of: int | None,
    dry_run: bool,
    recorded: bool,
) -> None:
    """A replay, a dry run or a run for one user does not stand for the weekly one."""
    scene = Scene(database, clock, CountingJob())
    await scene.keeper.run_now("cleanup", user_id=user_id, as_of=as_of, dry_run=dry_run)
    assert ((await scene.last()).last_ok is not None) is recorded


async def test_jobs_never_run_side_by_side(database: Database, clock: FrozenClock) -> None:
    """Whoever asks waits for the job that runs."""
    running = 0

    async def job(*, user_id: str | None, as_of: int | None, dry_run: bool) -> Report:
        nonlocal running
        running += 1
        assert running == 1
        await database.write(lambda c: None)
        running -= 1
        return Report("test")

    keeper = Keeper(database, {"a": KeptJob(job), "b": KeptJob(job)}, Bulletin(), clock)
    await asyncio.gather(*(keeper.run_now(name, user_id=None, as_of=None, dry_run=False) for name in "abab"))


async def test_the_timetable_says_what_is_next(database: Database, clock: FrozenClock) -> None:
    """Now for what never ran, a period after the last success otherwise."""
    scene = Scene(database, clock, CountingJob())
    _, due = (await scene.keeper.timetable())["cleanup"]
    assert due == clock.now()
    await scene.keeper.run_now("cleanup", user_id=None, as_of=None, dry_run=False)
    last, due = (await scene.keeper.timetable())["cleanup"]
    assert (last.last_ok, due) == (clock.now(), clock.now() + WEEK_S)
