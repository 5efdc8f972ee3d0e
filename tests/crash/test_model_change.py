"""kill -9 of the real daemon while every text gets a vector of another model, and questions go on."""

import asyncio
import os
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

import apsw
import pytest
from memud_client import Client

from bench.durability import drain
from config.settings import load
from memory.database.connection import open_writer
from memory.ids import id_maker
from memory.model import Fact, Kind, MemoryType, Modality, Origin, Role, Scope, Turn
from memory.store import items, resources
from memory.testing import RhymeEmbedder
from memory.turns import content_hash
from migrations import runner
from tests.daemons import DaemonProcess
from tests.rhyming_daemon import DIMENSIONS

ITEMS = int(os.environ.get("MEMUD_CHANGE_ITEMS", "600"))
KILLS = 2
PLANTED = 12
QUIET = {"MEMUD_PROACTIVE__ENABLED": "false", "MEMUD_MONITOR__PERIOD_S": "86400"}
_NOW = 1_780_000_000


@dataclass
class Asked:
    """What became of the questions: `warming` ones were asked while the vectors were loaded at a start."""

    asked: int = 0
    warming: int = 0
    empty: list[str] = field(default_factory=list)

    def ask(self, client: Client, fact: str, question: str) -> None:
        """One question that shares no word with its answer."""
        reply = client.recall(question)
        if "index warming" in reply.get("degraded", ()):
            self.warming += 1
            return
        self.asked += 1
        if fact not in [result["memory"] for result in reply["results"]]:
            self.empty.append(question)


def _planted() -> list[tuple[str, str]]:
    """Facts, each with a question that only rhymes with it."""
    dice = random.Random(3)  # noqa: S311 - no secrets
    pairs = []
    for _ in range(PLANTED):
        rhymes = ["".join(dice.choices("bdfgklmnprstvz", k=4)) for _ in range(3)]
        first, second, third = (f"qua{rhyme}" for rhyme in rhymes)
        alike, like, again = (f"oly{rhyme}" for rhyme in rhymes)
        pairs.append((f"My {first} keeps the {second} {third}", f"Which {alike} has {like} {again}?"))
    return pairs


def _seed(file: Path, texts: Sequence[str]) -> None:
    """Each text as a turn and as its fact, with vectors of the early model."""
    connection = open_writer(file, load().store.wal_checkpoint_pages)
    runner.apply(connection)
    model = RhymeEmbedder("early", DIMENSIONS["early"])
    new_id = id_maker(random.Random(5).randbytes)  # noqa: S311 - no secrets
    for batch in _batched(texts, 500):
        vectors = asyncio.run(model.passages(batch))
        with connection:
            for text, vector in zip(batch, vectors, strict=True):
                turn = Turn(
                    text, Scope(session_id="s"), Role.USER, None, text, text, Modality.CHAT, _NOW,
                    "UTC", Origin.USER, True, content_hash(text),
                )  # fmt: skip
                said = resources.insert(connection, turn, new_id("t"), _NOW)
                resources.set_embedding(connection, said.key, vector, model.name)
                fact = Fact(text, Kind.SEMANTIC, MemoryType.PREFERENCE, 0.8, None, (0, len(text)))
                known = items.insert(connection, fact, said, new_id("m"))
                items.set_embedding(connection, known.key, vector, model.name)
    connection.close()


def _batched(texts: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    return (texts[start : start + size] for start in range(0, len(texts), size))


def _stamps(file: Path) -> dict[str | None, int]:
    """How many of the user's texts have a vector of which model."""
    connection = apsw.Connection(str(file))
    assert connection.pragma("integrity_check") == "ok"
    rows: list[Any] = connection.execute(
        """
        SELECT embedder, count(*) FROM (
          SELECT embedder FROM items UNION ALL SELECT embedder FROM resources WHERE role = 'user'
        ) GROUP BY embedder
        """
    ).fetchall()
    connection.close()
    return dict(rows)


def _ask_until(client: Client, asked: Asked, planted: Sequence[tuple[str, str]], done: Any) -> dict[str, Any]:
    """Question after question until the embedder's health is as wanted."""
    for number, (fact, question) in enumerate(cycle(planted)):
        asked.ask(client, fact, question)
        embedder = client.health()["embedder"] if number % 4 == 0 else {}
        if embedder and done(embedder):
            return dict(embedder)
    raise AssertionError


@pytest.mark.slow
@pytest.mark.timeout(120 + ITEMS // 20)
def test_a_change_of_the_model_survives_kills_and_blinds_nobody(tmp_path: Path) -> None:
    """Every text has a vector of the new model in the end, and each question found its fact all the while."""
    dice, planted = random.Random(4), _planted()  # noqa: S311 - no secrets
    filler = [f"note {n} of {dice.random()} and {dice.random()}" for n in range(ITEMS - PLANTED)]
    facts = [fact for fact, _ in planted]
    _seed(tmp_path / "memud.db", [*facts[::2], *filler, *facts[1::2]])
    texts, asked = 2 * ITEMS, Asked()
    share = texts // (KILLS + 1)
    for kill in range(1, KILLS + 1):
        daemon = _daemon(tmp_path, share + 100)  # the cohort has some, too
        daemon.start()
        with daemon.client() as client:
            client.capture([{"key": f"k{kill}", "role": "user", "content": f"I prefer tea number {kill}."}])
            reached = share * kill - 64
            seen = _ask_until(client, asked, planted, lambda one, at=reached: one["done"] >= at)
            assert (seen["name"], seen["mode"]) == ("late", "changing")
            assert 0 < seen["older"][0]["vectors"] <= seen["pending"] == seen["total"] - seen["done"]
        daemon.kill()
        stamps = _stamps(daemon.database)
        assert stamps["late"] >= reached
        sys.stdout.write(f"\nkill {kill}: {stamps}")
    daemon = _daemon(tmp_path, 2**40)
    daemon.start()
    with daemon.client() as client:
        seen = _ask_until(client, asked, planted, lambda one: one["mode"] == "ok")
        drain(client)
        for fact, question in planted:
            asked.ask(client, fact, question)
        health, stats = client.health(), client.stats()
    assert daemon.stop() == 0
    stamps = _stamps(daemon.database)
    assert set(stamps) == {"late"}
    assert stamps["late"] == stats["resources"] + stats["items"] + stats["superseded"] >= texts
    assert (
        health["index"]["size"] == health["embedder"]["done"] == health["embedder"]["total"] == stamps["late"]
    )
    assert asked.empty == []
    sys.stdout.write(
        f"\nchange of the model: {ITEMS} items and their turns, {KILLS} kills, {stamps} in the end, 0 lost; "
        f"{asked.asked} questions asked meanwhile, 0 without their fact, "
        f"{asked.warming} more while the vectors were loaded after a start\n"
    )


def _daemon(folder: Path, texts: int) -> DaemonProcess:
    return DaemonProcess(folder, env=QUIET, program=("tests.rhyming_daemon", "late", str(texts)))
