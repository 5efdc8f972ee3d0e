"""Takes an event in: cleaned, masked, judged, then stored with its queue entry in one transaction."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import msgspec

from config.settings import CaptureSettings
from memory import queue
from memory.dates.moment import is_zone
from memory.envelope import clean, sender_of
from memory.ids import NewId
from memory.model import Modality, Origin, Resource, Role, Scope, Turn
from memory.ports import Batching
from memory.queue.room import Limits, Room
from memory.redact import redact, redact_json, redact_name
from memory.store import resources, retold, skips, tombstones
from memory.turns import content_hash, plain_text, skip_reason

# A host may note another time for a turn than it tells when the turn is captured live. An import brings what
# may have been captured long since; what is captured may have been imported only while its turn went on.
_SAME_TURN_S = 600
_IN_FLIGHT_S = 60
_MOST_BYTES_A_CHAR = 4  # in UTF-8

_ORIGINS = {Role.USER: Origin.USER, Role.ASSISTANT: Origin.ASSISTANT}


@dataclass(frozen=True, slots=True)
class Event:
    """What an agent sends, already checked for type and size. Times are Unix seconds."""

    key: str | None  # None: made from the event itself
    scope: Scope
    role: Role
    content: Any
    timestamp: int | None = None
    sender: str | None = None
    modality: Modality = Modality.CHAT
    tz: str | None = None  # None: the zone of this machine
    trigger: str | None = None
    private: bool = True
    origin: Origin | None = None  # import, for what comes from elsewhere


@dataclass(frozen=True, slots=True)
class Prepared:
    """An event with its key, cleaned and masked: the turn it makes, or the reason why it makes none."""

    key: str
    user_id: str
    turn: Turn | None
    skipped: str | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of an event: one of the three; none in a dry run, where it would be stored."""

    stored: Resource | None = None
    duplicate_of: str | None = None  # the first one's id; "" when it was forgotten since
    skipped: str | None = None

    @property
    def is_queued(self) -> bool:
        """Whether it waits for its effects: only the user's own words become facts."""
        return self.stored is not None and self.stored.turn.role is Role.USER


class Intake:
    """The door to the store. What comes back as stored is durable once its transaction has committed."""

    def __init__(
        self,
        settings: CaptureSettings,
        new_id: NewId,
        local_zone: str = "UTC",
        batching: Batching = Batching(),  # noqa: B008 - frozen
    ) -> None:
        self._settings = settings
        self._room = Room(Limits(settings.max_queued, settings.max_queued_bytes), background=False)
        self._room_for_imported = Room(Limits(settings.max_imported), background=True)
        self._batching = batching
        self._new_id = new_id
        self._local_zone = local_zone

    def prepare(self, event: Event, now: int) -> Prepared:
        """Clean and mask an event; pure computing, milliseconds for a long one: not for the event loop."""
        key, user_id = self._key(event), event.scope.user_id
        reason = skip_reason(event.role, plain_text(event.content), event.trigger)
        return Prepared(key, user_id, None if reason else self._turn(event, key, now), reason)

    def take(self, connection: apsw.Connection, prepared: Prepared, now: int) -> Taken:
        """Store one event, or say why not."""
        kept_out = self.look(connection, prepared)
        if kept_out is None and prepared.turn is not None:
            return self._store(connection, prepared.turn, now)
        fate = kept_out or Taken(skipped="empty")
        if fate.skipped is not None:
            skips.count(connection, prepared.user_id, fate.skipped, now)
        return fate

    def look(self, connection: apsw.Connection, prepared: Prepared) -> Taken | None:
        """Why an event would not be stored, or None if it would. Changes nothing."""
        turn, user_id = prepared.turn, prepared.user_id
        if turn is None:
            return Taken(skipped=prepared.skipped or "empty")
        if resources.has_event(connection, user_id, turn.event_key):
            known = resources.id_of_event(connection, user_id, turn.event_key)
            return Taken(duplicate_of=known or "")
        is_import = turn.origin is Origin.IMPORT
        if twin := resources.counterpart(connection, turn, _SAME_TURN_S if is_import else _IN_FLIGHT_S):
            return Taken(duplicate_of=twin)
        if is_import and tombstones.is_forgotten(connection, user_id, turn.content_hash):
            return Taken(skipped="forgotten")
        return None

    def check_room(
        self, connection: apsw.Connection, incoming: Sequence[Prepared] = (), *, imported: bool = False
    ) -> None:
        """Raise BusyError when as much waits as may: of today's turns, or of those brought in."""
        room = self._room_for_imported if imported else self._room
        size_bytes = sum(_MOST_BYTES_A_CHAR * len(one.turn.text) for one in incoming if one.turn)
        room.admit(connection, len(incoming), size_bytes)

    @property
    def max_in_flight(self) -> int:
        """How many captures may wait for their commit."""
        return self._settings.max_in_flight

    def _key(self, event: Event) -> str:
        """The event's own key, or one from itself: the same words at the same moment are the same event.

        Without a moment there is no telling, and an "ok" said twice is two.
        """
        if event.key is not None:
            return redact_name(event.key)
        if event.timestamp is None:
            return self._new_id("auto")
        whole = [event.scope.session_id, event.role, event.sender, event.timestamp, event.content]
        return "auto-" + hashlib.sha256(msgspec.json.encode(whole)).hexdigest()[:32]

    def _turn(self, event: Event, key: str, now: int) -> Turn:
        content = redact_json(_cleaned(event.content))
        text = plain_text(content)
        sender = event.sender or sender_of(plain_text(event.content))
        return Turn(
            event_key=key,
            scope=event.scope,
            role=event.role,
            sender=sender and redact(sender).text,
            content=content,
            text=text,
            modality=event.modality,
            timestamp=self._moment(event.timestamp, now),
            tz=event.tz if event.tz and is_zone(event.tz) else self._local_zone,
            origin=event.origin or _ORIGINS.get(event.role, Origin.TOOL),
            private=event.private,
            content_hash=content_hash(text),
        )

    def _moment(self, timestamp: int | None, now: int) -> int:
        """When it was said: a moment in the future would make a memory that never ages."""
        if timestamp is None or timestamp > now + self._settings.clock_slack_s:
            return now
        return max(timestamp, 0)

    def _store(self, connection: apsw.Connection, turn: Turn, now: int) -> Taken:
        stored = resources.insert(connection, turn, self._new_id("t"), now)
        retold.mark(connection, stored)
        taken = Taken(stored=stored)
        if taken.is_queued:
            queue.put(connection, stored, self._new_id("q"), now, self._batching)
        return taken


def _cleaned(content: Any) -> Any:
    """The content with envelopes and injected blocks taken out of its words."""
    if isinstance(content, str):
        return clean(content)
    if isinstance(content, list):
        return [_cleaned_part(part) for part in content]
    return _cleaned_part(content)


def _cleaned_part(part: Any) -> Any:
    if isinstance(part, str):
        return clean(part)
    if isinstance(part, dict) and isinstance(part.get("text"), str):
        return {**part, "text": clean(part["text"])}
    return part
