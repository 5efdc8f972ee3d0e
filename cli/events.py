"""A file of events, one JSON object a line, cut into calls of `capture`; bad lines are kept by number."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cli import moments

_MAX_EVENTS = 200
_MAX_BYTES = 1_000_000
_SCOPE = ("user_id", "agent_id", "session_id")
_EVENT = ("key", "role", "sender", "content", "modality", "timestamp", "tz", "trigger", "private")


@dataclass(slots=True)
class Batch:
    """Events of one scope, in the file's order, with the line each came from."""

    scope: Mapping[str, str]
    events: list[dict[str, Any]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    bytes: int = 0

    def has_room(self, scope: Mapping[str, str], size: int) -> bool:
        """Whether an event of this scope and size fits into the same call."""
        return scope == self.scope and len(self.events) < _MAX_EVENTS and self.bytes + size <= _MAX_BYTES


class LineError(Exception):
    """A line that is no event. `key` names the sentence that says why."""

    def __init__(self, key: str, **fields: str) -> None:
        super().__init__(key)
        self.key = key
        self.fields = fields


class Reading:
    """Iterates over the batches of a file; afterwards `bad`, `skipped` and `facts` tell what was left out.

    `lines` counts the lines that say something; each of them is an event, a fact or bad.

    An event without a key gets one made from its words and its place among equal lines, so that a
    second import of the file finds them all known. A `user` that was named wins over the file's own;
    `others` then counts the lines of other users.
    """

    def __init__(self, lines: Iterable[str], user: str | None = None) -> None:
        self.bad: list[dict[str, Any]] = []
        self.skipped: list[dict[str, Any]] = []
        self.facts = 0
        self.lines = 0
        self.others = 0
        self._lines = lines
        self._user = user
        self._seen: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Batch]:
        batch = Batch({})
        for number, line in enumerate(self._lines, 1):
            read = self._read(number, line)
            if read is None:
                continue
            scope, event = read
            size = len(line.encode(errors="surrogateescape"))
            if not batch.has_room(scope, size):
                if batch.events:
                    yield batch
                batch = Batch(scope)
            batch.events.append(event)
            batch.lines.append(number)
            batch.bytes += size
        if batch.events:
            yield batch

    def left_out(self, batch: Batch, skipped: Iterable[Mapping[str, Any]]) -> None:
        """Keep what the daemon did not store, by line."""
        for event in skipped:
            line, detail = batch.lines[event["index"]], event.get("detail", "")
            self.skipped.append({"line": line, "reason": event["reason"], "detail": detail})

    def _read(self, number: int, line: str) -> tuple[dict[str, str], dict[str, Any]] | None:
        if not line.strip():
            return None
        self.lines += 1
        try:
            record = _record(line)
            if record.get("type") == "item":
                self.facts += 1
                return None
            event = self._event(record, line)
            return self._whose(_scope(record)), event
        except LineError as error:
            self.bad.append({"line": number, "reason": error.key, "fields": error.fields})
            return None

    def _whose(self, scope: dict[str, str]) -> dict[str, str]:
        if self._user is None:
            return scope
        if scope.get("user_id", self._user) != self._user:
            self.others += 1
        return {**scope, "user_id": self._user}

    def _event(self, record: Mapping[str, Any], line: str) -> dict[str, Any]:
        event = {name: record[name] for name in _EVENT if record.get(name) is not None}
        if "role" not in event or "content" not in event:
            raise LineError("import.no_content")
        if isinstance(said := event.get("timestamp"), str):
            event["timestamp"] = _time(said)
        event["origin"] = "import"  # so that what the user had forgotten stays away
        if "key" not in event:
            digest = hashlib.sha256(line.strip().encode(errors="surrogateescape")).hexdigest()[:32]
            self._seen[digest] += 1
            event["key"] = f"import:{digest}:{self._seen[digest]}"
        return event


def _time(text: str) -> int:
    """Unix seconds of what `send --at` takes too."""
    time = moments.parse(text)
    if time is None:
        raise LineError("import.bad_time", value=text[:40])
    return time


def _record(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LineError("import.not_json") from error
    if not isinstance(record, dict):
        raise LineError("import.not_json")
    return record


def _scope(record: Mapping[str, Any]) -> dict[str, str]:
    scope = {name: record[name] for name in _SCOPE if record.get(name) is not None}
    for name, value in scope.items():
        if not isinstance(value, str):
            raise LineError("import.bad_scope", name=name)
    return scope
