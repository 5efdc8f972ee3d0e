"""`make bench`: every figure of the README, measured on this machine, each shown as soon as it is known.

.venv/bin/python -m bench.run [--json] [latency footprint durability tokens]
"""

import argparse
import json
import os
import platform
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

MEASURES = ("latency", "footprint", "durability", "tokens")

Figures = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Measure:
    """A name, what it is about in one line, and the work."""

    name: str
    about: str
    measure: Callable[[], Figures]


def main() -> None:
    """Run the named measures, or all, and print what they found."""
    arguments = _arguments()
    # Progress goes to standard error, so that figures can be piped.
    progress, figures = Console(stderr=True, highlight=False), Console(highlight=False)
    figures.quiet = arguments.json
    progress.print(f"[dim]{_machine()}[/dim]")
    found = run([_measure(name) for name in arguments.measures or MEASURES], progress, figures)
    if arguments.json:
        print(json.dumps({"machine": _machine(), **found}, ensure_ascii=False, indent=1))


def run(measures: Iterable[Measure], progress: Console, figures: Console) -> dict[str, Figures]:
    """All figures by name; each measure is announced before it begins and shown when it is done."""
    measures, found = list(measures), {}
    for number, measure in enumerate(measures, 1):
        progress.print(f"[bold]{number} of {len(measures)}  {measure.name}[/bold]  {measure.about}")
        with _clock(progress):
            found[measure.name] = measure.measure()
        figures.print(_table(measure.name, found[measure.name]))
    return found


def _clock(console: Console) -> AbstractContextManager[object]:
    """That it still works, and for how long; on a terminal only."""
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    progress = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    progress.add_task("measuring, this takes up to a few minutes", total=None)
    return progress


def _measure(name: str) -> Measure:
    module = import_module(f"bench.{name}")
    return Measure(name, str(module.__doc__).splitlines()[0], module.measure)


def _table(name: str, figures: Figures) -> Table:
    table = Table("", "figure", title=name, title_justify="left", show_header=False)
    for what, values in figures.items():
        shown = values if isinstance(values, dict) else {"": values}
        table.add_row(what, "   ".join(f"{key} {value}" for key, value in shown.items()))
    return table


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("measures", nargs="*", metavar="MEASURE", help=", ".join(MEASURES))
    parser.add_argument("--json", action="store_true", help="figures for a program, on standard output")
    arguments = parser.parse_args()
    if unknown := set(arguments.measures) - set(MEASURES):
        parser.error(f"no measure {', '.join(sorted(unknown))}; there are {', '.join(MEASURES)}")
    return arguments


def _machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


if __name__ == "__main__":
    main()
