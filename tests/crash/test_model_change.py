"""kill -9 of the real daemon while every text gets a vector of another model, and questions go on."""

import os
import random
import sys
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import apsw
import pytest
from memud_client import Client

from bench.durability import drain
from tests.daemons import DaemonProcess
from tests.planted import PLANTED, Asked, planted_facts, seed

ITEMS = int(os.environ.get("MEMUD_CHANGE_ITEMS", "600"))
KILLS = 2
QUIET = {"MEMUD_PROACTIVE__ENABLED": "false", "MEMUD_MONITOR__PERIOD_S": "86400"}


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
    dice, planted = random.Random(4), planted_facts()  # noqa: S311 - no secrets
    filler = [f"note {n} of {dice.random()} and {dice.random()}" for n in range(ITEMS - PLANTED)]
    facts = [fact for fact, _ in planted]
    seed(tmp_path / "memud.db", [*facts[::2], *filler, *facts[1::2]])
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
