"""How late the event loop comes at 50 recalls a second, with 100,000 texts.

.venv/bin/python -m bench.run lag

Beside it the lag of a process that does nothing at the same time: what of it is the machine's own.
"""

import asyncio
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import apsw
from memud_client import Client

from bench.cpu import process_s
from bench.results import Figures
from bench.running import lag_ms, lags_here, running
from bench.seeding import questions, seed

SIZE = 100_000
A_SECOND = 50
SECONDS = 20
_CLIENTS = 8
_DIMENSION = 384


def measure() -> Figures:
    """Percentiles in ms; and how many recalls were answered, as a slow daemon gets fewer."""
    with tempfile.TemporaryDirectory(prefix="memud-bench-") as folder:
        state = Path(folder)
        seed(state, SIZE, int(time.time()))  # noqa: TID251 - ages count from today
        _rename(state / "memud.db")
        with running(state, stub=_DIMENSION) as (client, process):
            client.recall("what did I say about the garden")
            spent, began = process_s(process.pid), time.monotonic()
            own, answered = asyncio.run(_load(state / "memud.sock"))
            cpu_s, wall_s = process_s(process.pid) - spent, time.monotonic() - began
        lags = lag_ms(process)[-len(own) :]
    return {
        f"loop lag at {A_SECOND} recalls/s": _percentiles(lags),
        "of a process that does nothing": _percentiles(own),
        "recalls": {"asked/s": A_SECOND, "answered/s": round(answered / wall_s, 1)},
        "cpu": {"ms a recall": round(1000 * cpu_s / max(1, answered), 1)},
    }


def _rename(database: Path) -> None:
    """The stored vectors become the stub's, or it would make them all anew."""
    connection = apsw.Connection(str(database))
    with connection:
        connection.execute("UPDATE resources SET embedder = 'stub' WHERE embedder IS NOT NULL")
        connection.execute("UPDATE items SET embedder = 'stub' WHERE embedder IS NOT NULL")
    connection.close()


async def _load(socket: Path) -> tuple[list[float], int]:
    """Ask at the pace, from several clients, and watch an idle loop meanwhile."""
    counts = [0] * _CLIENTS
    threads = [threading.Thread(target=_ask, args=(socket, place, counts)) for place in range(_CLIENTS)]
    for thread in threads:
        thread.start()
    own = await lags_here(SECONDS)
    for thread in threads:
        await asyncio.to_thread(thread.join)
    return own, sum(counts)


def _ask(socket: Path, place: int, counts: list[int]) -> None:
    with Client(socket) as client:
        for question in _paced(list(questions(SECONDS * A_SECOND))[place::_CLIENTS], place):
            client.recall(question)
            counts[place] += 1


def _paced(texts: Sequence[str], place: int) -> Iterator[str]:
    start = time.monotonic() + place / A_SECOND
    for number, text in enumerate(texts):
        due = start + number * _CLIENTS / A_SECOND
        if due > start + SECONDS:
            return
        time.sleep(max(0.0, due - time.monotonic()))
        yield text


def _percentiles(lags: Sequence[float]) -> dict[str, float]:
    cuts = statistics.quantiles(lags, n=100)
    return {"p50_ms": round(cuts[49], 2), "p99_ms": round(cuts[98], 2), "max_ms": round(max(lags), 2)}
