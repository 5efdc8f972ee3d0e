"""From what a person typed to the parameters of a call: what was not given is not sent."""

from typing import Any

from cli import moments
from cli.terminal import Terminal


def given(**values: Any) -> Any:
    """The values that are not None. Typed loosely on purpose: the daemon checks and names what is wrong."""
    return {name: value for name, value in values.items() if value is not None}


def ago(terminal: Terminal, text: str | None) -> int | None:
    """A point in time, or how long before now; the end of the command if it is neither."""
    return _read(terminal, text, moments.parse_ago(text, terminal.now()) if text else None)


def ahead(terminal: Terminal, text: str | None) -> int | None:
    """A point in time, or how long from now."""
    return _read(terminal, text, moments.parse_ahead(text, terminal.now()) if text else None)


def _read(terminal: Terminal, text: str | None, time: int | None) -> int | None:
    if text and time is None:
        terminal.refuse("bad.time", value=text)
    return time
