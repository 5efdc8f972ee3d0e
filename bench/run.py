"""`make bench`: every question about speed and size, answered on this machine, each shown once it is known.

.venv/bin/python -m bench.run [--size 1m] [--json] [NAME ...]

A measure is a module of this package whose docstring begins with its question and which has
`measure() -> Figures`: names of what was measured, each with a figure or a mapping of them; values are what
JSON knows, and keys have their unit. It may have `measure_long() -> Figures` for `--size 1m`, whose result is
kept as `NAME-1m`, and `told(figures) -> str`, its answer in Markdown for docs/PERFORMANCE.md; without it the
page shows a plain table. Name it in MEASURES and it is run, shown, kept in bench/results, and put on the page
by `python -m bench.report`, which says how long it took. All of them should take a quarter of an hour on a
machine that does nothing else; what takes longer belongs into `measure_long`.

Every figure that can be is a ratio of two things measured in the same run, or CPU time (`bench.cpu`): both
bear a busy machine, wall time does not. `bench.running` starts a daemon, with `stub=DIMENSION` one whose
embedder costs nothing. `python -m bench.peers` measures other programs for memory beside memud.
"""

import argparse
import json
import platform
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from importlib import import_module
from os import cpu_count

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from bench.results import Figures, Result, save, taken

MEASURES = (
    "latency",
    "footprint",
    "durability",
    "tokens",
    "growth",
    "tick",
    "warm",
    "importing",
    "start",
    "lag",
    "redis",
    "index",
    "vss",
)
LONG = "1m"


@dataclass(frozen=True, slots=True)
class Measure:
    """A name, its question in one line, the work, and how to repeat it."""

    name: str
    about: str
    measure: Callable[[], Figures]
    command: str = ""


def main() -> None:
    """Run the named measures, or all, and print what they found."""
    arguments = _arguments()
    # Progress goes to standard error, so that figures can be piped.
    progress, figures = Console(stderr=True, highlight=False), Console(highlight=False)
    figures.quiet = arguments.json
    progress.print(
        f"[dim]{platform.machine()}, {cpu_count()} cores, Python {platform.python_version()}[/dim]"
    )
    find = long_measure if arguments.size == LONG else quick_measure
    chosen = [find(name) for name in arguments.measures or MEASURES]
    found = run((measure for measure in chosen if measure), progress, figures, save)
    if arguments.json:
        shown = {name: asdict(result) for name, result in found.items()}
        print(json.dumps(shown, ensure_ascii=False, indent=1, default=str))


def run(
    measures: Iterable[Measure], progress: Console, figures: Console, keep: Callable[[Result], object]
) -> dict[str, Result]:
    """All results by name; each measure is announced before it begins, and shown and kept when it is done."""
    measures, found = list(measures), {}
    for number, measure in enumerate(measures, 1):
        progress.print(f"[bold]{number} of {len(measures)}  {measure.name}[/bold]  {measure.about}")
        with _clock(progress):
            found[measure.name] = taken(measure.name, measure.about, measure.command, measure.measure)
        keep(found[measure.name])
        figures.print(_table(measure.name, found[measure.name].figures))
    return found


def quick_measure(name: str) -> Measure | None:
    """The measure of that name, at its usual size."""
    module = import_module(f"bench.{name}")
    return Measure(name, _question(module.__doc__), module.measure, f"python -m bench.run {name}")


def long_measure(name: str) -> Measure | None:
    """The same at a million; None where it has no such size."""
    module = import_module(f"bench.{name}")
    if not hasattr(module, "measure_long"):
        return None
    command = f"python -m bench.run --size {LONG} {name}"
    return Measure(f"{name}-{LONG}", _question(module.__doc__), module.measure_long, command)


def _question(text: str | None) -> str:
    return str(text).splitlines()[0]


def _clock(console: Console) -> AbstractContextManager[object]:
    """That it still works, and for how long; on a terminal only."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    progress.add_task("measuring, this takes up to a few minutes", total=None)
    return progress


def _table(name: str, figures: Figures) -> Table:
    table = Table("", "figure", title=name, title_justify="left", show_header=False)
    for what, values in figures.items():
        shown = values if isinstance(values, dict) else {"": values}
        table.add_row(what, "   ".join(f"{key} {value}" for key, value in shown.items()))
    return table


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("measures", nargs="*", metavar="NAME", help=", ".join(MEASURES))
    parser.add_argument(
        "--size", choices=("quick", LONG), default="quick", help="1m: a million texts, for long"
    )
    parser.add_argument("--json", action="store_true", help="figures for a program, on standard output")
    arguments = parser.parse_args()
    if unknown := set(arguments.measures) - set(MEASURES):
        parser.error(f"no measure {', '.join(sorted(unknown))}; there are {', '.join(MEASURES)}")
    return arguments


if __name__ == "__main__":
    main()
