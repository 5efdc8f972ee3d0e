"""The bench of other programs, with those two that need nothing installed."""

import subprocess
import sys
from pathlib import Path

import pytest

from bench.peers.control import Control, open_control
from bench.peers.environments import NotInstalledError, python_of
from bench.peers.insertion import check
from bench.peers.kills import kill_thrice
from bench.peers.memud import Memud
from bench.peers.peer import Embed, Peer, Store
from bench.peers.timing import time
from bench.peers.work import Stub, note, notes, questions

ROOT = Path(__file__).parents[2]


def small(sizes: tuple[int, ...]) -> Peer:
    """The control with little to do."""
    return Peer("control", "", open_control, adds=20, sizes=sizes)


def test_a_peer_is_asked_at_each_size(tmp_path: Path) -> None:
    """Its notes are found, and each size is filled before it is asked."""
    figures = time(small((100, 200)), tmp_path)
    assert figures["add"]["notes"] == 19
    assert [figures["sizes"][size]["found"] for size in ("100", "200")] == [50, 50]
    assert figures["notes"] == 200
    assert figures["disk_b_a_note"] > 1536


def test_the_control_keeps_what_it_acknowledged_through_kills(tmp_path: Path) -> None:
    """The bench finds every note again, so that a loss elsewhere is the other's."""

    def start(task: str, folder: Path, *numbers: int) -> "subprocess.Popen[bytes]":
        command = [
            sys.executable,
            "-m",
            "bench.peers.child",
            "control",
            task,
            str(folder),
            *map(str, numbers),
        ]
        return subprocess.Popen(command, cwd=ROOT, start_new_session=True)

    killed = kill_thrice(start, tmp_path, after_s=(0, 0, 0))
    assert killed["kills"] == 3
    assert killed["opens_again"]
    assert check(small(()), tmp_path)["lost"] == 0


def test_a_store_that_forgets_is_found_out(tmp_path: Path) -> None:
    """The check can fail."""

    class Forgetful(Control):
        def search(self, query: str, limit: int) -> list[str]:
            return [text for text in super().search(query, limit) if "Note 3:" not in text]

    def opened(folder: Path, embed: Embed) -> Store:
        folder.mkdir(exist_ok=True)
        return Forgetful(folder / "control.db", embed)

    store = opened(tmp_path / "store", Stub())
    store.add_many(list(notes(0, 10)))
    store.close()
    (tmp_path / "acked").write_text("".join(f"{number}\n" for number in range(10)))
    assert check(Peer("forgetful", "", opened), tmp_path)["lost"] == 1


def test_what_can_not_be_installed_is_said(tmp_path: Path) -> None:
    """The reason stands in the report."""
    peer = Peer("none", "", open_control, packages=("memud-bench-no-such-package @ file:///nowhere",))
    with pytest.raises(NotInstalledError, match="nowhere"):
        python_of(peer, tmp_path)


@pytest.mark.slow
def test_memud_is_driven_through_its_daemon(tmp_path: Path) -> None:
    """Notes that were added and notes that were brought in are recalled alike."""
    store = Memud(tmp_path, Stub())
    try:
        store.add(note(0))
        before = store.cpu_s()
        store.add_many(list(notes(1, 100)))
        store.settle()
        assert store.count() == 100
        question, number = questions(100)[0]
        assert note(number) in store.search(question, 10)
        assert store.cpu_s() > before
    finally:
        store.close()
