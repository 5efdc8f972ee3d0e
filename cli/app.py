"""The table of commands, put together with their help in the reader's language."""

import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from cli import (
    categories,
    config,
    doctor,
    exits,
    install,
    memories,
    notes,
    operate,
    proactive,
    run,
    stats,
    status,
    talk,
    transfer,
    watch,
)
from cli import eval as eval_command
from cli.openclaw.command import openclaw
from cli.page import worded
from cli.terminal import Terminal
from cli.texts import Texts, language
from cli.usage import fault

COMMANDS: Sequence[tuple[str, Callable[..., None]]] = (
    ("run", run.run),
    ("status", status.status),
    ("stats", stats.stats),
    ("send", talk.send),
    ("recall", talk.recall),
    ("search", talk.search),
    ("add", memories.add),
    ("get", memories.get),
    ("list", memories.list_),
    ("categories", categories.categories),
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
    ("notes", notes.notes),
    ("import", transfer.import_),
    ("export", transfer.export),
    ("doctor", doctor.doctor),
    ("config", config.config),
    ("eval", eval_command.eval_),
    ("openclaw", openclaw),
    ("install", install.install),
    ("uninstall", install.uninstall),
)


def main(arguments: Sequence[str]) -> int:
    """Carry out one command line; the exit code."""
    say = Texts(language(os.environ))
    _write_every_sign()
    try:
        code = build(say).main(list(arguments) or ["--help"], prog_name="memud", standalone_mode=False)
        if sys.stdout:  # absent where a script closed it
            sys.stdout.flush()
    except TyperException as error:
        message, hint = fault(error, say)
        Terminal(say, "--json" in arguments).tell_error(message, reason="usage", hint=hint)
        return exits.USAGE
    except typer.Abort:
        Terminal(say).warn("aborted")
        return exits.FAILED
    except SystemExit as end:  # the reader of a pipe has gone
        return end.code if isinstance(end.code, int) else exits.FAILED
    except OSError as error:  # a full disk under a redirected answer
        _forget_output()
        cause = say.heard(error.strerror or str(error))
        Terminal(say).warn("error", message=say("error.output", cause=cause))
        return exits.FAILED
    return int(code or exits.OK)


def _write_every_sign() -> None:
    """Let a terminal that knows only one alphabet show the other signs as escapes."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _forget_output() -> None:
    """Drop what could not be written, or Python tries again at its end and complains once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


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
