"""How long `memud status` takes, and the daemon until it serves, at 10,000 texts.

.venv/bin/python -m bench.run start
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.cpu import own_s, process_s
from bench.results import Figures
from bench.scenes.child import Child
from bench.seeding import seed

SIZE = 10_000
RUNS = 9
STARTS = 5


def measure() -> Figures:
    """Medians in ms, of the wall and of CPU, beside a Python that does nothing."""
    with tempfile.TemporaryDirectory(prefix="memud-bench-") as folder:
        child = Child(Path(folder))
        seed(child.state_dir, SIZE, int(time.time()))  # noqa: TID251 - ages count from today
        ready = _starts(child)
        child.start()
        try:
            return _commands(child.socket_path) | {"the daemon, until it serves": ready}
        finally:
            child.stop()


def _commands(socket: Path) -> dict[str, Mapping[str, float]]:
    """In turns, so that all meet the same machine."""
    memud, at = [sys.executable, "-m", "cli"], ["--socket", str(socket)]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "memud status": [*memud, "status", *at],
        "memud recall": [*memud, "recall", "what did I say about the garden?", *at],
        "memud --help": [*memud, "--help"],
    }
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for _ in range(RUNS):
        for name, command in commands.items():
            taken[name].append(_run(command))
    idle = _cpu_ms(taken["python -c pass"])
    return {
        name: {
            "p50_ms": round(1000 * statistics.median(wall for wall, _ in times), 1),
            "least_ms": round(1000 * min(wall for wall, _ in times), 1),
            "cpu_ms": round(_cpu_ms(times), 1),
            "cpu, times python -c pass": round(_cpu_ms(times) / idle, 1),
        }
        for name, times in taken.items()
    }


def _run(command: Sequence[str]) -> tuple[float, float]:
    began, spent = time.perf_counter(), own_s()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began, own_s() - spent


def _cpu_ms(times: Sequence[tuple[float, float]]) -> float:
    return 1000 * statistics.median(cpu for _, cpu in times)


def _starts(child: Child) -> dict[str, float]:
    """Until systemd is told that it is ready."""
    wall, cpu = list[float](), list[float]()
    for _ in range(STARTS):
        wall.append(child.start())
        cpu.append(process_s(child.pid))
        child.stop()
    return {
        "p50_ms": round(1000 * statistics.median(wall)),
        "least_ms": round(1000 * min(wall)),
        "cpu_ms": round(1000 * statistics.median(cpu)),
    }
