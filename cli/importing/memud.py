"""memud's own files: an event a line, as `capture` takes it and `export` writes it."""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cli import moments
from cli.importing.found import Fault, Found, Passed, Place, Turn, Whole, Wishes

_SCOPE = ("user_id", "agent_id", "session_id")
_EVENT = ("key", "role", "sender", "content", "modality", "timestamp", "tz", "trigger", "private")


class LineError(Exception):
    """A line that is no event. `key` names the sentence that says why."""

    def __init__(self, key: str, **fields: str) -> None:
        super().__init__(key)
        self.key = key
        self.fields = fields


def recognises(path: Path, head: bytes) -> bool:
    """Whether one of the first lines is an event or an exported fact; an empty file has none to object to."""
    if not head.strip():
        return path.suffix == ".jsonl"
    return any(_is_own(line) for line in head.splitlines()[:20])


def read(path: Path, wishes: Wishes) -> Iterator[Found]:
    """The events of a file."""
    with path.open(encoding="utf-8-sig", errors="surrogateescape") as lines:
        yield from read_lines(lines, str(path))


def read_lines(lines: Iterable[str], file: str) -> Iterator[Found]:
    """Each line that says something is an event, a fact, or bad.

    An event without a key gets one made from its words and its place among equal lines, so that a
    second import of the file finds them all known.
    """
    seen: Counter[str] = Counter()
    is_whole = False
    for number, line in enumerate(lines, 1):
        if line.strip() and not is_whole and _is_header(line):
            is_whole = True
        elif line.strip():
            yield _found(line, Place(file, number), seen, is_whole=is_whole)


def _is_header(line: str) -> bool:
    """Whether what follows is an export that comes back as it was, facts included."""
    return len(line) < 1_000 and _is_object(line.encode(errors="replace"), {"type": "export", "version": 2})


def _is_object(line: bytes, expected: Mapping[str, Any]) -> bool:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and found == expected


def _found(line: str, place: Place, seen: Counter[str], *, is_whole: bool) -> Found:
    try:
        record = _record(line)
        if is_whole:
            return Whole(place, record)
        if record.get("type") == "item":
            return Passed(place, "own_fact")
        return Turn(place, _scope(record), _event(record, line, seen))
    except LineError as error:
        return Fault(place, error.key, error.fields)


def _is_own(line: bytes) -> bool:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return False
    if not isinstance(record, dict):
        return False
    return record.get("type") in ("item", "turn", "export") or {"role", "content"} <= record.keys()


def _event(record: Mapping[str, Any], line: str, seen: Counter[str]) -> dict[str, Any]:
    event = {name: record[name] for name in _EVENT if record.get(name) is not None}
    if "role" not in event or "content" not in event:
        raise LineError("import.no_content")
    if isinstance(said := event.get("timestamp"), str):
        event["timestamp"] = _time(said)
    if "key" not in event:
        digest = hashlib.sha256(line.strip().encode(errors="surrogateescape")).hexdigest()[:32]
        seen[digest] += 1
        event["key"] = f"import:{digest}:{seen[digest]}"
    return event


def _time(text: str) -> int:
    """Unix seconds of what `send --at` takes too."""
    time = moments.parse(text)
    if time is None:
        raise LineError("import.bad_time", value=text[:40])
    return time


def _record(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line, parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise LineError("import.not_json") from error
    if not isinstance(record, dict):
        raise LineError("import.not_json")
    return record


def _finite(number: str) -> float:
    """Python reads NaN and 1e999 too, which is no JSON that could be handed on."""
    value = float(number)
    if not math.isfinite(value):
        raise ValueError(number)
    return value


def _scope(record: Mapping[str, Any]) -> dict[str, str]:
    scope = {name: record[name] for name in _SCOPE if record.get(name) is not None}
    for name, value in scope.items():
        if not isinstance(value, str):
            raise LineError("import.bad_scope", name=name)
    return scope
