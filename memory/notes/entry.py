"""A note on its way into the store: cleaned and masked, as a turn and as a fact."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from memory.dates.moment import zone_of
from memory.envelope import clean
from memory.model import TYPE_DEFAULTS, Fact, Kind, MemoryType, Modality, Origin, Role, Scope, Turn
from memory.notes.document import Nature, Note
from memory.redact import redact
from memory.turns import content_hash

_NOON = 12 * 60
_MAX_PATH = 380  # of an event's key


@dataclass(frozen=True, slots=True)
class Entry:
    """A statement of a file, ready to be stored."""

    note: Note
    text: str
    hash: str


def entries(notes: Sequence[Note]) -> list[Entry]:
    """The notes of which something is left once they are cleaned and masked, each once."""
    found: dict[str, Entry] = {}
    for note in notes:
        text = redact(clean(note.text)).text.strip()
        if text:
            entry = Entry(note, text, content_hash(text))
            found.setdefault(entry.hash, entry)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where entries come from, and when that was written. Times are Unix seconds."""

    user_id: str
    path: str
    nature: Nature
    modified_at: int
    zone: str

    def turn(self, entry: Entry, event_key: str) -> Turn:
        """The words as they stand in the file. Private: notes belong to the private conversation."""
        return Turn(
            event_key=event_key,
            scope=Scope(self.user_id),
            role=Role.USER,
            sender=None,
            content=entry.text,
            text=entry.text,
            modality=Modality.FILE,
            timestamp=self.moment(entry.note),
            tz=self.zone,
            origin=Origin.IMPORT,
            private=True,
            content_hash=entry.hash,
        )

    def fact(self, entry: Entry) -> Fact:
        """Evergreen, unless it is of a day."""
        note, is_lasting = entry.note, self.nature.is_lasting
        is_passing = not is_lasting and note.memory_type is MemoryType.GENERAL
        defaults = TYPE_DEFAULTS[note.memory_type]
        return Fact(
            text=entry.text,
            kind=Kind.EPISODIC if is_passing else Kind.SEMANTIC,
            memory_type=note.memory_type,
            importance=defaults.importance,
            half_life_days=None if is_lasting else defaults.half_life_days,
            span=(0, len(entry.text)),
        )

    def key(self, entry: Entry) -> str:
        """File and line, as they were when the note was first read."""
        return f"note:{redact(self.path[-_MAX_PATH:]).text}:{entry.note.number}:{entry.hash[:8]}"

    def moment(self, note: Note) -> int:
        """The day that the note or its file names, else when the file was written; never later."""
        if note.day is None:
            return self.modified_at
        zone = zone_of(self.zone) or ZoneInfo("UTC")
        minute = _NOON if note.minute is None else note.minute
        try:
            start = datetime.combine(note.day, time.min, zone) + timedelta(minutes=minute)
            return max(0, min(int(start.timestamp()), self.modified_at))
        except OverflowError:
            return self.modified_at
