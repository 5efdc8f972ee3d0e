"""kill -9 at each point from the lease of a turn for a paid model to its facts."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from config.settings import load
from daemon.leases import recover_leases
from memory.database import Database
from tests.crash.leased import FACT, POINTS, build
from tests.daemons import clean_env
from tests.funded import account

ROOT = Path(__file__).parents[2]

LEFT = {  # what is leased, reserved and booked, and the calls in all once a next process is through
    "leasing": (0, 0, 0, 1),
    "leased": (1, 1, 0, 1),
    "asking": (1, 1, 0, 1),
    "answered": (1, 1, 0, 1),
    "booked": (1, 0, 1, 2),
    "kept": (1, 0, 1, 1),
    "storing": (1, 0, 1, 1),
}


def _killed(folder: Path, point: str) -> Path:
    """What a process leaves that died at the point."""
    path = ":".join((str(ROOT), str(ROOT / "client")))
    died = subprocess.run(
        [sys.executable, "-m", "tests.crash.leased", str(folder), point],
        env=clean_env() | {"PYTHONPATH": path},
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL
    return folder / "memud.db"


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
async def test_a_kill_leaves_no_lease_without_money_and_no_money_without_lease(
    tmp_path: Path, point: str
) -> None:
    """What is in hand is reserved or booked; the next start frees it, and each fact comes once."""
    *left, calls = LEFT[point]
    database = Database.open(_killed(tmp_path, point), load().store)
    world, _, budget = build(database)
    try:
        found = await account(world)
        assert [found.leased, found.reserved, found.calls] == left
        await recover_leases(database, budget, 3, world.clock)
        freed = await account(world)
        assert (freed.leased, freed.reserved) == (0, 0)
        await world.learn_all()
        assert [fact.memory for fact in await world.facts()] == [FACT]
        ended = await account(world)
        assert (ended.leased, ended.reserved, ended.calls) == (0, 0, calls)
        assert {state for state, _, _ in await world.entries()} == {"done"}
    finally:
        database.close()
