"""Raw params to a method's typed params, and what is wrong with them in words."""

import difflib
import re
import typing
from enum import Enum
from typing import Any, TypeVar

import msgspec
from msgspec import Raw, Struct

from daemon.protocol.errors import ParseError
from daemon.protocol.fields import NO_CONTROL, NO_NUL
from daemon.protocol.table import PARAM_ALIASES
from memory.errors import InvalidError

P = TypeVar("P")

_UNKNOWN = re.compile(
    r"Object contains unknown field `(?P<name>.*?)`( - at `\$\.(?P<path>.*)`)?\Z", re.DOTALL
)
_NO_SUCH_VALUE = re.compile(
    r"Invalid enum value '(?P<value>.*?)'( - at `\$\.(?P<path>[\w.]+)(\[[\d.]+\])?`)?\Z", re.DOTALL
)
_PATTERNS = {repr(NO_CONTROL): "without control characters", repr(NO_NUL): "without NUL"}


def read_params(kind: type[P], raw: bytes) -> P:
    """Params of this kind. Raises InvalidError that names the parameter and the nearest known one."""
    text = b"{}" if raw in (b"", b"null") else raw
    try:
        return msgspec.json.decode(_without_aliases(text), type=kind)
    except msgspec.ValidationError as error:
        raise _explained(kind, str(error)) from error
    except msgspec.DecodeError as error:
        raise ParseError(f"not JSON: {error}", hint="Send UTF-8.") from error
    except RecursionError as error:
        raise InvalidError("the parameters are nested too deeply", hint="Nest at most 64 deep.") from error


def _without_aliases(text: bytes) -> bytes:
    if not any(f'"{alias}"'.encode() in text for alias in PARAM_ALIASES):
        return text
    given = msgspec.json.decode(text, type=dict[str, Raw])
    for alias, name in PARAM_ALIASES.items():
        if alias in given and name in given:
            raise InvalidError(f"`{alias}` and `{name}` are the same parameter", hint="Give one of them.")
    return msgspec.json.encode({PARAM_ALIASES.get(name, name): value for name, value in given.items()})


def _explained(kind: type[Any], message: str) -> InvalidError:
    if no_value := _NO_SUCH_VALUE.match(message):
        return _no_such_value(kind, no_value["path"] or "", no_value["value"][:64])
    unknown = _UNKNOWN.match(message)
    if unknown is None:
        return InvalidError(_in_words(message), hint="docs/PROTOCOL.md has the parameters of each method.")
    owner = _struct_at(kind, unknown["path"])
    known = [field.encode_name for field in msgspec.structs.fields(owner)]
    name = unknown["name"][:64]
    nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
    advice = f"; the nearest known one is `{nearest[0]}`" if nearest else ""
    return InvalidError(f"unknown parameter `{name}`{advice}", hint="Known are: " + ", ".join(known) + ".")


def _no_such_value(kind: type[Any], path: str, value: str) -> InvalidError:
    *_, name = path.split(".")
    known = _values(typing.get_type_hints(_struct_at(kind, path)).get(name))
    nearest = difflib.get_close_matches(value, known, n=1)
    advice = f"; the nearest is {nearest[0]}" if nearest else ""
    return InvalidError(
        f"`{name}`: {value} is none of {', '.join(known)}{advice}",
        hint="docs/PROTOCOL.md has the parameters of each method.",
    )


def _values(hint: Any) -> list[str]:
    """The values of an enumeration or literal, however deep in lists and alternatives."""
    if isinstance(hint, type) and issubclass(hint, Enum):
        return [str(member.value) for member in hint]
    parts = typing.get_args(hint)
    if typing.get_origin(hint) is typing.Literal:
        return [str(part) for part in parts]
    return [value for part in parts for value in _values(part)]


def _in_words(message: str) -> str:
    for pattern, words in _PATTERNS.items():
        message = message.replace(f"matching regex {pattern}", words)
    return message[:300]


def _struct_at(kind: type[Any], path: str | None) -> type[Struct]:
    """The struct inside `kind` at a path such as `context`; `kind` itself for none."""
    owner: type[Struct] = kind
    for name in (path or "").split("."):
        hint = typing.get_type_hints(owner).get(name)
        inner = [part for part in (hint, *typing.get_args(hint)) if isinstance(part, type)]
        owner = next((part for part in inner if issubclass(part, Struct)), owner)
    return owner
