"""What `--help` shows, in the reader's language throughout."""

import re
import shutil
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from typer.core import TyperCommand, TyperGroup

from cli.texts import Texts

_MAX_WIDTH = 100
# Chinese breaks between any two signs, English at blanks; no line begins with a closing sign.
_PIECES = re.compile(r"[（“]?(?:[\u2e80-\uffef]|[^\s\u2e80-\uffef]+)[，。；：、）！？”]*\s*")

Kind = TypeVar("Kind", TyperCommand, TyperGroup)


def worded(kind: type[Kind], say: Texts) -> type[Kind]:
    """The class of commands, or of the whole `memud`, whose help is written by this page."""

    def format_help(self: Any, context: Any, formatter: Any) -> None:
        formatter.write(Page(say, self, context).text())

    return type(kind.__name__, (kind,), {"format_help": format_help})


class Page:
    """The help of one command."""

    def __init__(self, say: Texts, command: Any, context: Any) -> None:
        self._say = say
        self._command = command
        self._context = context
        self._width = min(shutil.get_terminal_size().columns, _MAX_WIDTH)

    def text(self) -> str:
        """All of it, ending with a line's end."""
        parameters = self._command.get_params(self._context)
        arguments = [each for each in parameters if each.param_type_name == "argument"]
        options = [each for each in parameters if each.param_type_name == "option"]
        commands = getattr(self._command, "commands", {}).values()
        sections = (
            ("page.arguments", [(each.metavar, self._about(each)) for each in arguments]),
            ("page.options", [(_flags(each), self._about(each)) for each in options]),
            ("page.commands", [(each.name, each.help) for each in commands]),
        )
        parts = [self._usage(arguments), *_indented(self._wrapped(self._command.help, self._width - 2), 2)]
        for heading, rows in sections:
            parts += self._section(heading, rows) if rows else []
        return "\n".join(parts) + "\n"

    def _usage(self, arguments: Iterable[Any]) -> str:
        pieces = [self._context.command_path, self._say("page.options.place")]
        pieces += [each.metavar for each in arguments]
        if getattr(self._command, "commands", None):
            pieces.append(self._say("page.commands.place"))
        return self._say("page.usage", usage=" ".join(pieces)) + "\n"

    def _about(self, parameter: Any) -> str:
        if parameter.opts == ["--help"]:
            return self._say("option.help")
        if parameter.default in (None, False, ()) or getattr(parameter, "is_flag", False):
            return str(parameter.help)
        default = self._say("page.default", value=parameter.default)
        return f"{parameter.help} {default}"

    def _section(self, heading: str, rows: Sequence[tuple[str, str]]) -> list[str]:
        room = max(len(left) for left, _ in rows) + 4
        lines = ["", self._say(heading)]
        for left, right in rows:
            first, *rest = self._wrapped(right, self._width - room)
            lines += [f"  {left:<{room - 2}}{first}", *_indented(rest, room)]
        return lines

    def _wrapped(self, text: str, width: int) -> list[str]:
        lines = [""]
        for piece in _PIECES.findall(text):
            if lines[-1] and _cells(lines[-1]) + _cells(piece.rstrip()) > width:
                lines[-1] = lines[-1].rstrip()
                lines.append("")
            lines[-1] += piece
        return lines


def _indented(lines: Iterable[str], depth: int) -> list[str]:
    return [" " * depth + line for line in lines]


def _flags(option: Any) -> str:
    names = ", ".join(sorted(option.opts, key=len))
    if option.is_flag:
        return " / ".join([names, *option.secondary_opts])
    return f"{names} {option.metavar or max(option.opts, key=len).strip('-').upper()}"


def _cells(text: str) -> int:
    """The columns that a text takes in a terminal."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
