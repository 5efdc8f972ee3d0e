"""One message of a transcript: who said what and when, and the key that live capture gives it too."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cli.importing.times import milliseconds_of, seconds_of
from memory.envelope import clean
from memory.turns import plain_text

_SPOKEN = frozenset({"user", "assistant"})
_ZONE = re.compile(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)? (?:GMT|UTC)([+-]\d{1,2})\b(?!:)"
)
_ID = re.compile(r'"message_id": ?"([^"\n]{1,200})"|\[message_id: ?([^\]\s]{1,200})\]')
_SENDER = re.compile(r'"sender_id": ?"([^"\n]{1,200})"')
_ENVELOPE_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Message:
    """A message that carries words, as it stands in the transcript."""

    role: str
    text: str
    time_ms: int | None
    entry_time: str | None = None
    origin: str | None = None  # where it came from, if no person wrote it
    model: str | None = None

    @property
    def is_spoken(self) -> bool:
        """Whether the user or the assistant said it; the rest are results of tools and the like."""
        return self.role in _SPOKEN

    @property
    def seconds(self) -> int | None:
        """When it was said, in Unix seconds."""
        if self.time_ms is not None:
            return self.time_ms // 1000
        return seconds_of(self.entry_time)

    @property
    def zone(self) -> str | None:
        """The speaker's zone, where the envelope names its distance from Greenwich."""
        found = _ZONE.search(self.text[:_ENVELOPE_CHARS])
        if found is None:
            return None
        # In the names of these zones the sign is turned around.
        hours = -int(found[1])
        return f"Etc/GMT{hours:+d}" if hours else "Etc/UTC"

    @property
    def channel_id(self) -> str | None:
        """The id that the channel gave it; a message that is delivered twice keeps it."""
        found = _ID.search(self.text[:_ENVELOPE_CHARS])
        return found and (found[1] or found[2])

    @property
    def sender_id(self) -> str | None:
        """Who spoke, in a group."""
        found = _SENDER.search(self.text[:_ENVELOPE_CHARS])
        return found and found[1]

    @property
    def bare(self) -> str:
        """The words alone."""
        return clean(self.text)

    def key(self, session_id: str) -> str:
        """The same for one message, whether it was captured live or is imported later."""
        mark = str(self.time_ms) if self.time_ms is not None else _digest(self.role, self.bare)
        return f"openclaw:{session_id}:{mark}:{self.role}"


def message_of(entry: Mapping[str, Any]) -> Message | None:
    """The message of a transcript's entry, or None if it holds none."""
    message = entry.get("message")
    if not isinstance(message, dict) or not isinstance(message.get("role"), str):
        return None
    provenance = message.get("provenance")
    origin = provenance.get("kind") if isinstance(provenance, dict) else None
    return Message(
        role=message["role"],
        text=plain_text(message.get("content")),
        time_ms=_milliseconds(message.get("timestamp")),
        entry_time=entry.get("timestamp"),
        origin=origin if isinstance(origin, str) else None,
        model=message.get("model"),
    )


def _milliseconds(value: Any) -> int | None:
    if isinstance(value, str):
        value = milliseconds_of(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and 0 < value < 2**53 else None


def _digest(role: str, bare: str) -> str:
    return hashlib.sha256(f"{role}\n{bare}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
