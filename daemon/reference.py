"""Prints docs/PROTOCOL.md: the prose of reference.md, filled from the wire types, so that it can't drift."""

import sys
from collections.abc import Iterable, Iterator
from enum import Enum
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import inspect

from config.settings import defaults
from daemon.protocol.call import Call, Params, Reading
from daemon.protocol.connection import Lagged
from daemon.protocol.errors import CODES
from daemon.protocol.examples import EXAMPLES
from daemon.protocol.fields import INT64_MAX, INT64_MIN
from daemon.protocol.frames import MAX_BATCH
from daemon.protocol.glossary import GLOSSARY
from daemon.protocol.signature import Signature
from daemon.protocol.table import METHOD_ALIASES, PARAM_ALIASES, SIGNATURES
from memory.outbox import Notice


def reference() -> str:
    """The whole page."""
    settings = defaults()
    return (
        (files("daemon") / "reference.md")
        .read_text(encoding="utf-8")
        .format(
            **settings["server"],
            queue_rows=settings["outbox"]["queue_rows"],
            max_batch=MAX_BATCH,
            common=_parameters(_fields(Call)),
            reading=_parameters(field for field in _fields(Reading) if field.name == "private"),
            index=", ".join(f"[`{one.name}`](#{_anchor(one.name)})" for one in SIGNATURES),
            methods="\n\n".join(_method(signature) for signature in SIGNATURES),
            event=_table(_fields(Notice)),
            event_example=_event_example(),
            lagged=_table(_fields(Lagged)),
            records="\n\n".join(_record(kind) for kind in _records()),
            errors=_errors(),
            method_aliases=_aliases(METHOD_ALIASES),
            param_aliases=_aliases(PARAM_ALIASES),
        )
    )


def _method(signature: Signature[Any, Any]) -> str:
    own = [field for field in _fields(signature.params) if not _is_common(signature.params, field)]
    reading = " *reading*" if issubclass(signature.params, Reading) else ""
    frame = {"jsonrpc": "2.0", "id": 1, "method": signature.name, "params": EXAMPLES[signature.name]}
    parts = [
        f"### {signature.name}",
        f"{signature.summary}{reading}",
        _parameters(own) if own else "No parameters of its own.",
        f"Result: {_first_line(signature.result)}",
        _table(_fields(signature.result)),
        f"```json\n{msgspec.json.encode(frame).decode()}\n```",
    ]
    return "\n\n".join(parts)


def _is_common(params: type[Any], field: inspect.Field) -> bool:
    shared = Reading if issubclass(params, Reading) else Call
    names = {one.name for one in msgspec.structs.fields(shared)} if issubclass(params, Call) else set()
    # A method may need a common parameter that others leave optional.
    return field.name in names and not field.required


def _record(kind: type[Any]) -> str:
    table = _parameters if issubclass(kind, Params) else _table
    return f"### {kind.__name__}\n\n{_first_line(kind)}\n\n{table(_fields(kind))}"


def _event_example() -> str:
    data = {"session_id": "s1", "ratio": 0.81}
    notice = Notice(cursor=42, topic="compaction", user_id="ann", payload=data, created_at=1780000000)
    return msgspec.json.encode({"jsonrpc": "2.0", "method": "event", "params": notice}).decode()


def _errors() -> str:
    rows = [f"| {code.code} | `{code.reason}` | {code.meaning} |" for code in CODES]
    return "\n".join(["| code | reason | meaning |", "|---|---|---|", *rows])


def _aliases(aliases: dict[str, str]) -> str:
    return ", ".join(f"`{alias}` = `{name}`" for alias, name in aliases.items())


def _anchor(name: str) -> str:
    return name.replace(".", "")


def _first_line(kind: type[Any]) -> str:
    return (kind.__doc__ or "").strip().splitlines()[0]


def _fields(kind: type[Any]) -> tuple[inspect.Field, ...]:
    described = inspect.type_info(kind)
    if isinstance(described, inspect.StructType | inspect.DataclassType):
        return described.fields
    raise TypeError(f"{kind} has no fields")


def _parameters(fields: Iterable[inspect.Field]) -> str:
    """A table of parameters: needed ones in bold, others with their default."""
    return _rows((_parameter(field), field) for field in fields)


def _table(fields: Iterable[inspect.Field]) -> str:
    """A table of the fields of a result or record."""
    return _rows((f"`{field.name}`", field) for field in fields)


def _rows(rows: Iterable[tuple[str, inspect.Field]]) -> str:
    lines = [f"| {name} | {_words(field.type)} | {_meaning(field)} |" for name, field in rows]
    return "\n".join(["| field | type | meaning |", "|---|---|---|", *lines])


def _parameter(field: inspect.Field) -> str:
    if field.required:
        return f"**`{field.name}`**"
    default = field.default.value if isinstance(field.default, Enum) else field.default
    if isinstance(default, bool | int | float | str):
        return f"`{field.name}` = {msgspec.json.encode(default).decode()}"
    return f"`{field.name}`"


def _meaning(field: inspect.Field) -> str:
    own = field.type.extra_json_schema if isinstance(field.type, inspect.Metadata) else None
    return own["description"] if own else GLOSSARY[field.name]


def _words(kind: inspect.Type) -> str:
    """A type in words."""
    match kind:
        case inspect.Metadata(type=inspect.RawType(), extra={"type": wanted}):
            return _link(wanted)
        case inspect.Metadata():
            return _words(kind.type)
        case inspect.UnionType():
            return " or ".join(_words(part) for part in kind.types)
        case inspect.ListType() | inspect.VarTupleType():
            most = f" (at most {kind.max_length})" if kind.max_length else ""
            return f"list of {_words(kind.item_type)}{most}"
        case inspect.TupleType():
            return f"[{', '.join(_words(part) for part in kind.item_types)}]"
        case inspect.DictType():
            return f"object of {_words(kind.value_type)}"
        case inspect.StructType() | inspect.DataclassType():
            return _link(kind.cls)
        case _:
            return _plain(kind)


def _plain(kind: inspect.Type) -> str:
    match kind:
        case inspect.EnumType():
            return " \\| ".join(f"`{one.value}`" for one in kind.cls)
        case inspect.LiteralType():
            return " \\| ".join(f"`{value}`" for value in kind.values)
        case inspect.StrType():
            return "string" + _bounds(kind.min_length, kind.max_length, " characters")
        case inspect.IntType():
            return (
                "integer"
                if (kind.ge, kind.le) == (INT64_MIN, INT64_MAX)
                else "integer" + _bounds(kind.ge, kind.le)
            )
        case inspect.FloatType():
            return "number" + _bounds(kind.ge, kind.le)
        case inspect.BoolType():
            return "boolean"
        case inspect.RawType():
            return "number or string"
        case inspect.NoneType():
            return "null"
        case _:
            return "any JSON"


def _bounds(least: float | None, most: float | None, unit: str = "") -> str:
    if least is None and most is None:
        return ""
    return f" ({least or 0:g}..{most}{unit})" if most is not None else f" (from {least:g}{unit})"


def _link(kind: type[Any]) -> str:
    return f"[{kind.__name__}](#{kind.__name__.lower()})"


def _records() -> list[type[Any]]:
    """Every record that a parameter or result holds, by name."""
    tops = {kind for signature in SIGNATURES for kind in (signature.params, signature.result)}
    found: set[type[Any]] = set()
    waiting = [inspect.type_info(kind) for kind in tops]
    while waiting:
        for kind in _inner(waiting.pop()):
            if isinstance(kind, inspect.StructType | inspect.DataclassType) and kind.cls not in found:
                found.add(kind.cls)
            waiting.append(kind)
    return sorted(found - tops, key=lambda kind: kind.__name__)


def _inner(kind: inspect.Type) -> Iterator[inspect.Type]:
    match kind:
        case inspect.Metadata(type=inspect.RawType(), extra={"type": wanted}):
            yield inspect.type_info(wanted)
        case inspect.Metadata():
            yield kind.type
        case inspect.UnionType():
            yield from kind.types
        case inspect.ListType() | inspect.VarTupleType():
            yield kind.item_type
        case inspect.DictType():
            yield kind.value_type
        case inspect.StructType() | inspect.DataclassType():
            yield from (field.type for field in kind.fields)


if __name__ == "__main__":
    sys.stdout.write(reference())
