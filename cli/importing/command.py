"""`memud import`: what people already have, whatever it is, into the daemon."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import typer

from cli import exits
from cli.importing.carrier import Carrier
from cli.importing.formats import FORMATS, Format, named
from cli.importing.found import Found, Passed, Turn, Wishes
from cli.importing.memud import read_lines
from cli.importing.progress import Bar, progress
from cli.importing.report import Report
from cli.importing.screen import show
from cli.importing.sources import Source, sources, unreadable
from cli.terminal import Terminal, reason_of


def run(terminal: Terminal, path: str, format_name: str | None, wishes: Wishes, *, dry_run: bool) -> None:
    """Read all that is under the path and hand it over; ends with 1 if something was bad or left out."""
    report = Report(terminal.user, dry_run=dry_run)
    forced = _forced(terminal, format_name)
    with progress(terminal, path) as bar:
        found = bar.watch(_read(terminal, path, forced, wishes, report, bar))
        with terminal.client() as client:
            carrier = Carrier(client, report, terminal.user, dry_run=dry_run)
            for one in found:
                carrier.take(one)
            carrier.flush()
    terminal.answer(report.as_json(), show)
    if not report.is_whole:
        raise typer.Exit(exits.FAILED)


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
    bar: Bar,
) -> Iterator[Found]:
    """Every record under the path, counted in the report."""
    if path == "-":
        report.opens("-", "memud")
        yield from _noted(read_lines(terminal.standard_input(), "-"), report)
        return
    seen: set[bytes] = set()
    try:
        listed = list(sources(Path(path), forced))
    except OSError as error:
        terminal.refuse("bad.file", path=path, reason=reason_of(error, terminal))
    bar.begin(sum(source.bytes for source in listed if isinstance(source, Source)))
    for source in listed:
        if isinstance(source, Source):
            yield from _read_source(source, wishes, report, seen)
            bar.advance(source.bytes)
        else:
            report.note_file(source)


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
