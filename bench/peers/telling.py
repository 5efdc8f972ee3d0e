"""What the peers' figures say, in Markdown for docs/PERFORMANCE.md."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.peers.insertion import CHECKED
from bench.peers.probes import UNRELATED, WHERE, WORDS
from bench.results import Figures

SIZES = ("1000", "5000", "10000")
_PROSE = Path(__file__).with_name("telling.md")
_NONE = "–"
_ANSWERED = (("memu_cli", "10000"), ("mem0_qdrant", "5000"), ("langgraph", "10000"), ("control", "10000"))

One = Mapping[str, Any]


def told(figures: Figures) -> str:
    """Answer first, then the tables, then how it was done."""
    ran = {name: one for name, one in figures.items() if not one["skipped"]}
    parts = [_answer(ran), _asking(ran), _adding(ran), _probes(ran), _kills(ran), _how(figures)]
    return "\n\n".join(part for part in parts if part)


def _answer(ran: Figures) -> str:
    """The comparisons that people ask for, as ratios of CPU time in this run."""
    return "\n".join(f"- {line}" for name, size in _ANSWERED if (line := _compared(ran, name, size)))


def _compared(ran: Figures, name: str, size: str) -> str:
    memud, other = ran.get("memud", {}), ran.get(name, {})
    ours, theirs = _cpu_ms(memud, size), _cpu_ms(other, size)
    if ours is None or theirs is None or memud["run"] != other["run"]:
        return ""
    them = f"{ran[name]['name']} {_ms(theirs)}"
    said = f"At {int(size):,} notes a question costs memud {_ms(ours)} of CPU, {them}"
    if theirs >= ours:
        return f"{said}: **{_times(theirs / ours)} as much**."
    return f"{said}: memud takes {_times(ours / theirs)} as much."


def _asking(ran: Figures) -> str:
    """CPU of a question at each size, beside memud's."""
    head = ["a question, CPU, median", *(f"{int(size):,} notes" for size in SIZES), "its note among ten"]
    return _table(head, ([one["name"], *_asked(ran, one), _found(one)] for one in ran.values()))


def _asked(ran: Figures, one: One) -> Iterable[str]:
    for size in SIZES:
        ours, theirs = _cpu_ms(ran.get("memud", {}), size), _cpu_ms(one, size)
        if theirs is None:
            yield _asked_below(one) if size == SIZES[0] else _NONE
        elif ours is None or one["name"] == "memud" or one["run"] != ran["memud"]["run"]:
            yield _ms(theirs)
        else:
            yield f"{_ms(theirs)} ({_ratio(theirs / ours)}×)"


def _asked_below(one: One) -> str:
    """Some are so slow to fill that they are asked with less in them."""
    sizes = [size for size in one["time"].get("sizes", {}) if int(size) < int(SIZES[0])]
    return f"{_ms(_cpu_ms(one, sizes[-1]) or 0)} at {sizes[-1]}" if sizes else _NONE


def _found(one: One) -> str:
    sizes = list(one["time"].get("sizes", {}).values())
    found, asked = (sum(size[what] for size in sizes) for what in ("found", "asked"))
    return f"{found} of {asked}" if asked else _NONE


def _adding(ran: Figures) -> str:
    head = ["adding a note", "CPU, mean", "CPU, last 50", "one by one, then", "memory", "disk a note"]
    return _table(head, ([one["name"], *_added(one["time"])] for one in ran.values()))


def _added(time: One) -> Sequence[str]:
    if "add" not in time:
        return [_NONE] * 5
    add, disk = time["add"], f"{time['disk_b_a_note'] / 1000:.1f} kB"
    notes = f"{add['notes']:,}, {time['notes']:,}"
    return [_ms(add["cpu_ms"]), _ms(add["last_50_cpu_ms"]), notes, f"{time['memory_mb']} MB", disk]


def _probes(ran: Figures) -> str:
    head = [
        "with a real embedder",
        "the same text three times",
        "moved from Berlin to Munich: first",
        f"results for {len(UNRELATED)} unrelated prompts",
        f"place of {'、'.join(WORDS)}",
    ]
    return _table(head, ([one["name"], *_probed(one["probe"])] for one in ran.values()))


def _probed(probe: One) -> Sequence[str]:
    if "moved" not in probe:
        return [_NONE] * 4
    rows, cities = probe["rows_of_the_same_text"], probe["moved"]
    moved = f"Munich {cities.count('Munich')}, Berlin {cities.count('Berlin')} of {len(WHERE)}"
    places = ", ".join(str(place) if place else "not found" for place in probe["chinese_word_at"])
    said = "1 row" if rows == 1 else f"{rows} rows"
    return [said, moved, ", ".join(map(str, probe["unrelated_results"])), places]


def _kills(ran: Figures) -> str:
    head = ["kill -9 while it took notes", "acknowledged", "looked for", "lost", "opens again"]
    return _table(head, ([one["name"], *_killed(one["kill"])] for one in ran.values()))


def _killed(kill: One) -> Sequence[str]:
    if "acked" not in kill:
        return [_NONE] * 4
    if "lost" not in kill:
        return [str(kill["acked"]), _NONE, "all: it can't be read", "no"]
    opens = "yes" if kill["opens_again"] else "no"
    return [str(kill["acked"]), str(kill["checked"]), str(kill["lost"]), opens]


def _how(figures: Figures) -> str:
    driven = [f"- **{one['name']}**: {one['how']}{_pinned(one)}{_said(one)}" for one in figures.values()]
    prose = _PROSE.read_text(encoding="utf-8")
    return prose.format(checked=CHECKED, driven="\n".join(driven)).strip()


def _pinned(one: One) -> str:
    pinned = ", ".join(package.replace("==", " ") for package in one["packages"])
    return f" ({pinned})" if pinned else ""


def _said(one: One) -> str:
    """When it ran, and what did not go to plan."""
    errors = [one[task]["error"] for task in ("time", "probe", "kill") if "error" in one[task]]
    told = [one["skipped"], one["time"].get("stopped", ""), *errors]
    notes = "; ".join(" ".join(text.split())[:200] for text in told if text)
    when = f"; run of {one['run']}, load {one['load']}"
    return f"{when}. Not all of it: {notes}" if notes else when


def _cpu_ms(one: One, size: str) -> float | None:
    asked = one.get("time", {}).get("sizes", {}).get(size)
    return float(asked["cpu_p50_ms"]) if asked else None


def _ms(value: float) -> str:
    if value >= 1000:
        return f"{value / 1000:.1f} s"
    return f"{value:.0f} ms" if value >= 10 else f"{value:.1f} ms"


def _ratio(ratio: float) -> str:
    if ratio >= 10:
        return f"{ratio:,.0f}"
    return f"{ratio:.1f}" if ratio >= 1 else f"{ratio:.2f}"


def _times(ratio: float) -> str:
    return f"{_ratio(ratio)} times"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join([_line(head), "|" + "---|" * len(head), *map(_line, rows)])


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
