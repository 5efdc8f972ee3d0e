"""Many memories at once, through the socket: `import` and `export`."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from memud_client import Client, MemudError, NotFoundError

from cli.options import DryRun
from cli.plain import to_json
from cli.terminal import Terminal, command, reason_of

InPath = Annotated[str, typer.Argument(metavar="PATH", help="argument.events")]
FormatName = Annotated[str | None, typer.Option("--format", help="option.format")]
Groups = Annotated[bool, typer.Option("--groups", help="option.groups")]
Deleted = Annotated[bool, typer.Option("--deleted", help="option.deleted")]
Watch = Annotated[bool, typer.Option("--watch/--no-watch", help="option.watch")]
OutFile = Annotated[str, typer.Argument(metavar="[FILE]", help="argument.file")]

_PAGE = 500


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
