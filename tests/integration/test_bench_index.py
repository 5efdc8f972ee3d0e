"""`memud bench index`: each index over the same vectors, those of a store among them."""

import json
import sys
from pathlib import Path

import pytest

from cli.app import main
from config.settings import Settings
from memory.database import Database
from memory.ids import NewId
from memory.knowledge.curation import Statement
from memory.model import Scope
from memory.testing import FakeEmbedder, FakeExtractor, FrozenClock
from tests.real_faiss import needs_faiss
from tests.world import World

STORED = ["bench", "index", "--backend", "exact"]
MADE = ["bench", "index", "--synthetic", "400", "--dimension", "16", "--questions", "5", "--nearest", "10"]


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    """What a program reads."""
    assert main([*arguments, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


@needs_faiss
def test_indexes_are_measured_on_made_vectors(capsys: pytest.CaptureFixture[str]) -> None:
    """Of each the recall, the times, what the build took and how large it is."""
    found = report(capsys, *MADE, "--backend", "exact", "--backend", "faiss")
    assert (found["vectors"], found["dimension"], found["questions"]) == (400, 16, 5)
    assert isinstance(found["backends"], list)
    assert [one["backend"] for one in found["backends"]] == ["exact", "faiss"]
    for one in found["backends"]:
        assert one["recall"] == 1
        assert 0 < one["p50_ms"] <= one["p95_ms"]
        assert min(one["p50_cpu_ms"], one["build_s"], one["build_cpu_s"]) > 0
        assert one["memory_bytes"] > 400 * 16 * 4


@pytest.mark.parametrize(("language", "word"), [("en", "recall"), ("zh_CN.UTF-8", "召回率")])
def test_a_person_gets_a_table(
    language: str, word: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the person's language."""
    monkeypatch.setenv("LC_ALL", language)
    assert main([*MADE, "--backend", "exact"]) == 0
    assert word in capsys.readouterr().out


def test_one_that_is_not_installed_is_an_error_where_it_was_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says what to install; nobody waits for figures that do not come."""
    monkeypatch.setitem(sys.modules, "faiss", None)
    assert main([*MADE, "--backend", "faiss"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "pip install 'memud[faiss]'" in told.err


def test_one_that_is_not_installed_is_left_out_where_all_were_asked_for(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others are measured."""
    monkeypatch.setitem(sys.modules, "faiss", None)
    found = report(capsys, *MADE)
    assert isinstance(found["backends"], list)
    by_name = {one["backend"]: one for one in found["backends"]}
    assert by_name["exact"]["recall"] == 1
    assert "can't be loaded" in by_name["faiss"]["skipped"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["bench", "memory"], "memory is not one of index"),
        (["bench", "index", "--backend", "usearch"], "usearch is not one of exact, vss, faiss"),
        (["bench", "index", "--state-dir", "/nowhere"], "there is no store at /nowhere/memud.db"),
    ],
)
def test_what_can_not_be_meant_is_refused(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what there is instead."""
    assert main(arguments) == 64
    assert told in capsys.readouterr().err


async def test_the_vectors_of_a_store_that_is_in_use_are_only_read(
    database: Database,
    settings: Settings,
    clock: FrozenClock,
    new_id: NewId,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The user who has most is taken; the store stays as it is, and can be written to."""
    world = World.build(database, settings, clock, new_id, embedder=FakeEmbedder(), extractor=FakeExtractor())
    for number in range(12):
        scope = Scope("bob") if number % 3 else Scope("ann")
        await world.curation.add(scope, Statement(f"fact number {number} about the garden", infer=False))
    before = files(database.path.parent)
    found = report(capsys, *STORED, "--state-dir", str(database.path.parent))
    assert files(database.path.parent) == before
    assert (found["vectors"], found["source"]) == (16, FakeEmbedder().name)
    alone = report(
        capsys,
        *("bench", "index", "--backend", "exact", "--user", "ann"),
        f"--state-dir={database.path.parent}",
    )
    assert alone["vectors"] == 8
    await world.curation.add(Scope("ann"), Statement("fact number 13", infer=False))


async def test_a_store_without_vectors_is_told(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    """And what can be measured all the same."""
    assert main(["bench", "index", f"--state-dir={database.path.parent}"]) == 64
    assert "--synthetic" in capsys.readouterr().err


def files(folder: Path) -> dict[str, bytes]:
    """What lies in a folder; the shared memory of readers aside."""
    kept = (path for path in folder.glob("*") if path.is_file() and not path.name.endswith("-shm"))
    return {path.name: path.read_bytes() for path in kept}
