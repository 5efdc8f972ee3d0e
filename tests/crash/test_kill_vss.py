"""kill -9 while the file of sqlite-vss is being written."""

import subprocess
import sys
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from memory.ports import Filter, VectorIndex
from memory.vectors.exact import ExactIndex
from memory.vectors.vss.index import VssIndex
from tests.crash.vss_writer import DIMENSION, changes, vector
from tests.daemons import clean_env
from tests.real_vss import needs_vss, open_vss

pytestmark = [needs_vss, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
KILLS = 12


def killed(folder: Path, step: int) -> None:
    """What a process leaves that died while it wrote this step, or just after."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.crash.vss_writer", str(folder)],
        env=clean_env() | {"PYTHONPATH": f"{ROOT}:{ROOT / 'client'}"},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    with child:
        assert child.stdout is not None
        while int(child.stdout.readline()) != step:
            pass
        child.kill()


def filled(index: VectorIndex, steps: int) -> None:
    """All that is true after so many steps, as the BLOBs have it."""
    for step in range(steps):
        rows, gone = changes(step)
        index.put(rows)
        index.remove(gone)


def assert_equal(index: VssIndex, oracle: VectorIndex) -> None:
    """Every user's answers, bit for bit."""
    for user in range(3):
        for seed in range(4):
            query = vector(seed, 10_000)
            found, expected = (one.search(f"user {user}", query, 20, Filter()) for one in (index, oracle))
            assert found.keys.tolist() == expected.keys.tolist()
            assert found.cosines.tolist() == expected.cosines.tolist()


def test_the_file_stays_whole_and_the_answers_right(tmp_path: Path) -> None:
    """Whatever was written, what is put after a start is what answers, and nothing has to be made anew."""
    for kill in range(KILLS):
        step = 1 + kill * 5 % 7
        killed(tmp_path, step)
        oracle = ExactIndex(DIMENSION)
        filled(oracle, step + 1)
        with capture_logs() as logs:
            index = open_vss(tmp_path, DIMENSION)
        assert logs == []
        filled(index, step + 1)
        index.settle()
        assert_equal(index, oracle)
        assert index.flush()
        assert_equal(index, oracle)
        assert index.answered["vss"] >= 12
        index.close()
