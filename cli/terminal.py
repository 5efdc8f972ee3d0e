"""Where a command's answer goes and how it reaches the daemon; gives every command its common options."""

import inspect
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn, TextIO, get_type_hints

import typer
from memud_client import Client, MemudError, TimedOutError, UnreachableError
from memud_client.paths import default_socket_path

from cli import exits
from cli.plain import plain, to_json
from cli.texts import Texts, language

Json = Annotated[bool, typer.Option("--json", help="option.json")]
Socket = Annotated[Path | None, typer.Option("--socket", help="option.socket")]
User = Annotated[str | None, typer.Option("--user", help="option.user")]

_PATIENCE_S = 30.0


@dataclass(frozen=True, slots=True)
class Terminal:
    """The common options of a command, and the way to the person or program that gave it."""

    say: Texts
    as_json: bool = False
    socket: Path | None = None
    user: str | None = None

    def client(self, *, timeout_s: float | None = _PATIENCE_S) -> Client:
        """A client of the daemon that was named."""
        return Client(self.socket, user_id=self.user, timeout_s=timeout_s)

    def scope(self) -> dict[str, Any]:
        """The user, for calls that serve every user unless one is named."""
        return {} if self.user is None else {"user_id": self.user}

    def now(self) -> int:
        """Unix seconds; a command line has no other clock than the machine's."""
        return int(time.time())  # noqa: TID251 - the edge, where the time comes in

    def show(self, text: str) -> None:
        """Words for a person."""
        typer.echo(plain(text))

    def tell(self, key: str, **fields: object) -> None:
        """A sentence of ours for a person."""
        self.show(self.say(key, **fields))

    def warn(self, key: str, **fields: object) -> None:
        """A sentence that must not get into the answer."""
        typer.echo(plain(self.say(key, **fields)), err=True)

    def answer(self, value: Any, show: Callable[["Terminal", Any], None]) -> None:
        """The daemon's answer: as it is for a program, shown by `show` for a person."""
        if self.as_json:
            typer.echo(to_json(value))
        else:
            show(self, value)

    def standard_input(self) -> TextIO:
        """What `-` reads; ends the command where a script closed it."""
        # None where it is closed, though its type does not say so.
        stream: TextIO | None = sys.stdin
        return stream or self.refuse("needs.input")

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """Rows under headings; the last column takes the room that is left."""
        # Rich takes longer to load than most commands take, and only tables need it.
        from cli.table import print_table

        print_table([self.say(f"column.{name}") for name in columns], rows)

    def sure(self, question: str, *, yes: bool, unasked: str = "needs.yes") -> None:
        """Go on if the person says so; ends the command if not, or by `unasked` if there is nobody to ask."""
        if yes:
            return
        if not sys.stdin or not sys.stdin.isatty():  # absent where a script closed it
            self.refuse(unasked)
        if not typer.confirm(question, err=True):
            self.warn("aborted")
            raise typer.Exit(exits.FAILED)

    def refuse(self, key: str, **fields: object) -> NoReturn:
        """End the command: it can't be meant like that."""
        self.fail(self.say(key, **fields), exits.USAGE)

    def fail(self, message: str, code: int, *, reason: str = "usage", hint: str = "") -> NoReturn:
        """End the command with an error on standard error."""
        self.tell_error(message, reason=reason, hint=hint)
        raise typer.Exit(code)

    def tell_error(self, message: str, *, reason: str, hint: str) -> None:
        """What went wrong and what to do now, on standard error."""
        if self.as_json:
            error = {"reason": reason, "message": message, "hint": hint}
            typer.echo(to_json({"error": error}), err=True)
            return
        self.warn("error", message=self.say.heard(message))
        if hint:
            self.warn("hint", hint=self.say.heard(hint))


def command(body: Callable[..., None]) -> Callable[..., None]:
    """A typer command from a function of a Terminal: it also takes --json, --socket and --user.

    What the daemon refuses becomes a message and an exit code.
    """

    def run(json: Json = False, socket: Socket = None, user: User = None, **options: Any) -> None:
        terminal = Terminal(Texts(language(os.environ)), json, socket, user)
        try:
            body(terminal, **options)
        except UnreachableError as error:
            _unreachable(terminal, error)
        except TimedOutError as error:
            hint = terminal.say("hint.timed_out")
            terminal.fail(str(error), exits.of_error(error), reason=error.reason, hint=hint)
        except MemudError as error:
            terminal.fail(str(error), exits.of_error(error), reason=error.reason, hint=error.hint)

    own = list(inspect.signature(body).parameters.values())[1:]
    common = list(inspect.signature(run).parameters.values())[:-1]
    parameters = [part.replace(kind=inspect.Parameter.KEYWORD_ONLY) for part in (*own, *common)]
    vars(run)["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = {**get_type_hints(body, include_extras=True), **run.__annotations__}
    run.__name__, run.__doc__ = body.__name__, body.__doc__
    return run


def _unreachable(terminal: Terminal, error: UnreachableError) -> NoReturn:
    path = terminal.socket or default_socket_path(os.environ)
    message = terminal.say(f"error.{error.reason}", path=path)
    if isinstance(error.__cause__, OSError):
        message += terminal.say("error.cause", cause=reason_of(error.__cause__, terminal))
    hint = terminal.say("hint.unreachable")
    terminal.fail(message, exits.UNREACHABLE, reason=error.reason, hint=hint)


def reason_of(error: OSError, terminal: Terminal) -> str:
    """Why the system refused, in the reader's language where that is known."""
    return terminal.say.heard(error.strerror or str(error))
