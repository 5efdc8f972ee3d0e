"""What the daemon costs while it does nothing, and how free its loop stays while it works."""

import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from memud_client import Client

from bench.running import lag_ms, rss_mb, running
from bench.seeding import questions, seed

SECONDS = 20
RECALLS_A_SECOND = 10
CAPTURES_A_SECOND = 20


def measure() -> dict[str, Any]:
    """RSS in MB, lag of the event loop in ms under load."""
    with tempfile.TemporaryDirectory(prefix="memud-bench-") as folder:
        state = Path(folder)
        seed(state, 10_000, int(time.time()))  # noqa: TID251 - ages count from today
        with running(state) as (client, process):
            client.recall("what did I say about the garden")
            idle_mb = rss_mb(process)
            _load(state / "memud.sock")
            busy_mb = rss_mb(process)
        lags = lag_ms(process)
    with (
        tempfile.TemporaryDirectory(prefix="memud-bench-") as folder,
        running(Path(folder)) as (client, process),
    ):
        client.recall("what did I say about the weather in Oslo")
        empty_mb = rss_mb(process)
    quantiles = statistics.quantiles(lags, n=100)
    return {
        "idle, empty store": {"rss_mb": round(empty_mb, 1)},
        "idle, 10,000 texts": {"rss_mb": round(idle_mb, 1)},
        "after the load": {"rss_mb": round(busy_mb, 1)},
        f"loop lag at {RECALLS_A_SECOND} recalls/s and {CAPTURES_A_SECOND} captures/s": {
            "p50_ms": round(quantiles[49], 2),
            "p99_ms": round(quantiles[98], 2),
            "max_ms": round(max(lags), 2),
        },
    }


def _load(socket: Path) -> None:
    """Both streams at their pace, each over a connection of its own."""
    threads = [
        threading.Thread(target=_recalls, args=(socket,)),
        threading.Thread(target=_captures, args=(socket,)),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _recalls(socket: Path) -> None:
    with Client(socket) as client:
        for question in _paced(questions(SECONDS * RECALLS_A_SECOND), RECALLS_A_SECOND):
            client.recall(question)


def _captures(socket: Path) -> None:
    texts = (f"I walked {n} steps along the river today" for n in range(SECONDS * CAPTURES_A_SECOND))
    with Client(socket) as client:
        for text in _paced(texts, CAPTURES_A_SECOND):
            client.capture([{"role": "user", "content": text}], session_id="load")


def _paced(things: Any, a_second: int) -> Any:
    start = time.monotonic()
    for number, thing in enumerate(things):
        time.sleep(max(0.0, start + number / a_second - time.monotonic()))
        yield thing
