"""mem0's exports: facts with their time, as `get_all` returns them; `results` or the bare list."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cli.importing.elements import Element, begins_list, elements
from cli.importing.exports import opened
from cli.importing.found import Fact, Fault, Found, Passed, Place, Wishes
from cli.importing.times import seconds_of
from memory.model import MemoryType

_TYPES = frozenset(MemoryType)
_FIELD = '"memory"'


def recognises(path: Path, head: bytes) -> bool:
    """Whether it is a list of memories with ids."""
    text = head.decode("utf-8-sig", "replace")
    return path.suffix == ".json" and begins_list(text) and _FIELD in text and '"id"' in text


def read(path: Path, wishes: Wishes) -> Iterator[Found]:
    """Each memory as a fact, in its own words and of its own time.

    All go to one user unless the export holds several: then each keeps the one it names.
    """
    users = {str(one.value.get("user_id")) for one in _elements(path) if isinstance(one.value, dict)}
    for element in _elements(path):
        place = Place(str(path), element.line)
        if element.broken:
            yield Fault(place, "import.broken_json", {"cause": element.broken})
        else:
            yield _fact(element.value, place, keeps_user=len(users) > 1)


def _elements(path: Path) -> Iterator[Element]:
    with opened(path, None) as stream:
        yield from elements(stream, "memory")


def _fact(record: Any, place: Place, *, keeps_user: bool) -> Found:
    words = record.get("memory") if isinstance(record, dict) else None
    if not isinstance(words, str) or record.get("id") is None:
        return Fault(place, "import.no_memory")
    if not words.strip():
        return Passed(place, "empty")
    statement = {
        "memory": words,
        "key": f"mem0:{record['id']}",
        "infer": False,
        "timestamp": seconds_of(record.get("updated_at")) or seconds_of(record.get("created_at")),
        "memory_type": _memory_type(record),
    }
    scope = _scope(record, keeps_user=keeps_user)
    return Fact(place, scope, {name: value for name, value in statement.items() if value is not None})


def _memory_type(record: Mapping[str, Any]) -> str | None:
    metadata = record.get("metadata")
    kind = metadata.get("type") if isinstance(metadata, dict) else None
    return kind if isinstance(kind, str) and kind in _TYPES else None


def _scope(record: Mapping[str, Any], *, keeps_user: bool) -> dict[str, str]:
    names = {"agent_id": record.get("agent_id"), "session_id": record.get("run_id")}
    names["user_id"] = record.get("user_id") if keeps_user else None
    return {name: value for name, value in names.items() if isinstance(value, str) and value}
