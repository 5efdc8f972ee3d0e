"""What sqlite-vss costs beside the full scan: writing its file, searching, starting, at 384 dimensions."""

import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median

import numpy as np

from bench.cpu import own_s
from bench.results import Figures
from memory.ports import Filter, IndexedVector, Matrix, VectorIndex
from memory.vectors.exact import ExactIndex
from memory.vectors.stamp import Stamp
from memory.vectors.vss.index import VssIndex
from memory.vectors.vss.writer import Pace

SIZES = (1_000, 10_000, 50_000)
DIMENSION = 384
ASKED = 60
K = 100
USERS = 100
_STAMP = Stamp("vss", "bench", DIMENSION)
_BY_HAND = Pace(idle_s=3600)


def measure() -> Figures:
    """By size: a batch, a search, a start."""
    return {str(size): _of_size(size) for size in SIZES}


def told(figures: Figures) -> str:
    """A line a size."""
    rows = [f"| {' | '.join([f'{int(size):,}', *_cells(found)])} |" for size, found in figures.items()]
    return "\n".join([_HEAD, "|---|---|---|---|---|---|---|---|", *rows])


_HEAD = (
    "| vectors | one more: written, CPU, wall | one forgotten: written, CPU, wall | file made | file "
    "| search of 100: CPU, to exact, to a scan of float32 | proven by vss | start |"
)


def _cells(found: dict[str, float]) -> list[str]:
    search = ("search_cpu_ms", "search_cpu_to_exact", "search_cpu_to_scan_of_float32")
    in_ms, *ratios = (found[name] for name in search)
    return [
        _batch_cell(found, "batch_of_one_new"),
        _batch_cell(found, "batch_of_one_gone"),
        f"{found['file_built_s']:.1f} s",
        f"{found['file_mb']:.0f} MB",
        ", ".join([f"{in_ms:.2f} ms", *(f"{ratio:.1f}" for ratio in ratios)]),
        f"{found['proven_share']:.0%}",
        f"{found['start_s']:.2f} s",
    ]


def _batch_cell(found: dict[str, float], name: str) -> str:
    written_mb, cpu_ms, wall_ms = (found[f"{name}_{figure}"] for figure in ("written_mb", "cpu_ms", "ms"))
    return f"{written_mb:.0f} MB, {cpu_ms:.0f} ms, {wall_ms:.0f} ms"


def _of_size(size: int) -> dict[str, float]:
    matrix = _clustered(size + 1)
    rows = [IndexedVector(key, "one", vector, key, False) for key, vector in enumerate(matrix)]
    with tempfile.TemporaryDirectory(prefix="memud-bench-") as name:
        folder = Path(name)
        index = VssIndex.open(folder, _STAMP, _BY_HAND)
        _put(index, rows[:size])
        built_s, built_cpu_s = _took(index.flush)
        figures = {
            "file_built_s": round(built_s, 2),
            "file_built_cpu_s": round(built_cpu_s, 2),
            **_batch(index, rows[size:]),
        }
        figures |= {"file_mb": round(sum(one.stat().st_size for one in folder.glob("*.sqlite*")) / 1e6, 1)}
        figures |= _searches(index, matrix, rows)
        index.close()
        return figures | _start(folder, rows)


def _batch(index: VssIndex, rows: list[IndexedVector]) -> dict[str, float]:
    """One vector more, then it is gone: each rewrites the whole index."""
    figures: dict[str, float] = {}
    changes: dict[str, Callable[[], None]] = {
        "new": lambda: index.put(rows),
        "gone": lambda: index.remove([row.key for row in rows]),
    }
    for name, change in changes.items():
        change()
        before = _written_bytes()
        wall_s, cpu_s = _took(index.flush)
        figures |= {
            f"batch_of_one_{name}_ms": round(wall_s * 1000, 1),
            f"batch_of_one_{name}_cpu_ms": round(cpu_s * 1000, 1),
            f"batch_of_one_{name}_written_mb": round((_written_bytes() - before) / 1e6, 1),
        }
    return figures


def _searches(index: VssIndex, matrix: Matrix, rows: list[IndexedVector]) -> dict[str, float]:
    exact = ExactIndex(DIMENSION)
    plain = ExactIndex(DIMENSION, first_pass=False)
    for one in (exact, plain):
        _put(one, rows[:-1])
    by_vss, by_exact, by_plain = _searched((index, exact, plain), _clustered(ASKED, seed=7))
    answered = index.answered
    return {
        "search_cpu_ms": round(by_vss * 1000, 3),
        "search_cpu_to_exact": round(by_vss / by_exact, 2),
        "search_cpu_to_scan_of_float32": round(by_vss / by_plain, 2),
        "proven_share": round(answered.get("vss", 0) / sum(answered.values()), 3),
        "memory_mb": round(index.nbytes / 1e6, 1),
        "exact_memory_mb": round(exact.nbytes / 1e6, 1),
    }


def _searched(indexes: Iterable[VectorIndex], queries: Matrix) -> list[float]:
    """Median CPU seconds of each, asked in turn."""
    indexes = list(indexes)
    spent: list[list[float]] = [[] for _ in indexes]
    for query in queries:
        for index, times in zip(indexes, spent, strict=True):
            times.append(_took(lambda index=index, query=query: index.search("one", query, K, Filter()))[1])  # type: ignore[misc]
    return [median(times) for times in spent]


def _start(folder: Path, rows: list[IndexedVector]) -> dict[str, float]:
    """Opened, compared, and read by FAISS; what it costs to put the rows is left out."""
    index, opened = list[VssIndex](), 0.0
    opened += _took(lambda: index.append(VssIndex.open(folder, _STAMP, _BY_HAND)))[0]
    _put(index[0], rows[:-1])
    opened += _took(index[0].settle)[0]
    index[0].close()
    return {"start_s": round(opened, 2)}


def _put(index: VectorIndex, rows: list[IndexedVector]) -> None:
    for start in range(0, len(rows), 512):
        index.put(rows[start : start + 512])


def _took(call: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the wall, and of the CPU."""
    wall, cpu = time.perf_counter(), own_s()
    call()
    return round(time.perf_counter() - wall, 6), round(own_s() - cpu, 6)


def _written_bytes() -> int:
    """By this process, to files."""
    lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("wchar")))


def _clustered(count: int, seed: int = 0) -> Matrix:
    """Unit vectors around some hundred themes, as texts lie."""
    themes = np.random.default_rng(99).standard_normal((200, DIMENSION)) / DIMENSION**0.5
    rng = np.random.default_rng(seed)
    numbers = themes[rng.integers(0, len(themes), count)]
    numbers = numbers + rng.standard_normal((count, DIMENSION)) * 0.8 / DIMENSION**0.5
    unit: Matrix = (numbers / np.linalg.norm(numbers, axis=1, keepdims=True)).astype(np.float32)
    return unit
