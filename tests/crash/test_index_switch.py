"""kill -9 of the real daemon while another vector index is built, with the real sqlite-vss."""

import os
import random
import sys
import threading
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import apsw
import pytest
from memud_client import Client, MemudError

from tests.daemons import DaemonProcess
from tests.planted import PLANTED, Asked, planted_facts, seed
from tests.real_vss import needs_vss

pytestmark = [needs_vss, pytest.mark.slow]

ITEMS = int(os.environ.get("MEMUD_SWITCH_ITEMS", "600"))
VECTORS = 2 * ITEMS
QUIET = {"MEMUD_PROACTIVE__ENABLED": "false", "MEMUD_MONITOR__PERIOD_S": "86400"}
SIGN = "may_write"


class Asking:
    """Asks for another index, waits for it in a thread of its own."""

    def __init__(self, daemon: DaemonProcess, backend: str) -> None:
        self.reply: Any = None
        self._daemon, self._backend = daemon, backend
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()

    def _ask(self) -> None:
        try:
            with Client(self._daemon.socket_path, timeout_s=60) as client:
                self.reply = client.job_run("reindex", backend=self._backend)  # type: ignore[arg-type]
        except MemudError as error:
            self.reply = str(error)

    def result(self) -> Any:
        """The report, or what was said instead."""
        self._thread.join()
        return self.reply


@pytest.fixture
def planted(tmp_path: Path) -> Sequence[tuple[str, str]]:
    """Facts that only vectors find, among others."""
    pairs, dice = planted_facts(), random.Random(4)  # noqa: S311 - no secrets
    facts = [fact for fact, _ in pairs]
    filler = [f"note {n} of {dice.random()} and {dice.random()}" for n in range(ITEMS - PLANTED)]
    seed(tmp_path / "memud.db", [*facts[::2], *filler, *facts[1::2]])
    return pairs


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Any]:
    """Starts daemons over that store."""
    started = list[DaemonProcess]()

    def start() -> DaemonProcess:
        program = ("tests.rhyming_daemon", "early", str(2**40), "--hold", str(tmp_path / SIGN))
        started.append(DaemonProcess(tmp_path, env=QUIET, program=program))
        started[-1].start()
        return started[-1]

    yield start
    for daemon in started:
        if daemon.is_running:
            daemon.kill()


def _index(client: Client) -> Any:
    return client.health()["index"]


def _ask_until(client: Client, asked: Asked, planted: Sequence[tuple[str, str]], done: Any) -> Any:
    """Question after question until the index is as wanted."""
    for fact, question in cycle(planted):
        asked.ask(client, fact, question)
        if done(index := _index(client)):
            return index
    raise AssertionError


def _is_full_beside(index: Any) -> bool:
    """All vectors are in the new one, and its file is not written to the end."""
    return index["building"] is not None and index["building"]["backend"] == "vss"


def _files(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "index").glob("*-*"))


def _kept(folder: Path) -> Any:
    connection = apsw.Connection(str(folder / "memud.db"))
    row = connection.execute("SELECT configured, chosen, is_built, attempts FROM index_choice").fetchone()
    connection.close()
    return row


def test_a_switch_survives_kills_and_blinds_nobody(tmp_path: Path, planted: Any, start: Any) -> None:
    """Each start goes on with it, each question finds its fact, and what was captured meanwhile is in it."""
    asked = Asked()
    for kill in range(2):
        daemon = start()
        with daemon.client() as client:
            client.capture([{"key": f"k{kill}", "role": "user", "content": f"I prefer tea number {kill}."}])
            asking = Asking(daemon, "vss") if kill == 0 else None
            index = _ask_until(client, asked, planted, _is_full_beside)
            assert (index["backend"], index["wanted"], index["reason"]) == ("exact", "vss", None)
        daemon.kill()
        if asking:
            assert isinstance(asking.result(), str)
        assert _kept(tmp_path) == ("exact", "vss", 0, kill + 1)
    (tmp_path / SIGN).touch()
    daemon = start()
    with daemon.client() as client:
        index = _ask_until(client, asked, planted, lambda one: one["backend"] == "vss")
        for fact, question in planted:
            asked.ask(client, fact, question)
        health = client.health()
    assert (health["status"], index["building"]) == ("ok", None)
    assert health["index"]["size"] == health["embedder"]["total"] >= VECTORS + 2
    assert daemon.stop() == 0
    assert _kept(tmp_path) == ("exact", "vss", 1, 0)
    assert asked.empty == []
    sys.stdout.write(
        f"\nchange of the index: {health['index']['size']} vectors, 2 kills, {asked.asked} questions asked "
        f"meanwhile, 0 without their fact, {asked.warming} more while the vectors were loaded\n"
    )


@pytest.mark.parametrize("backend", ["vss", "faiss"])
def test_there_and_back_with_a_start_in_between(
    tmp_path: Path, planted: Any, start: Any, backend: str
) -> None:
    """What was chosen answers after the start as well; back to exact leaves nothing behind."""
    (tmp_path / SIGN).touch()
    asked = Asked()
    daemon = start()
    assert Asking(daemon, backend).result()["counts"] == {"indexed": VECTORS}
    with daemon.client() as client:
        _ask_until(client, asked, planted, lambda one: one["backend"] == backend)
    assert daemon.stop() == 0
    assert _files(tmp_path) != []
    daemon = start()
    with daemon.client() as client:
        _ask_until(client, asked, planted, lambda one: one["size"] == VECTORS)
        assert _index(client)["backend"] == backend
        assert client.job_run("reindex", backend="exact")["counts"] == {"indexed": VECTORS}
        _ask_until(client, asked, planted, lambda one: one["backend"] == "exact")
    assert daemon.stop() == 0
    assert (_files(tmp_path), asked.empty) == ([], [])


def test_a_stop_meanwhile_waits_for_nothing(tmp_path: Path, planted: Any, start: Any) -> None:
    """Who waits is told that it goes on; nothing had to be cancelled."""
    asked, daemon = Asked(), start()
    asking = Asking(daemon, "vss")
    with daemon.client() as client:
        _ask_until(client, asked, planted, _is_full_beside)
    assert daemon.stop() == 0
    assert "the daemon stops" in asking.result()
    assert "cancelled_at_stop" not in daemon.log()
    assert _kept(tmp_path) == ("exact", "vss", 0, 0)
