"""The table of commands, put together with their help in the reader's language."""

import io
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException
from typer.main import get_command

from cli import exits
from cli.page import worded
from cli.sparing import sparing
from cli.terminal import Terminal
from cli.texts import Texts, language
from cli.usage import fault

COMMANDS: Sequence[tuple[str, str]] = (
    ("run", "cli.run:run"),
    ("status", "cli.status:status"),
    ("stats", "cli.stats:stats"),
    ("send", "cli.talk:send"),
    ("recall", "cli.talk:recall"),
    ("search", "cli.talk:search"),
    ("add", "cli.memories:add"),
    ("get", "cli.memories:get"),
    ("list", "cli.memories:list_"),
    ("categories", "cli.categories:categories"),
    ("update", "cli.memories:update"),
    ("forget", "cli.memories:forget"),
    ("restore", "cli.memories:restore"),
    ("pin", "cli.memories:pin"),
    ("history", "cli.memories:history"),
    ("explain", "cli.memories:explain"),
    ("proactive", "cli.proactive:proactive"),
    ("watch", "cli.watch:watch"),
    ("queue", "cli.operate:queue"),
    ("job", "cli.operate:job"),
    ("notes", "cli.notes:notes"),
    ("import", "cli.transfer:import_"),
    ("export", "cli.transfer:export"),
    ("doctor", "cli.doctor:doctor"),
    ("config", "cli.config:config"),
    ("eval", "cli.eval:eval_"),
    ("bench", "cli.bench:bench"),
    ("openclaw", "cli.openclaw.command:openclaw"),
    ("install", "cli.install:install"),
    ("uninstall", "cli.install:uninstall"),
)
"""Each command, and where it is; what nobody asks for is not loaded."""


def main(arguments: Sequence[str]) -> int:
    """Carry out one command line; the exit code."""
    say = Texts(language(os.environ))
    _write_every_sign()
    try:
        code = build(say, _named(arguments)).main(
            list(arguments) or ["--help"], prog_name="memud", standalone_mode=False
        )
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


def _named(arguments: Sequence[str]) -> Sequence[tuple[str, str]]:
    """The one command that is meant; all of them where that is not plain, and for the help."""
    return [one for one in COMMANDS if one[0] in arguments[:1]] or COMMANDS


def build(say: Texts, commands: Sequence[tuple[str, str]] = COMMANDS) -> Any:
    """The command `memud` with these commands, its help in one language."""
    # Exceptions are shown plainly: rich's would print local variables, and they hold memories.
    app = typer.Typer(
        cls=sparing(worded(TyperGroup, say)),
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback(help="help.memud")(_memud)
    kind = sparing(worded(TyperCommand, say))
    for name, place in commands:
        app.command(name, cls=kind, help=f"help.{name}")(_loaded(place))
    command: Any = get_command(app)
    for part in (command, *command.commands.values()):
        _translate(part, say)
    return command


def _loaded(place: str) -> Callable[..., None]:
    module, name = place.split(":")
    body: Callable[..., None] = getattr(import_module(module), name)
    return body


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
