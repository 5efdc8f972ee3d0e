"""`memud eval`: how well memud remembers, measured on a public set with a daemon of its own."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cli import exits, threshold
from cli.terminal import Terminal, command
from cli.threshold import Wish
from cli.usage import not_one_of

if TYPE_CHECKING:
    from evaluation.conditions import Conditions, Progress, Step
    from evaluation.trial import EvalSet

Name = Annotated[str, typer.Argument(metavar="NAME", help="argument.eval")]
Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="option.data")]
Questions = Annotated[int | None, typer.Option("--limit", min=1, help="option.questions")]
WordsOnly = Annotated[bool, typer.Option("--words-only", help="option.words_only")]
Cache = Annotated[Path | None, typer.Option("--cache", metavar="FILE", help="option.cache")]
Baseline = Annotated[Literal["fulltext", "dense"] | None, typer.Option("--baseline", help="option.baseline")]
Thresholds = Annotated[str | None, typer.Option("--thresholds", metavar="LIST", help="option.thresholds")]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="option.plot")]
FromLog = Annotated[bool, typer.Option("--from-log", help="option.from_log")]

_ALL = "all"
_DATA = Path("data")


@command
def eval_(
    terminal: Terminal,
    name: Name,
    data: Data = None,
    limit: Questions = None,
    words_only: WordsOnly = False,
    baseline: Baseline = None,
    cache: Cache = None,
    thresholds: Thresholds = None,
    plot: Plot = None,
    from_log: FromLog = False,
) -> None:
    """Measure one set, or all; needs no running daemon and leaves it alone, but for `--from-log`."""
    # Only here: they load numpy, and no other command needs them.
    from evaluation.conditions import Conditions, default_cache
    from evaluation.ending import orderly_end
    from memory.errors import InvalidError, MemudError

    wish = Wish(thresholds, plot, from_log)
    if wish.is_any and name != threshold.NAME:
        terminal.refuse("eval.only_threshold")
    conditions = Conditions(
        data or _DATA,
        cache or default_cache(os.environ),
        words_only,
        limit,
        baseline,
        is_data_named=data is not None,
    )
    try:
        with orderly_end():
            if name == threshold.NAME and not baseline:
                _compare(terminal, wish, conditions)
            else:
                _measure(terminal, name, conditions)
    except MemudError as error:
        code = exits.USAGE if isinstance(error, InvalidError) else exits.FAILED
        terminal.fail(str(error), code, reason=error.reason, hint=error.hint)


def _compare(terminal: Terminal, wish: Wish, conditions: "Conditions") -> None:
    with _progress(terminal) as progress:
        report = threshold.measure(terminal, wish, conditions, progress)
    terminal.answer(report, threshold.show)


def _measure(terminal: Terminal, name: str, conditions: "Conditions") -> None:
    from evaluation.run import run

    chosen = _chosen(terminal, name, conditions.baseline)
    with _progress(terminal) as progress:
        reports = [run(each, conditions, progress).as_json() for each in chosen]
    terminal.answer(reports if name == _ALL else reports[0], _show)


def _chosen(terminal: Terminal, name: str, baseline: str | None) -> "list[EvalSet]":
    """The sets of a name; those alone that a baseline can answer, where one is wanted."""
    from evaluation.registry import SETS

    known = {each.name: each for each in SETS.values() if each.search or not baseline}
    if name not in (_ALL, *known):
        others = () if baseline else (threshold.NAME,)
        terminal.fail(not_one_of(name, [_ALL, *known, *others]), exits.USAGE)
    return [each for each in known.values() if name in (_ALL, each.name)]


@contextmanager
def _progress(terminal: Terminal) -> "Iterator[Progress]":
    """A bar on standard error, where that is a terminal: the step, how far, how long it will take."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda _step, _done, _total: None
        return
    # Only here: rich takes longer to load than most commands take.
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)

        def advance(step: "Step", done: int, total: int) -> None:
            bar.update(task, description=terminal.say(f"step.{step}"), completed=done, total=total)

        yield advance


def _show(terminal: Terminal, reports: list[dict[str, Any]] | dict[str, Any]) -> None:
    for report in reports if isinstance(reports, list) else [reports]:
        _show_one(terminal, report)


def _show_one(terminal: Terminal, report: Mapping[str, Any]) -> None:
    conditions = report["conditions"]
    counts = terminal.say("comma").join(
        terminal.say("eval.count", name=terminal.say.word("count", name), count=count)
        for name, count in report["counts"].items()
    )
    by = conditions["baseline"] or conditions["embedder"]
    terminal.tell("eval.head", name=report["set"], by=by, counts=counts)
    columns = ("figure", "value", "interval", "answers", "floor")[: 5 if report["floors"] else 4]
    rows = [
        (
            name,
            f"{each['value']:.3f}",
            f"{each['low']:.3f} - {each['high']:.3f}",
            str(each["n"]),
            report["floors"].get(name, ""),
        )[: len(columns)]
        for name, each in report["figures"].items()
    ]
    terminal.table(columns, rows)
    for method, cost in report["costs"].items():
        terminal.tell("eval.cost", method=method, **cost)
