"""kill -9 while lists are built, changed and written."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from structlog.testing import capture_logs

from memory.ports import Filter, VectorIndex
from memory.vectors.ann.index import FaissIndex
from memory.vectors.exact import ExactIndex
from tests.crash.faiss_writer import AIMS, DIMENSION, STAMP, changes, vector
from tests.daemons import clean_env
from tests.real_faiss import needs_faiss

pytestmark = [needs_faiss, pytest.mark.slow]

ROOT = Path(__file__).parents[2]
KILLS = 8


def killed(folder: Path, step: int) -> None:
    """What a process leaves that died while it wrote this step, or just after."""
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.crash.faiss_writer", str(folder)],
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


def test_what_is_found_after_a_kill_is_what_was_put_after_it(tmp_path: Path) -> None:
    """No file is half written, nothing stale is found, and recall is what it is aimed at."""
    for kill in range(KILLS):
        step = 1 + kill * 5 % 6
        killed(tmp_path, step)
        oracle = ExactIndex(DIMENSION)
        filled(oracle, step + 1)
        with capture_logs() as logs:
            index = FaissIndex.open(tmp_path, STAMP, AIMS)
        assert logs == []
        filled(index, step + 1)
        index.settle()
        assert_alike(index, oracle)
        assert index.flush()
        assert index.measured_recall is not None
        assert_alike(index, oracle)
        index.close()
        assert not list(tmp_path.glob("*.new"))


def assert_alike(index: VectorIndex, oracle: VectorIndex) -> None:
    """Nearly the same keys, with the very cosines."""
    shares = list[float]()
    for user_id in ("user 0", "user 1"):
        for seed in range(10):
            query = vector(seed, 10_000)
            found, expected = (one.search(user_id, query, 20, Filter()) for one in (index, oracle))
            assert found.size == expected.size
            assert found.cosines.tolist() == oracle.cosines(user_id, found.keys.tolist(), query).tolist()
            shares.append(len(set(found.keys.tolist()) & set(expected.keys.tolist())) / 20)
    assert np.mean(shares) >= 0.97
