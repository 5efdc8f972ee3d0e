"""The table of commands, put together with their help in the reader's language."""

import os
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from cli import (
    config,
    doctor,
    exits,
    install,
    memories,
    operate,
    proactive,
    run,
    status,
    talk,
    transfer,
    watch,
)
from cli.page import worded
from cli.terminal import Terminal
from cli.texts import Texts, language
from cli.usage import fault

COMMANDS: Sequence[tuple[str, Callable[..., None]]] = (
    ("run", run.run),
    ("status", status.status),
    ("send", talk.send),
    ("recall", talk.recall),
    ("search", talk.search),
    ("add", memories.add),
    ("get", memories.get),
    ("list", memories.list_),
    ("update", memories.update),
    ("forget", memories.forget),
    ("restore", memories.restore),
    ("pin", memories.pin),
    ("history", memories.history),
    ("explain", memories.explain),
    ("proactive", proactive.proactive),
    ("watch", watch.watch),
    ("queue", operate.queue),
    ("job", operate.job),
    ("import", transfer.import_),
    ("export", transfer.export),
    ("doctor", doctor.doctor),
    ("config", config.config),
    ("install", install.install),
    ("uninstall", install.uninstall),
)


def main(arguments: Sequence[str]) -> int:
    """Carry out one command line; the exit code."""
    say = Texts(language(os.environ))
    try:
        code = build(say).main(list(arguments) or ["--help"], prog_name="memud", standalone_mode=False)
    except TyperException as error:
        message, hint = fault(error, say)
        Terminal(say, "--json" in arguments).tell_error(message, reason="usage", hint=hint)
        return exits.USAGE
    except typer.Abort:
        Terminal(say).warn("aborted")
        return exits.FAILED
    except SystemExit as end:  # the reader of a pipe has gone
        return end.code if isinstance(end.code, int) else exits.FAILED
    return int(code or exits.OK)


def build(say: Texts) -> Any:
    """The command `memud`, its help in one language."""
    # Exceptions are shown plainly: rich's would print local variables, and they hold memories.
    app = typer.Typer(
        cls=worded(TyperGroup, say),
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback(help="help.memud")(_memud)
    kind = worded(TyperCommand, say)
    for name, body in COMMANDS:
        app.command(name, cls=kind, help=f"help.{name}")(body)
    command: Any = get_command(app)
    for part in (command, *command.commands.values()):
        _translate(part, say)
    return command


def _show_version(asked: bool) -> None:
    if asked:
        # Only here: it reads the installed packages, which takes longer than a short command.
        from importlib.metadata import version

        typer.echo(f"memud {version('memud')}")
        raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", is_eager=True, callback=_show_version, help="option.version")
]


def _memud(version: Version = False) -> None:
    """What stands before a command."""


def _translate(command: Any, say: Texts) -> None:
    command.help = say(command.help)
    for parameter in command.params:
        if "." in (getattr(parameter, "help", None) or ""):
            parameter.help = say(parameter.help)
