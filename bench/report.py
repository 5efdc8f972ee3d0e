"""Writes docs/PERFORMANCE.md, and the figures in both READMEs, from bench/results: none is typed by hand.

.venv/bin/python -m bench.report
"""

import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.headlines import Read, shown
from bench.results import Figures, Result, read
from bench.run import LONG, MEASURES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/PERFORMANCE.md"
READMES = {"english": ROOT / "README.md", "chinese": ROOT / "README.zh-CN.md"}
_TEMPLATE = Path(__file__).with_name("report.md")
_UNITS = frozenset(("ms", "s", "mb", "gb", "kb"))
_BLOCK = re.compile(r"(<!-- bench -->\n).*?(<!-- /bench -->)", re.DOTALL)


def main() -> None:
    """Write them all."""
    PAGE.write_text(page(read), encoding="utf-8")
    for language, path in READMES.items():
        text = path.read_text(encoding="utf-8")
        path.write_text(with_headlines(text, language, read), encoding="utf-8")


def page(read: Read) -> str:
    """The whole page, of the results that there are."""
    return _TEMPLATE.read_text(encoding="utf-8").format(
        headlines=headline_table("english", read),
        measures="\n\n".join(_sections(read)),
        peers=_peers(read),
    )


def with_headlines(readme: str, language: str, read: Read) -> str:
    """A README with its figures brought up to date."""
    table = headline_table(language, read)
    return _BLOCK.sub(lambda found: f"{found[1]}{table}\n{found[2]}", readme)


def headline_table(language: str, read: Read) -> str:
    """The few figures that matter most."""
    rows = [f"| {getattr(headline, language)} | **{value}** |" for headline, value in shown(read)]
    return "\n".join(["| | |", "|---|---|", *rows])


def _sections(read: Read) -> Iterator[str]:
    for measure in MEASURES:
        for name in (measure, f"{measure}-{LONG}"):
            if result := read(name):
                yield _section(result, _told(measure))


def _section(result: Result, told: Callable[[Figures], str]) -> str:
    size = " (a million texts)" if result.measure.endswith(f"-{LONG}") else ""
    return (
        f"### {result.question.removesuffix('.')}{size}\n\n{told(result.figures)}\n\n{circumstances(result)}"
    )


def _peers(read: Read) -> str:
    result = read("peers")
    if result is None:
        return "Not measured yet: `make peers`."
    told: Callable[[Figures], str] = import_module("bench.peers.telling").told
    return f"{told(result.figures)}\n\n{circumstances(result)}"


def circumstances(result: Result) -> str:
    """How to repeat it, and what it was measured on."""
    before, after = result.load
    machine, used = result.machine, result.versions
    packages = ", ".join(f"{name} {used[name]}" for name in ("memud", "sqlite", "numpy") if name in used)
    return (
        f"*`{result.command}`. {result.at}, {result.took_s:.0f} s, load {before} before and {after} after; "
        f"{machine['cores']} cores of {machine['cpu']}, {machine['memory_gb']} GB, {machine['system']}; "
        f"Python {used['python']}, {packages}.*"
    )


def _told(measure: str) -> Callable[[Figures], str]:
    told: Callable[[Figures], str] = getattr(import_module(f"bench.{measure}"), "told", plain_table)
    return told


def plain_table(figures: Figures) -> str:
    """Each name with its figures; in columns, where one has all that the others have."""
    columns = _columns(figures)
    if not columns:
        rows = [f"| {what} | {_cell(values)} |" for what, values in figures.items()]
        return "\n".join(["| | |", "|---|---|", *rows])
    rows = [
        f"| {what} | {' | '.join(str(values.get(key, '')) for key in columns)} |"
        for what, values in figures.items()
    ]
    return "\n".join([f"| | {' | '.join(map(_worded, columns))} |", "|---" * (len(columns) + 1) + "|", *rows])


def _columns(figures: Figures) -> list[str]:
    """The keys of the value that has most, if no other has a key beside these; else none."""
    keys = [list(values) if isinstance(values, Mapping) else [] for values in figures.values()]
    most = max(keys, key=len, default=[])
    return most if all(one and set(one) <= set(most) for one in keys) else []


def _cell(values: Any) -> str:
    if not isinstance(values, Mapping):
        return str(values)
    return ", ".join(f"{_worded(key)}: {_cell(value)}" for key, value in values.items())


def _worded(key: str) -> str:
    """A key as a person reads it: `p50_ms` is `p50, ms`."""
    name, _, unit = key.rpartition("_")
    return f"{name}, {unit}".replace("_", " ") if name and unit in _UNITS else key.replace("_", " ")


if __name__ == "__main__":
    main()
