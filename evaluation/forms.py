"""Which form the rows of a set should have: a small check for each kind of value."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

Check = Callable[[Any], bool]
Form = Mapping[str, Check]  # by field; what else a row has does not matter


def text(value: Any) -> bool:
    """Any words."""
    return isinstance(value, str)


def label(value: Any) -> bool:
    """What names a thing: words or a whole number."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def number(value: Any) -> bool:
    """Any number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def time(value: Any) -> bool:
    """An ISO time."""
    return _is_read(value, datetime.fromisoformat)


def time_in(form: str) -> Check:
    """A time in a form of its own."""
    return lambda value: _is_read(value, lambda said: datetime.strptime(said, form))  # noqa: DTZ007 - read as UTC


def one_of(*values: Any) -> Check:
    """One of these, of the same type."""
    return lambda value: any(type(value) is type(each) and value == each for each in values)


def optional(check: Check) -> Check:
    """It, or null."""
    return lambda value: value is None or check(value)


def many(check: Check, at_least: int = 0) -> Check:
    """A list of it."""
    return lambda value: isinstance(value, list) and len(value) >= at_least and all(map(check, value))


def rows(form: Form, at_least: int = 0) -> Check:
    """A list of objects in a form."""
    return many(lambda value: fault(value, form) is None, at_least)


def fault(value: Any, form: Form) -> str | None:
    """What is wrong with a row, in words; None where nothing is."""
    if not isinstance(value, dict):
        return "no object"
    for field, check in form.items():
        if field not in value:
            return f"no `{field}`"
        if not check(value[field]):
            return f"`{field}` of another form"
    return None


def _is_read(value: Any, read: Callable[[str], datetime]) -> bool:
    try:
        return isinstance(value, str) and read(value).year > 0
    except ValueError:
        return False
