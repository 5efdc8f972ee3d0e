"""A whole daemon while its model changes: what it says of itself."""

import asyncio
from pathlib import Path

import apsw
import pytest

from config.settings import load
from memory.database.connection import open_writer
from memory.model import Modality, Origin, Role, Scope, Turn
from memory.store import resources
from memory.testing import RhymeEmbedder
from memory.turns import content_hash
from migrations import runner
from tests.conftest import StartDaemon
from tests.rhyming_daemon import DIMENSIONS


def _seed(connection: apsw.Connection, model: str, count: int) -> None:
    """So many turns with vectors of a model."""
    embedder = RhymeEmbedder(model, DIMENSIONS.get(model, 8))
    texts = [f"{model} turn {number}" for number in range(count)]
    for text, vector in zip(texts, asyncio.run(embedder.passages(texts)), strict=True):
        turn = Turn(
            text, Scope(session_id="s"), Role.USER, None, text, text, Modality.CHAT, 1,
            "UTC", Origin.USER, True, content_hash(text),
        )  # fmt: skip
        stored = resources.insert(connection, turn, f"t-{text.replace(' ', '-')}", 1)
        resources.set_embedding(connection, stored.key, vector, model)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A store that two models have filled, of which one is gone for good."""
    connection = open_writer(tmp_path / "memud.db", load().store.wal_checkpoint_pages)
    runner.apply(connection)
    with connection:
        _seed(connection, "early", 5)
        _seed(connection, "gone", 3)
    connection.close()
    return tmp_path


def test_health_counts_both_generations_and_names_a_lost_one(folder: Path, start_daemon: StartDaemon) -> None:
    """And the job's dry run says the same; once all is done nothing is said any more."""
    stuck = start_daemon(folder, program=("tests.rhyming_daemon", "late", "0"))
    with stuck.client() as client:
        health, planned = client.health(), client.job_run("reindex", dry_run=True)
    stuck.kill()
    embedder = health["embedder"]
    assert (embedder["name"], embedder["mode"]) == ("late", "changing")
    assert (embedder["done"], embedder["pending"], embedder["total"]) == (0, 8, 8)
    assert embedder["older"] == [
        {"name": "early", "vectors": 5, "mode": "ok"},
        {"name": "gone", "vectors": 3, "mode": "lost"},
    ]
    assert any("3 texts have a vector of gone, which can't be opened" in why for why in health["reasons"])
    assert planned["counts"] == {"pending": 8}
    assert planned["notes"] == ["5 texts have a vector of early still", "3 texts have a vector of gone still"]
    daemon = start_daemon(folder, program=("tests.rhyming_daemon", "late", str(2**40)))
    with daemon.client() as client:
        assert client.job_run("reindex")["counts"]["pending"] == 0
        embedder = client.health()["embedder"]
    assert (embedder["mode"], embedder["done"], embedder["total"], embedder["older"]) == ("ok", 8, 8, [])
