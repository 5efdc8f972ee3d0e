"""`memud import`: what people already have, whatever it is, into the daemon."""

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from cli import exits
from cli.importing.carrier import Carrier
from cli.importing.formats import FORMATS, Format, named
from cli.importing.found import Found, Passed, Turn, Wishes
from cli.importing.memud import read_lines
from cli.importing.report import Report
from cli.importing.screen import show
from cli.importing.sources import Source, sources, unreadable
from cli.terminal import Terminal, reason_of

Advance = Callable[[int], None]


def run(terminal: Terminal, path: str, format_name: str | None, wishes: Wishes, *, dry_run: bool) -> None:
    """Read all that is under the path and hand it over; ends with 1 if something was bad or left out."""
    report = Report(terminal.user, dry_run=dry_run)
    with _progress(terminal, path) as advance:
        found = _read(terminal, path, _forced(terminal, format_name), wishes, report, advance)
        if dry_run:
            for _ in found:
                pass
        else:
            _carry(terminal, found, report)
    terminal.answer(report.as_json(), show)
    if not report.is_whole:
        raise typer.Exit(exits.FAILED)


def _carry(terminal: Terminal, found: Iterator[Found], report: Report) -> None:
    with terminal.client() as client:
        carrier = Carrier(client, report, terminal.user)
        for one in found:
            carrier.take(one)
        carrier.flush()


def _forced(terminal: Terminal, name: str | None) -> Format | None:
    if name is None:
        return None
    known = ", ".join(one.name for one in FORMATS)
    return named(name) or terminal.refuse("bad.format", value=name, known=known)


def _read(
    terminal: Terminal,
    path: str,
    forced: Format | None,
    wishes: Wishes,
    report: Report,
    advance: Advance,
) -> Iterator[Found]:
    """Every record under the path, counted in the report."""
    if path == "-":
        report.opens("-", "memud")
        yield from _noted(read_lines(terminal.standard_input(), "-"), report)
        return
    seen: set[bytes] = set()
    try:
        for source in sources(Path(path), forced):
            if isinstance(source, Source):
                yield from _read_source(source, wishes, report, seen)
                advance(source.bytes)
            else:
                report.note_file(source)
    except OSError as error:
        terminal.refuse("bad.file", path=path, reason=reason_of(error, terminal))


def _read_source(source: Source, wishes: Wishes, report: Report, seen: set[bytes]) -> Iterator[Found]:
    report.opens(str(source.path), source.format.name)
    try:
        yield from _noted(_once(source.format.read(source.path, wishes), seen), report)
    except OSError as error:
        report.note(unreadable(source.path, error))


def _once(found: Iterator[Found], seen: set[bytes]) -> Iterator[Found]:
    """A turn that two sources hold, such as a database and an older file, is one: by its key."""
    for one in found:
        if isinstance(one, Turn):
            mark = hashlib.sha256(f"{one.scope.get('user_id')} {one.event['key']}".encode()).digest()[:8]
            if mark in seen:
                yield Passed(one.place, "twice")
                continue
            seen.add(mark)
        yield one


def _noted(found: Iterator[Found], report: Report) -> Iterator[Found]:
    for one in found:
        report.note(one)
        yield one


@contextmanager
def _progress(terminal: Terminal, path: str) -> Iterator[Advance]:
    """A bar on a terminal, nothing elsewhere; what it gives advances it by so many bytes."""
    if terminal.as_json or path == "-" or not (sys.stderr and sys.stderr.isatty()):
        yield lambda _: None
        return
    # Only here: rich takes longer to load than most commands take.
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(terminal.say("import.progress"), total=None)
        yield lambda size: progress.advance(task, size)
