"""`memud bench index`: each vector index on this machine, with the store's own vectors or made ones."""

import logging
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli import exits
from cli.run import StateDir
from cli.status import size
from cli.terminal import Terminal, command
from cli.usage import not_one_of

if TYPE_CHECKING:
    from evaluation.indexes import Advance
    from evaluation.vector_sets import VectorSet

Name = Annotated[str, typer.Argument(metavar="NAME", help="argument.bench")]
Synthetic = Annotated[
    int | None, typer.Option("--synthetic", min=100, max=10_000_000, metavar="N", help="option.synthetic")
]
Dimension = Annotated[int, typer.Option("--dimension", min=8, max=4096, help="option.dimension")]
Backend = Annotated[list[str] | None, typer.Option("--backend", help="option.backends")]
Nearest = Annotated[int, typer.Option("--nearest", min=1, max=1000, help="option.nearest")]
Asked = Annotated[int, typer.Option("--questions", min=1, max=1000, help="option.asked")]

_INDEX = "index"


@command
def bench(
    terminal: Terminal,
    name: Name,
    synthetic: Synthetic = None,
    dimension: Dimension = 384,
    backend: Backend = None,
    nearest: Nearest = 100,
    questions: Asked = 50,
    state_dir: StateDir = None,
) -> None:
    """Measure; needs no running daemon, and only reads the store of one that runs."""
    # Only here: they load numpy and the daemon's parts, and no other command needs them.
    from evaluation.ending import orderly_end
    from evaluation.indexes import ALL, measure
    from memory.errors import MemudError

    if name != _INDEX:
        terminal.fail(not_one_of(name, [_INDEX]), exits.USAGE)
    for one in backend or ():
        if one not in ALL:
            terminal.fail(not_one_of(one, [*ALL]), exits.USAGE)
    try:
        with orderly_end(), _warnings_alone(), _progress(terminal) as advance:
            vectors = _vectors(terminal, synthetic, dimension, state_dir)
            report = measure(vectors, backend or ALL, nearest, questions, advance)
    except MemudError as error:
        terminal.fail(str(error), exits.USAGE, reason=error.reason, hint=error.hint)
    _refuse_skipped(terminal, backend or (), report)
    terminal.answer(report, _show)


def _vectors(
    terminal: Terminal, synthetic: int | None, dimension: int, state_dir: Path | None
) -> "VectorSet":
    from daemon.paths import choose
    from evaluation import vector_sets

    if synthetic is not None:
        return vector_sets.synthetic(synthetic, dimension)
    return vector_sets.stored(choose(state_dir, None, os.environ).database, terminal.user)


def _refuse_skipped(terminal: Terminal, wished: "list[str] | tuple[()]", report: Mapping[str, Any]) -> None:
    """One that was named and can't run here is an error; of those nobody named the table says so."""
    for one in report["backends"]:
        if "skipped" in one and one["backend"] in wished:
            terminal.fail(one["skipped"], exits.FAILED, reason="unavailable", hint=one["hint"])


@contextmanager
def _warnings_alone() -> Iterator[None]:
    """What the parts log goes to standard error: standard output is the answer's."""
    import structlog  # here: no other command needs it

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    try:
        yield
    finally:
        structlog.reset_defaults()


@contextmanager
def _progress(terminal: Terminal) -> "Iterator[Advance]":
    """A line on standard error, where that is a terminal: which index, and how far it is filled."""
    if not (sys.stderr and sys.stderr.isatty()):
        yield lambda _backend, _count: None
        return

    def advance(backend: str, count: int) -> None:
        sys.stderr.write("\r" + terminal.say("bench.filling", backend=backend, count=count))

    yield advance
    sys.stderr.write("\r\x1b[K")


def _show(terminal: Terminal, report: Mapping[str, Any]) -> None:
    terminal.tell("bench.head", **{name: report[name] for name in ("source", "vectors", "dimension")})
    terminal.tell("bench.asked", questions=report["questions"], k=report["k"])
    columns = ("backend", "recall_at", "p50", "p95", "p50_cpu", "build", "build_cpu", "memory_size", "disk")
    measured = [one for one in report["backends"] if "skipped" not in one]
    terminal.table(columns, [_row(one) for one in measured])
    for one in report["backends"]:
        if "skipped" in one:
            terminal.tell("bench.skipped", backend=one["backend"], reason=terminal.say.heard(one["skipped"]))
            terminal.tell("hint", hint=terminal.say.heard(one["hint"]))


def _row(one: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        one["backend"],
        f"{one['recall']:.4f}",
        f"{one['p50_ms']:.2f} ms",
        f"{one['p95_ms']:.2f} ms",
        f"{one['p50_cpu_ms']:.2f} ms",
        f"{one['build_s']:.1f} s",
        f"{one['build_cpu_s']:.1f} s",
        size(one["memory_bytes"]),
        size(one["disk_bytes"]),
    )
