"""How long recall, search and capture take, with 10,000 texts and one client."""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.running import running
from bench.seeding import questions, seed

SIZE = 10_000
ASKED = 200


def measure() -> dict[str, Any]:
    """Medians and 95th percentiles in ms."""
    with tempfile.TemporaryDirectory(prefix="memud-bench-") as folder:
        state = Path(folder)
        seed(state, SIZE, int(time.time()))  # noqa: TID251 - ages count from today
        with running(state) as (client, _):
            figures = {
                "recall": _timed(client.recall, list(questions(ASKED))),
                "recall, asked again": _timed(
                    client.recall, ["what did I say about the garden party"] * ASKED
                ),
                "search": _timed(client.search, list(questions(ASKED))),
                "capture, acknowledged": _timed(
                    _capture(client), [f"I note number {n}" for n in range(ASKED)]
                ),
            }
        with running(state, embedder="none") as (client, _):
            figures["recall by full text alone"] = _timed(client.recall, list(questions(ASKED)))
    return figures


def _capture(client: Any) -> Callable[[str], Any]:
    return lambda text: client.capture([{"role": "user", "content": text}], session_id="bench")


def _timed(call: Callable[[str], Any], arguments: list[str]) -> dict[str, float]:
    for argument in arguments[:5]:
        call(argument)
    spent = []
    for argument in arguments[5:]:
        start = time.perf_counter()
        call(argument)
        spent.append((time.perf_counter() - start) * 1000)
    quantiles = statistics.quantiles(spent, n=100)
    return {"p50_ms": round(quantiles[49], 2), "p95_ms": round(quantiles[94], 2)}
