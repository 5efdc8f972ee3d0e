"""One peer, measured: each task in a fresh process and a fresh folder, what fails told and not fatal."""

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.peers.environments import NotInstalledError, python_of
from bench.peers.kills import kill_thrice
from bench.peers.peer import Peer

ROOT = Path(__file__).parents[2]
_KEPT = ("PATH", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV")
_LIMIT_S = 1_800

Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Measured:
    """What was found; `skipped` says why nothing was, and a task that failed has its `error`."""

    name: str
    how: str
    packages: tuple[str, ...]
    has_vectors: bool
    run: str = ""  # when it began: figures of one run make ratios
    skipped: str = ""
    load: float = 0.0
    time: Figures = field(default_factory=dict)
    probe: Figures = field(default_factory=dict)
    kill: Figures = field(default_factory=dict)


def measured(driver: str, peer: Peer, environments: Path, run: str) -> Measured:
    """Time, probes and kills, one after another."""
    who = peer.name, peer.how, peer.packages, peer.has_vectors, run
    try:
        tasks = _Tasks(driver, peer, python_of(peer, environments))
    except NotInstalledError as error:
        return Measured(*who, skipped=str(error))
    load = round(os.getloadavg()[0], 1)
    found = [_tried(task) for task in (lambda: tasks.run("time"), lambda: tasks.run("probe"), tasks.kill)]
    return Measured(*who, "", load, *found)


def _tried(task: Callable[[], Figures]) -> Figures:
    try:
        return task()
    except (TaskError, subprocess.TimeoutExpired) as error:
        return {"error": str(error)[-300:]}


class TaskError(Exception):
    """A task ended without an answer; the message is the end of what it said."""


class _Tasks:
    """The tasks of one peer."""

    def __init__(self, driver: str, peer: Peer, python: str) -> None:
        self._driver, self._peer, self._python = driver, peer, python

    def run(self, task: str) -> Figures:
        """The answer of a task in a folder that is gone afterwards."""
        with tempfile.TemporaryDirectory(prefix="memud-peer-") as folder:
            return self._answer(task, Path(folder))

    def kill(self) -> Figures:
        """Three kills, then a look."""
        with tempfile.TemporaryDirectory(prefix="memud-peer-") as folder:
            killed = kill_thrice(self._start, Path(folder))
            return killed | _tried(lambda: self._answer("check", Path(folder)))

    def _answer(self, task: str, folder: Path) -> Figures:
        process = self._start(task, folder)
        try:
            said, complaints = process.communicate(timeout=_LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
        if process.returncode or not said.strip():
            raise TaskError(f"{task}: {complaints.decode(errors='replace').strip()}")
        answer: Figures = json.loads(said.splitlines()[-1])
        return answer

    def _start(self, task: str, folder: Path, *numbers: int) -> "subprocess.Popen[bytes]":
        """In a process group of its own, so that a kill takes all of it; its home is the folder."""
        command = [self._python, "-m", "bench.peers.child", self._driver, task, str(folder)]
        return subprocess.Popen(
            [*command, *map(str, numbers)],
            env=self._env(folder),
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if task != "insert" else subprocess.DEVNULL,
            start_new_session=True,
        )

    def _env(self, folder: Path) -> dict[str, str]:
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        home = {"HOME": str(folder), "MEM0_DIR": str(folder / "mem0"), "XDG_RUNTIME_DIR": str(folder)}
        threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
        path = [str(ROOT), *([] if self._peer.packages else [str(ROOT / "client")])]
        return kept | home | threads | dict(self._peer.env) | {"PYTHONPATH": os.pathsep.join(path)}
