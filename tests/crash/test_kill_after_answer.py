"""kill -9 between a model's answer and its effects."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from config.settings import load
from memory import queue
from memory.database import Database
from memory.testing import FakeEmbedder, FakeLanguageModel
from tests.crash.answered import FACTS, SAID, build, truth
from tests.daemons import clean_env

ROOT = Path(__file__).parents[2]


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """What a process leaves that died with the answer stored and no fact."""
    path = ":".join((str(ROOT), str(ROOT / "client")))
    died = subprocess.run(
        [sys.executable, "-m", "tests.crash.answered", str(tmp_path)],
        env=clean_env() | {"PYTHONPATH": path},
        cwd=ROOT,
        timeout=60,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL
    return tmp_path / "memud.db"


@pytest.mark.slow
async def test_an_answer_that_was_paid_for_is_used_after_a_kill(killed: Path) -> None:
    """The next process asks nobody and stores each fact once."""
    database = Database.open(killed, load().store)
    model = FakeLanguageModel(truth, [AssertionError("asked twice")])
    world = build(database, FakeEmbedder(), model)
    try:
        assert await world.rows("SELECT state FROM extractions") == [("answered",)]
        assert await world.facts() == []
        await database.write(lambda c: queue.recover(c, world.clock.now(), 3))
        world.clock.turn(queue.SUSPECT_WAIT_S)
        await world.learn()
        assert model.prompts == []
        assert [fact.memory for fact in await world.facts()] == list(FACTS)
        assert await world.turns() == list(SAID)
        assert await world.rows("SELECT state FROM extractions") == [("used",)]
        assert {state for state, _, _ in await world.entries()} == {"done"}
    finally:
        database.close()
