"""How long a tick of the monitor takes in a large store: with nothing new, and with twenty new turns.

.venv/bin/python -m bench.tick [--resources 1000000] [--users 20] [--json]

The jobs are those of the daemon, with every detector and the embedded model, the ticks five minutes apart
by its clock; new turns come with their vectors, as capture leaves them.
"""

import argparse
import asyncio
import json
import os
import resource
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import apsw
import numpy as np

from bench.large_store import write_store
from bench.seeding import EMBEDDER, bent_vectors, questions
from config.settings import load
from daemon.app import build
from daemon.paths import Paths
from memory.model import Modality, Origin, Role, Scope, Turn
from memory.store import resources
from memory.testing import FrozenClock
from memory.turns import content_hash

IDLE, BUSY, NEW = 40, 20, 20  # ticks, and new turns in one
_WARM = 3  # ticks before it counts
_DATED = ("remind me on Friday to send invoice", "明天下午三点提醒我给物业打电话，编号")

Figures = dict[str, Any]


def main() -> None:
    """Build, measure, print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--resources", type=int, default=1_000_000)
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--json", action="store_true", help="figures for a program")
    given = parser.parse_args()
    figures = measure(given.resources, given.users)
    if given.json:
        print(json.dumps(figures, indent=1))
        return
    for name, values in figures.items():
        print(f"{name:34}", "  ".join(f"{key} {value}" for key, value in values.items()))


def measure_long() -> Figures:
    """The same in a store of a million."""
    return measure(1_000_000)


def measure(size: int = 100_000, users: int = 20) -> Figures:
    """Medians and 95th percentiles in ms: of the wall, and of the CPU of all threads."""
    with tempfile.TemporaryDirectory(prefix="memud-bench-") as folder:
        clock, begun = FrozenClock(), time.perf_counter()
        path = Path(folder) / "memud.db"
        write_store(path, size, users, clock.now())
        store = {
            "turns": size,
            "users": users,
            "gb": round(path.stat().st_size / 1e9, 2),
            "built_s": round(time.perf_counter() - begun),
        }
        figures = asyncio.run(_ticks(path, users, clock))
        peak_mb = round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3)
        return {"store": store | {"peak_rss_mb": peak_mb}, **figures}


async def _ticks(path: Path, users: int, clock: FrozenClock) -> Figures:
    env = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    async with AsyncExitStack() as stack:
        daemon = await build(load(), Paths(path, path.with_name("s")), env, clock, stack)
        talk = stack.enter_context(_Talk(path, users, clock))
        period_s = load().monitor.period_s

        async def tick() -> None:
            clock.turn(period_s)
            await daemon.keeper.run_now("monitor", user_id=None, as_of=None, dry_run=False)

        for _ in range(_WARM):
            await tick()
        idle = await _timed(tick, IDLE)
        alarm = await _timed(daemon.alarm.look, IDLE)
        vectors = await _timed(daemon.reindex.run, IDLE)
        for _ in range(_WARM):
            talk.go_on()
            await tick()
        return {
            "tick, nothing new": idle,
            f"tick, {NEW} new turns": await _timed(tick, BUSY, talk.go_on),
            "look of the alarm, nothing new": alarm,
            "look for vectors, nothing new": vectors,
        }


async def _timed(
    work: Callable[[], Awaitable[object]], times: int, before: Callable[[], None] = lambda: None
) -> dict[str, float]:
    wall, cpu = list[float](), list[float]()
    for _ in range(times):
        before()
        began, spent = time.perf_counter(), time.process_time()
        await work()
        wall.append((time.perf_counter() - began) * 1000)
        cpu.append((time.process_time() - spent) * 1000)
    return {
        f"{name}_{which}_ms": round(statistics.quantiles(values, n=100)[place], 2)
        for name, values in (("wall", wall), ("cpu", cpu))
        for which, place in (("p50", 49), ("p95", 94))
    }


class _Talk:
    """What some users go on to say: questions, and a few things with a date."""

    def __init__(self, path: Path, users: int, clock: FrozenClock) -> None:
        self._clock = clock
        self._connection = apsw.Connection(str(path))
        self._connection.set_busy_timeout(10_000)
        self._users = users
        turns = NEW * (BUSY + _WARM)
        self._vectors = bent_vectors(turns, np.random.default_rng(3))
        self._texts = list(questions(turns))
        self._said = 0

    def __enter__(self) -> "_Talk":
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def go_on(self) -> None:
        """Twenty more turns of five users, with their vectors."""
        with self._connection:
            for n in range(NEW):
                self._say(f"{_DATED[n % 2]} {self._said}" if n < 4 else self._texts[self._said])

    def _say(self, text: str) -> None:
        number, now = self._said, self._clock.now()
        scope = Scope(f"u{number % min(self._users, 5)}", None, "s")
        turn = Turn(
            f"new-{number}", scope, Role.USER, None, text, text,
            Modality.CHAT, now, "Europe/Berlin", Origin.USER, True, content_hash(text),
        )  # fmt: skip
        stored = resources.insert(self._connection, turn, f"new-{number}", now)
        resources.set_embedding(self._connection, stored.key, self._vectors[number], EMBEDDER)
        self._said += 1


if __name__ == "__main__":
    main()
