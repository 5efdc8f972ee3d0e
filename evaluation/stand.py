"""The daemon that is measured: a real one, in a temporary folder, asked over its socket."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from memud_client import Client, DisconnectedError, UnreachableError

from evaluation import clocked
from evaluation.clocked import FileClock
from evaluation.conditions import Conditions, Progress
from evaluation.errors import StandError
from evaluation.report import Tally

_START_S = 120.0
_STOP_S = 30.0
_PAUSE_S = 0.05
_SHORT_PAUSE_S = 0.002
_LOG_LINES = 5
_LANGUAGES = 2  # that a store is fitted in; one run of the monitor looks at one of them
_MOST_RUNS = 40
_PROGRAM = ("cli", "run")
_CLOCKED = ("evaluation.clocked",)
_FOREIGN = re.compile(r"(MEMUD|LISTEN|WATCHDOG|NOTIFY)_.*|XDG_CONFIG_HOME|\w+_DIRECTORY")
_OWN = {
    "TZ": "UTC",  # the sets' times are
    "MEMUD_LOG__LEVEL": "warning",
    "MEMUD_EXTRACT__PROVIDER": "rules",  # whatever keys are about: measuring costs nothing
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "passive",
}


@contextmanager
def stand(conditions: Conditions, progress: Progress, begin: int | None = None) -> Iterator["Stand"]:
    """A running daemon with an empty store; all of it is gone afterwards. Raises StandError.

    It has the shipped defaults but for MEMUD_SECTION__KEY in the environment; no file of the user is read.
    `begin`: its clock shows this, until the set turns it.
    """
    with (
        TemporaryDirectory(prefix="memud-eval-") as name,
        stand_in(Path(name), conditions.settings(), progress, begin) as running,
    ):
        yield running


@contextmanager
def stand_in(
    folder: Path, settings: Mapping[str, str], progress: Progress, begin: int | None = None
) -> Iterator["Stand"]:
    """A running daemon on the store of a folder, which stays: the same store under other settings."""
    clock = None if begin is None else FileClock(folder / clocked.FILE)
    if clock is not None and begin is not None:
        clock.turn(begin)
    program = _PROGRAM if clock is None else _CLOCKED
    with (
        _process(folder, settings, program) as process,
        Client(folder / "memud.sock", timeout_s=None) as client,
    ):
        _wait(client, process, folder)
        try:
            yield Stand(client, progress, clock)
        except (DisconnectedError, UnreachableError) as error:
            raise StandError(f"the daemon ended while it was measured: {_last_words(folder)}") from error


class Stand:
    """A daemon to measure. `tally` gathers what its answers cost."""

    def __init__(self, client: Client, progress: Progress, clock: FileClock | None = None) -> None:
        self.client = client
        self.progress = progress
        self._clock = clock
        self.tally = Tally()

    @property
    def embedder(self) -> str:
        """The name of the embedder; `none` without one."""
        return str(self.client.health()["embedder"]["name"])

    @property
    def version(self) -> str:
        """Of the daemon."""
        return str(self.client.health()["version"])

    def turn_clock(self, to: int) -> None:
        """Let it be this late for the daemon. Raises StandError where it has the machine's clock."""
        if self._clock is None:
            raise StandError("this daemon has the machine's clock", hint="the set must name its beginning")
        self._clock.turn(to)

    def settle(self) -> None:
        """Wait until no turn waits for its facts and no text for its vector. Raises StandError."""
        most, pause_s = 0, _SHORT_PAUSE_S
        while waiting := self._waiting():
            most = max(most, waiting)
            self.progress("settle", most - waiting, most)
            time.sleep(pause_s)
            pause_s = min(2 * pause_s, _PAUSE_S)

    def fit(self, user_ids: Sequence[str]) -> None:
        """Run the monitor until each user's relevance fits the store: no later tick moves the figures.

        Raises StandError when that takes no end.
        """
        for place, user_id in enumerate(user_ids, start=1):
            self._fit(user_id)
            self.progress("fit", place, len(user_ids))

    def _fit(self, user_id: str) -> None:
        """A language in which the store says too little counts as 0: only as many in a row mean the end."""
        idle = 0
        for _ in range(_MOST_RUNS):
            found = self.client.job_run("monitor", user_id=user_id)["counts"]["recalibrated"]
            idle = 0 if found else idle + 1
            if idle == _LANGUAGES:
                return
        raise StandError(f"the relevance of {user_id} found no end", hint="report this: a fault of memud")

    def _waiting(self) -> int:
        health = self.client.health()
        queue = health["queue"]
        if queue["dead"]:
            reason = self.client.queue_list(state="dead", limit=1)["results"][0]["reason"]
            raise StandError(
                f"{queue['dead']} turns gave no facts: {reason}", hint="report this: a fault of memud"
            )
        return int(queue["queued"] + queue["leased"] + health["embedder"].get("pending", 0))


@contextmanager
def _process(
    folder: Path, settings: Mapping[str, str], program: Sequence[str]
) -> Iterator["subprocess.Popen[bytes]"]:
    kept = {name: value for name, value in os.environ.items() if not _FOREIGN.fullmatch(name)}
    environment = {**kept, **_OWN, **settings, "XDG_CONFIG_HOME": str(folder / "config")}
    # -P: a folder `cli` where the user happens to stand must not be taken for ours.
    run = [sys.executable, "-P", "-m", *program, "--state-dir", str(folder)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(  # noqa: S603 - our own program
            [*run, "--socket", str(folder / "memud.sock")], env=environment, stdout=log, stderr=log
        )
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(client: Client, process: "subprocess.Popen[bytes]", folder: Path) -> None:
    end = time.monotonic() + _START_S
    while process.poll() is None and time.monotonic() < end:
        with suppress(UnreachableError):
            if _is_ready(client.health()):
                return
        time.sleep(_PAUSE_S)
    raise StandError(
        f"the daemon did not start: {_last_words(folder)}", hint="`memud doctor` checks this machine"
    )


def _is_ready(health: Mapping[str, Any]) -> bool:
    """Raises StandError where there is no embedder and nobody wished that: the figures would mislead."""
    if health["embedder"]["mode"] not in ("ok", "off"):
        raise StandError(
            f"there are no vectors: {health['embedder']['mode']}", hint="--words-only measures without them"
        )
    return not health["reasons"]


def _last_words(folder: Path) -> str:
    lines = (folder / "log").read_text(errors="replace").splitlines()
    return " ".join(lines[-_LOG_LINES:])
