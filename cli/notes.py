"""`memud notes`: which files of notes are kept in step."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from cli.moments import show as moment
from cli.terminal import Terminal, command

NotesAction = Annotated[Literal["list", "forget"], typer.Argument(metavar="[ACTION]", help="argument.notes")]
NotesPath = Annotated[str | None, typer.Argument(metavar="[PATH]", help="argument.notes_path")]


@command
def notes(terminal: Terminal, action: NotesAction = "list", path: NotesPath = None) -> None:
    """See which files are kept in step, or keep one in step no longer."""
    with terminal.client() as client:
        if action == "list":
            terminal.answer(client.notes_list(**terminal.scope()), _show)
            return
        file = str(Path(path).resolve()) if path else terminal.refuse("notes.which")
        reply = client.notes_forget(file, **terminal.scope())
        terminal.answer(reply, lambda terminal, reply: terminal.tell("notes.forgotten", path=reply["path"]))


def _show(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    if not reply["results"]:
        terminal.tell("notes.none")
        return
    rows = [
        (
            file["path"],
            moment(file["read_at"]) if file["read_at"] else "-",
            terminal.say.word("note", file["trouble"]) if file["trouble"] else terminal.say("note.well"),
        )
        for file in reply["results"]
    ]
    terminal.table(("source", "read", "state"), rows)
