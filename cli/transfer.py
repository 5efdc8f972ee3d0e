"""Many memories at once, through the socket: `import` and `export`."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Literal, TextIO

import typer
from memud_client import Client, MemudError

from cli import portable
from cli.options import DryRun
from cli.plain import to_json
from cli.terminal import Terminal, command, reason_of

InPath = Annotated[str, typer.Argument(metavar="PATH", help="argument.events")]
FormatName = Annotated[str | None, typer.Option("--format", help="option.format")]
Groups = Annotated[bool, typer.Option("--groups", help="option.groups")]
Deleted = Annotated[bool, typer.Option("--deleted", help="option.deleted")]
Watch = Annotated[bool, typer.Option("--watch/--no-watch", help="option.watch")]
OutFile = Annotated[str, typer.Argument(metavar="[FILE]", help="argument.file")]

ExportFormat = Annotated[
    Literal["jsonl", "markdown", "mem0"], typer.Option("--format", help="option.export_format")
]
Everything = Annotated[bool, typer.Option("--all", help="option.everything")]


@command
def import_(
    terminal: Terminal,
    path: InPath,
    format_name: FormatName = None,
    groups: Groups = False,
    deleted: Deleted = False,
    watch: Watch = True,
    dry_run: DryRun = False,
) -> None:
    """Bring in what there is; ends with 1 if something was bad or left out."""
    # Only here: the readers load what other commands never need.
    from cli.importing import command as importing
    from cli.importing.found import Wishes

    wishes = Wishes(groups=groups, deleted=deleted, watch=watch, user=terminal.user)
    importing.run(terminal, path, format_name, wishes, dry_run=dry_run)


@command
def export(
    terminal: Terminal, file: OutFile = "-", form: ExportFormat = "jsonl", everything: Everything = False
) -> None:
    """Write what is known; as jsonl it can be imported again, and is the same then."""
    counts = {"items": 0, "turns": 0}
    with terminal.client() as client, _writing(terminal, file) as out:
        for part in _formed(terminal, _records(terminal, client, counts, everything=everything), form):
            out.write(part)
        stored = client.stats(user_id=terminal.user or "default")["resources"]
    if stored > counts["turns"] and form == "jsonl" and not everything:
        terminal.warn("export.rest", count=stored - counts["turns"])
    if terminal.as_json and file != "-":
        typer.echo(to_json(counts))
    else:
        terminal.warn("export.done", **counts)


def _formed(terminal: Terminal, records: Iterator[portable.Record], form: str) -> Iterable[str]:
    if form == "markdown":
        return portable.as_markdown(records, terminal.say)
    if form == "mem0":
        return portable.as_mem0(records, terminal.user or "default")
    return portable.as_lines(records)


def _records(
    terminal: Terminal, client: Client, counts: dict[str, int], *, everything: bool
) -> Iterator[portable.Record]:
    """All records, page by page, counted."""
    page = client.export_records(everything=everything, **terminal.scope())
    while True:
        for record in page["records"]:
            if (name := f"{record['type']}s") in counts:
                counts[name] += 1
            yield record
        if page["cursor"] is None:
            return
        page = client.export_records(everything=everything, cursor=page["cursor"], **terminal.scope())


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
