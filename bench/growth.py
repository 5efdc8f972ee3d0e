"""How do recall, memory and disk grow with the store?

.venv/bin/python -m bench.run growth             1,000 to 100,000 texts
.venv/bin/python -m bench.run --size 1m growth   10,000 beside a million
"""

import statistics
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memud_client import Client

from bench.cpu import own_s, process_s
from bench.notes_store import write_notes
from bench.peers.work import is_about, questions
from bench.results import Figures
from bench.running import rss_mb, running, settle

_WARM = 5


@dataclass(frozen=True, slots=True)
class Case:
    """A store: half of its texts are turns, half the facts drawn from them."""

    texts: int
    dimension: int = 384
    users: int = 1

    @property
    def name(self) -> str:
        """What the page calls it."""
        users = "1 user" if self.users == 1 else f"{self.users:,} users"
        return f"{self.texts:,} texts, {self.dimension} dimensions, {users}"


QUICK = (
    Case(1_000),
    Case(10_000),
    Case(100_000),
    Case(100_000, users=1_000),
    Case(10_000, dimension=1536),
    Case(100_000, dimension=1536),
)
LONG = (Case(10_000), Case(1_000_000))


def measure() -> Figures:
    """A recall in ms, the daemon's memory in MB, the store on the disk in kB a text."""
    return _measured(QUICK)


def measure_long() -> Figures:
    """The same at a million texts, and at ten thousand to compare with."""
    return _measured(LONG)


def told(figures: Figures) -> str:
    """A line for each store, and how much more a recall takes among more texts."""
    stores = {name: one for name, one in figures.items() if "texts" in one}
    rows = [_row(name, one) for name, one in stores.items()]
    head = "| store | recall, CPU | recall, wall | found | memory | disk a text |\n|---|---|---|---|---|---|"
    return "\n".join([head, *rows, "", _grown(list(stores.values())), "", _embedder(figures)])


def _measured(cases: Iterable[Case]) -> dict[str, Any]:
    figures: dict[str, Any] = {case.name: _case(case) for case in cases}
    return figures | {"the built-in embedder": _embedder_mb()}


def _case(case: Case) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="memud-bench-") as folder:
        state = Path(folder)
        write_notes(state, case.texts, case.users, case.dimension, int(time.time()))  # noqa: TID251
        with running(state, stub=case.dimension, watches_lag=False) as (client, process):
            settle(client.socket_path)
            asked = _asked(client, process.pid, case)
            memory_mb = round(rss_mb(process))
        disk = sum(path.stat().st_size for path in state.rglob("*") if path.name != "ballast")
    sizes = {"texts": case.texts, "dimension": case.dimension, "users": case.users}
    return sizes | asked | {"rss_mb": memory_mb, "disk_kb_a_text": round(disk / case.texts / 1000, 2)}


def _asked(client: Client, pid: int, case: Case) -> dict[str, Any]:
    """Each question is asked once, by the user whose note it is about."""
    walls, spent, found = list[float](), list[float](), 0
    asked = questions(case.texts // 2)
    for text, number in asked:
        begun, cpu_s = time.perf_counter(), own_s() + process_s(pid)
        results = client.recall(text, user_id=f"u{number % case.users}")["results"]
        walls.append(1000 * (time.perf_counter() - begun))
        spent.append(1000 * (own_s() + process_s(pid) - cpu_s))
        found += any(is_about(one["memory"], number) for one in results)
    return {
        "cpu_p50_ms": _median(spent),
        "wall_p50_ms": _median(walls),
        "wall_max_ms": round(max(walls[_WARM:]), 2),
        "found": f"{found} of {len(asked)}",
    }


def _median(values: Sequence[float]) -> float:
    return round(statistics.median(values[_WARM:]), 2)


def _embedder_mb() -> dict[str, float]:
    """What the embedder adds, which these stores have no need of: an empty daemon with and without it."""
    with_it, without = _empty_mb(0), _empty_mb(384)
    return {"rss_mb": round(with_it - without)}


def _empty_mb(stub: int) -> float:
    with (
        tempfile.TemporaryDirectory(prefix="memud-bench-") as folder,
        running(Path(folder), stub=stub, watches_lag=False) as (client, process),
    ):
        client.recall("what did I say about the weather in Oslo")
        return rss_mb(process)


def _row(name: str, one: Figures) -> str:
    times = f"{one['cpu_p50_ms']:.1f} ms | {one['wall_p50_ms']:.1f} ms"
    return f"| {name} | {times} | {one['found']} | {one['rss_mb']} MB | {one['disk_kb_a_text']} kB |"


def _grown(stores: Sequence[Figures]) -> str:
    """Of one user's stores of 384 dimensions: the largest beside that of ten thousand."""
    plain = [one for one in stores if (one["dimension"], one["users"]) == (384, 1)]
    small = next(one for one in plain if one["texts"] == 10_000)
    large = max(plain, key=lambda one: int(one["texts"]))
    more, times = large["texts"] // small["texts"], large["cpu_p50_ms"] / small["cpu_p50_ms"]
    return f"Among {more} times as many texts a recall takes **{times:.1f} times** as long, in CPU."


def _embedder(figures: Figures) -> str:
    added = figures["the built-in embedder"]["rss_mb"]
    return (
        "Vectors come from a stub, so that the time is memud's own; with the built-in embedder the daemon "
        f"takes some {added} MB more, and each new question the time to embed it."
    )
