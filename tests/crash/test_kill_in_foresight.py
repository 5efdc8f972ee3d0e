"""kill -9 while hits, predictions, their evidence or the cursor are being written."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.crash.foretold import MOMENTS, SEED, TURNS
from tests.daemons import clean_env
from tests.weeks import House, talk

ROOT = Path(__file__).parents[2]


def _die(path: Path, moment: str, count: int) -> None:
    folders = ":".join((str(ROOT), str(ROOT / "client")))
    died = subprocess.run(
        [sys.executable, "-m", "tests.crash.foretold", str(path), moment, str(count)],
        env=clean_env() | {"PYTHONPATH": folders},
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL


@pytest.mark.slow
@pytest.mark.parametrize("moment", sorted(MOMENTS))
async def test_a_kill_repeats_nothing_and_loses_nothing(tmp_path: Path, moment: str) -> None:
    """Killed three times, each time later, then run to the end: the ledger of a run that nobody killed."""
    path = tmp_path / "m.db"
    for count in (1, 2, 3):
        _die(path, moment, count)
    plain = House(tmp_path / "plain.db")
    await plain.hear(talk(SEED, TURNS))
    killed = House(path)
    for house in (plain, killed):
        await house.foresight(1_000).run(None, dry_run=False)
    assert await killed.ledger() == await plain.ledger()
    for house in (plain, killed):
        house.database.close()
