"""What an add and a question cost a peer, in CPU time of all its threads; what memory and disk it takes."""

import statistics
import time as clock
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.peers.peer import Peer, Store
from bench.peers.work import Stub, is_about, note, notes, questions

LIMIT = 10
_ADD_S, _FILL_S, _ASK_S = 40.0, 150.0, 40.0  # of CPU; what was done by then counts
_LEAST = 3
_FILL = 500

Figures = dict[str, Any]


def time(peer: Peer, folder: Path) -> Figures:
    """Adds one by one, then questions at each size."""
    store = peer.open(folder, Stub())
    store.add(note(0))
    store.search(note(0), LIMIT)
    figures: Figures = {"first_result_cpu_s": round(store.cpu_s(), 2), "opened_mb": round(store.memory_mb())}
    figures["add"] = _adds(store, peer.adds)
    figures["sizes"] = {}
    for size in peer.sizes:
        if not _fill(store, size):
            figures["stopped"] = f"not filled to {size:,} notes with {_FILL_S:.0f} s of CPU"
            break
        figures["sizes"][str(size)] = _asked(store, size)
    count = store.count()
    figures |= {"memory_mb": round(store.memory_mb()), "notes": count}
    store.close()
    figures["disk_b_a_note"] = round(store.disk_bytes(folder) / count)
    return figures


def _adds(store: Store, count: int) -> Figures:
    """The mean of an add, and of its work in the background too."""
    begun, done = store.cpu_s(), 0
    spent = [begun]
    while done < count - 1 and spent[-1] < begun + _ADD_S:
        done += 1
        store.add(note(done))
        spent.append(store.cpu_s())
    store.settle()
    each = [late - early for early, late in pairwise(spent)]
    return {
        "notes": done,
        "cpu_ms": round(1000 * (store.cpu_s() - begun) / done, 2),
        "last_50_cpu_ms": round(1000 * statistics.mean(each[-50:]), 2),
    }


def _fill(store: Store, size: int) -> bool:
    """Whether it was filled in time."""
    end = store.cpu_s() + _FILL_S
    for start in range(store.count(), size, _FILL):
        store.add_many(list(notes(start, min(start + _FILL, size))))
        if store.cpu_s() > end:
            return False
    store.settle()
    return True


def _asked(store: Store, size: int) -> Figures:
    """Each question is asked once: what a peer remembers of answers helps nobody."""
    store.search(note(size // 2), LIMIT)
    begun = store.cpu_s()
    asked: list[tuple[float, float, bool, int]] = []
    for text, number in questions(size):
        if len(asked) >= _LEAST and store.cpu_s() > begun + _ASK_S:
            break
        asked.append(_ask(store, text, number))
    store.settle()  # what a question leaves to be done counts into the mean
    spent, walls, found, results = zip(*asked, strict=True)
    return {
        "asked": len(asked),
        "found": sum(found),
        "results": round(statistics.mean(results), 1),
        "cpu_p50_ms": _ms(statistics.median(spent)),
        "cpu_max_ms": _ms(max(spent)),
        "cpu_mean_ms": _ms((store.cpu_s() - begun) / len(asked)),
        "wall_p50_ms": _ms(statistics.median(walls)),
    }


def _ask(store: Store, question: str, number: int) -> tuple[float, float, bool, int]:
    """CPU, wall, whether its note is among the results, and how many there are."""
    before, cpu_s = clock.perf_counter(), store.cpu_s()
    answer = store.search(question, LIMIT)
    spent, wall = store.cpu_s() - cpu_s, clock.perf_counter() - before
    return spent, wall, any(is_about(one, number) for one in answer), len(answer)


def _ms(seconds: float) -> float:
    return round(1000 * seconds, 2)
