"""How long do recall, search and capture take, with 10,000 texts and one client?"""

import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from memud_client import Client

from bench.cpu import own_s, process_s
from bench.running import running, settle
from bench.seeding import questions, seed

SIZE = 10_000
ASKED = 200
_WARM = 5
_KNOWN = "what did I say about the garden party"


def measure() -> dict[str, Any]:
    """Medians and 95th percentiles in ms of the wall, and the mean of CPU, the daemon's and the client's."""
    with tempfile.TemporaryDirectory(prefix="memud-bench-") as folder:
        state = Path(folder)
        seed(state, SIZE, int(time.time()))  # noqa: TID251 - ages count from today
        with running(state, watches_lag=False) as (client, process):
            settle(client.socket_path)
            pid, notes = process.pid, (f"I note number {n}" for n in range(ASKED))
            figures = {
                "recall": _timed(pid, client.recall, questions(ASKED)),
                "recall, asked again": _timed(pid, client.recall, [_KNOWN] * ASKED),
                "search": _timed(pid, client.search, questions(ASKED)),
                "capture, acknowledged": _timed(pid, _capture(client), notes),
            }
        with running(state, embedder="none", watches_lag=False) as (client, process):
            settle(client.socket_path)
            by_words = _timed(process.pid, client.recall, questions(ASKED))
    return figures | {"recall by full text alone": by_words}


def _capture(client: Client) -> Callable[[str], Any]:
    return lambda text: client.capture([{"role": "user", "content": text}], session_id="bench")


def _timed(pid: int, call: Callable[[str], Any], arguments: Iterable[str]) -> dict[str, float]:
    walls, spent = list[float](), list[float]()
    for argument in arguments:
        start, cpu_s = time.perf_counter(), own_s() + process_s(pid)
        call(argument)
        walls.append((time.perf_counter() - start) * 1000)
        spent.append((own_s() + process_s(pid) - cpu_s) * 1000)
    quantiles = statistics.quantiles(walls[_WARM:], n=100)
    return {
        "cpu_p50_ms": round(statistics.median(spent[_WARM:]), 2),
        "p50_ms": round(quantiles[49], 2),
        "p95_ms": round(quantiles[94], 2),
    }
