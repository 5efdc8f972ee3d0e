"""What is wrong with a command line, in one sentence and in the reader's language."""

import difflib
import re
from typing import Any

from typer.exceptions import TyperException

from cli.texts import Texts

_NOT_ONE_OF = re.compile(r"'(?P<given>[^']*)' is not one of (?P<known>'.*')\.\Z", re.DOTALL)


def fault(error: TyperException, say: Texts) -> tuple[str, str]:
    """The sentence, and where to look for what is right."""
    context: Any = getattr(error, "ctx", None)
    hint = say("hint.usage", command=context.command_path) if context else ""
    return say.heard(_told(error.format_message())), hint


def _told(message: str) -> str:
    """Without the library's own words, and with the nearest of the values that would be right."""
    message = message.replace("Value error, ", "")
    choice = _NOT_ONE_OF.search(message)
    if choice is None:
        return message
    known = re.findall(r"'([^']*)'", choice["known"])
    return message[: choice.start()] + not_one_of(choice["given"], known)


def not_one_of(given: str, known: list[str]) -> str:
    """That a value is none of those that are known, and which of them is near."""
    nearest = difflib.get_close_matches(given, known, n=1)
    advice = f"; the nearest is {nearest[0]}" if nearest else ""
    return f"{given} is not one of {', '.join(known)}{advice}"
