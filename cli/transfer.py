"""Many memories at once, through the socket: `import` and `export`."""

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from memud_client import BusyError, Client, MemudError, NotFoundError

from cli import exits
from cli.events import Batch, Reading
from cli.given import given
from cli.plain import to_json
from cli.show import left_out
from cli.terminal import Terminal, command, reason_of

InFile = Annotated[str, typer.Argument(metavar="FILE", help="argument.events")]
OutFile = Annotated[str, typer.Argument(metavar="[FILE]", help="argument.file")]

_SHOWN_FAULTS = 20
_BUSY_TRIES = 600
_PAGE = 500


@command
def import_(terminal: Terminal, file: InFile) -> None:
    """Hand over events, batch by batch; ends with 1 if a line was bad or left out."""
    with _reading(terminal, file) as lines:
        reading = Reading(lines, terminal.user)
        totals = {"accepted": 0, "duplicates": 0}
        with terminal.client() as client, _progress(terminal, file) as advance:
            for batch in reading:
                reply = _capture(client, batch, terminal)
                totals["accepted"] += reply["accepted"]
                totals["duplicates"] += reply["duplicates"]
                reading.left_out(batch, reply["skipped"])
                advance(batch.bytes)
    report = {
        "lines": reading.lines,
        **totals,
        "facts": reading.facts,
        "other_users": reading.others,
        "skipped": reading.skipped,
        "bad": reading.bad,
    }
    terminal.answer(report, _show_imported)
    if reading.bad or reading.skipped:
        raise typer.Exit(exits.FAILED)


@command
def export(terminal: Terminal, file: OutFile = "-") -> None:
    """Write facts and the turns they come from; the turns can be imported again."""
    counts = {"items": 0, "turns": 0}
    with terminal.client() as client, _writing(terminal, file) as out:
        written: set[str] = set()
        for item in _items(client):
            out.write(to_json({"type": "item", **item}, indent=None) + "\n")
            counts["items"] += 1
            for turn in _turns(client, item, written):
                out.write(to_json({"type": "turn", **turn}, indent=None) + "\n")
                counts["turns"] += 1
        stored = client.stats(user_id=terminal.user or "default")["resources"]
    if stored > counts["turns"]:
        terminal.warn("export.rest", count=stored - counts["turns"])
    if terminal.as_json and file != "-":
        typer.echo(to_json(counts))
    else:
        terminal.warn("export.done", **counts)


def _capture(client: Client, batch: Batch, terminal: Terminal) -> Any:
    for _ in range(_BUSY_TRIES):
        try:
            return client.capture(batch.events, **given(**batch.scope))
        except BusyError as error:
            # The queue is full; the daemon says how long it needs.
            time.sleep((error.retry_after_ms or 1000) / 1000)
    return client.capture(batch.events, **given(**batch.scope))


def _items(client: Client) -> Iterator[Mapping[str, Any]]:
    page: Any = client.list(limit=_PAGE, include_superseded=True)
    yield from page["results"]
    while page["cursor"]:
        page = client.list(limit=_PAGE, include_superseded=True, cursor=page["cursor"])
        yield from page["results"]


def _turns(client: Client, item: Mapping[str, Any], written: set[str]) -> Iterator[Mapping[str, Any]]:
    for source in item["sources"]:
        if source["resource_id"] not in written:
            written.add(source["resource_id"])
            try:
                yield client.resources_get(source["resource_id"])
            except NotFoundError:
                continue


@contextmanager
def _reading(terminal: Terminal, file: str) -> Iterator[TextIO]:
    if file == "-":
        yield terminal.standard_input()
        return
    try:
        with Path(file).open(encoding="utf-8-sig", errors="surrogateescape") as opened:
            yield opened
    except OSError as error:
        terminal.refuse("bad.file", path=file, reason=reason_of(error, terminal))


@contextmanager
def _writing(terminal: Terminal, file: str) -> Iterator[TextIO]:
    """A file that is whole or not there: an export that fails half way leaves the old one as it was."""
    if file == "-":
        # None where a script closed it, though its type does not say so.
        stream: TextIO | None = sys.stdout
        yield stream or terminal.refuse("needs.output")
        return
    path, partial = Path(file), Path(f"{file}.part")
    try:
        with partial.open("w", encoding="utf-8") as opened:
            partial.chmod(0o600)
            yield opened
        partial.replace(path)
    except MemudError:
        partial.unlink(missing_ok=True)
        raise
    except OSError as error:
        partial.unlink(missing_ok=True)
        terminal.refuse("bad.file", path=file, reason=reason_of(error, terminal))


@contextmanager
def _progress(terminal: Terminal, file: str) -> Iterator[Any]:
    """A bar on a terminal, nothing elsewhere; what it gives advances it by so many bytes."""
    if terminal.as_json or file == "-" or not (sys.stderr and sys.stderr.isatty()):
        yield lambda _: None
        return
    # Only here: rich takes longer to load than most commands take.
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(terminal.say("import.progress"), total=Path(file).stat().st_size)
        yield lambda size: progress.advance(task, size)


def _show_imported(terminal: Terminal, report: Mapping[str, Any]) -> None:
    """Each line is counted once, so that the sum is what was read."""
    faults = [*report["bad"], *report["skipped"]]
    _show_faults(terminal, faults)
    if report["facts"]:
        terminal.tell("import.facts", count=report["facts"])
    if report["other_users"]:
        terminal.warn("import.others", count=report["other_users"], user=terminal.user)
    shown = {name: report[name] for name in ("lines", "accepted", "duplicates")}
    terminal.tell("import.done", **shown, left_out=len(faults), passed=report["facts"])


def _show_faults(terminal: Terminal, faults: Iterable[Mapping[str, Any]]) -> None:
    ordered = sorted(faults, key=lambda fault: fault["line"])
    for fault in ordered[:_SHOWN_FAULTS]:
        terminal.warn("import.line", number=fault["line"], reason=_reason(terminal, fault))
    if len(ordered) > _SHOWN_FAULTS:
        terminal.warn("import.rest", count=len(ordered) - _SHOWN_FAULTS)


def _reason(terminal: Terminal, fault: Mapping[str, Any]) -> str:
    if fault["reason"].startswith("import."):
        return terminal.say(fault["reason"], **fault["fields"])
    return left_out(terminal, fault["reason"], fault["detail"])
