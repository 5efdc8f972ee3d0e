"""Adds until it is killed, and a look at what is still there: in the peer's environment."""

import os
from pathlib import Path

from bench.peers.peer import Peer
from bench.peers.work import Stub, is_about, note

ACKS = "acked"
_OPEN = b"open\n"
CHECKED = 60
_LIMIT = 10

Report = dict[str, int]


def insert(peer: Peer, folder: Path, start: int) -> None:
    """Note in a file what was acknowledged; a kill of the process loses nothing of that."""
    acks = os.open(folder / ACKS, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    store = peer.open(folder / "store", Stub())
    os.write(acks, _OPEN)
    number = start
    while True:
        store.add(note(number))
        os.write(acks, b"%d\n" % number)
        number += 1


def check(peer: Peer, folder: Path) -> Report:
    """Whether it opens, takes another note, and finds the last acknowledged ones and the first by text."""
    numbers = acked(folder)
    wanted = sorted({*numbers[:5], *numbers[-CHECKED:]})
    store = peer.open(folder / "store", Stub())
    store.settle()
    lost = sum(not any(is_about(text, n) for text in store.search(note(n), _LIMIT)) for n in wanted)
    store.add(note(10**7))
    return {"checked": len(wanted), "lost": lost, "stored": store.count()}


def acked(folder: Path) -> list[int]:
    """The numbers of the acknowledged notes, in order."""
    lines = (folder / ACKS).read_text(encoding="ascii").split("\n") if (folder / ACKS).exists() else []
    return [int(line) for line in lines if line.isdigit()]


def openings(folder: Path) -> int:
    """How often the store was opened."""
    path = folder / ACKS
    return path.read_bytes().count(_OPEN) if path.exists() else 0
