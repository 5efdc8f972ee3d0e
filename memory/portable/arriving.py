"""Records into the store, as they were; what is known stays as it is, what was forgotten stays away."""

import hashlib
from dataclasses import dataclass, field
from typing import Any

import apsw
import msgspec

from memory import fulltext
from memory.ids import NewId
from memory.portable.records import AnyRecord, CategoryRecord, ItemRecord, LinkRecord, TurnRecord
from memory.redact import redact, redact_json, redact_name
from memory.store import categories, filings, items, tombstones
from memory.store.items import Wording
from memory.store.sequence import next_key
from memory.turns import content_hash, plain_text


@dataclass(slots=True)
class Arrived:
    """What became of the records."""

    added: int = 0
    known: int = 0
    skipped: dict[int, str] = field(default_factory=dict)  # by place: `forgotten`, `no_source`
    keys: list[int] = field(default_factory=list)  # of what is new


class Arrival:
    """Takes records in within one transaction of the writer. All of it is one user's, whatever it says."""

    def __init__(self, connection: apsw.Connection, user_id: str, now: int, new_id: NewId) -> None:
        self._connection = connection
        self._user_id = user_id
        self._now = now
        self._new_id = new_id
        self.arrived = Arrived()

    def take(self, place: int, record: AnyRecord) -> None:
        """Store a record that is not known."""
        if isinstance(record, CategoryRecord):
            reason = self._category(record)
        elif isinstance(record, TurnRecord):
            reason = self._turn(record)
        elif isinstance(record, ItemRecord):
            reason = self._item(record)
        else:
            reason = self._link(record)
        if reason == "added":
            self.arrived.added += 1
        elif reason == "known":
            self.arrived.known += 1
        else:
            self.arrived.skipped[place] = reason

    def _category(self, record: CategoryRecord) -> str:
        name = redact(record.name).text
        if categories.find(self._connection, self._user_id, name):
            return "known"
        everyday = record.everyday
        if everyday and categories.find_everyday(self._connection, self._user_id, everyday, ()):
            everyday = None
        categories.make(self._connection, self._user_id, name, record.made_by, self._new_id, everyday)
        return "added"

    def _turn(self, record: TurnRecord) -> str:
        content = redact_json(record.content)
        text = plain_text(content)
        hashed, key = content_hash(text), redact(record.key).text
        if self._resource_id(record.id, key):
            return "known"
        if self._is_forgotten(key, hashed):
            return "forgotten"
        number = next_key(self._connection)
        self._connection.execute(
            """
            INSERT INTO resources (
              key, id, event_key, user_id, agent_id, session_id, role, sender, modality, content,
              timestamp, tz, origin, private, content_hash, arrived_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            (
                number, self._own("resources", record.id), key, self._user_id, _masked(record.agent_id),
                _masked(record.session_id), record.role, record.sender and redact(record.sender).text,
                record.modality, msgspec.json.encode(content).decode(), self._past(record.timestamp),
                redact(record.tz).text,
                record.origin, record.private, hashed, self._now,
            ),
        )  # fmt: skip
        fulltext.put(self._connection, number, self._user_id, text, private=record.private)
        self.arrived.keys.append(number)
        return "added"

    def _item(self, record: ItemRecord) -> str:
        item_id, words = self._own("items", record.id), redact(record.memory).text
        if self._has_item(item_id):
            return "known"
        if tombstones.is_forgotten(self._connection, self._user_id, content_hash(words)):
            return "forgotten"
        found = [(one, self._resource_id(one.resource_id, redact(one.key).text)) for one in record.sources]
        sources = [(one, turn_id) for one, turn_id in found if turn_id]
        if not sources and record.trust != "edited":
            return "no_source"
        self._insert(record, item_id, words)
        for one, turn_id in sources:
            start, end = one.span or (None, None)
            self._connection.execute(
                "INSERT OR IGNORE INTO item_sources VALUES (?, ?, ?, ?, ?)",
                (item_id, turn_id, start, end, self._past(one.stated_at)),
            )
        for version in record.versions:
            turn = version.resource_id and self._own("resources", version.resource_id)
            wording = Wording(redact(version.memory).text, turn)
            items.add_version(
                self._connection, item_id, wording, self._past(version.replaced_at), version.cause
            )
        self._file(record, item_id)
        return "added"

    def _insert(self, record: ItemRecord, item_id: str, words: str) -> None:
        number = next_key(self._connection)
        self._connection.execute(
            """
            INSERT INTO items (
              key, id, user_id, agent_id, session_id, resource_id, kind, memory_type, content, importance,
              half_life_days, created_at, updated_at, stated_at, reinforced, valid_from, valid_until,
              superseded_by, superseded_at, pinned, private, trust, content_hash
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            (
                number, item_id, self._user_id, _masked(record.agent_id), _masked(record.session_id),
                record.said_in and self._own("resources", record.said_in), record.kind, record.memory_type,
                words, record.importance, record.half_life_days, self._past(record.created_at),
                self._past(record.updated_at), self._past(record.stated_at), record.reinforced,
                record.valid_from, record.valid_until,
                record.superseded_by and self._own("items", record.superseded_by), record.superseded_at,
                record.pinned, record.private, record.trust, content_hash(words),
            ),
        )  # fmt: skip
        fulltext.put(self._connection, number, self._user_id, words, private=record.private)
        self.arrived.keys.append(number)

    def _file(self, record: ItemRecord, item_id: str) -> None:
        found = []
        for name in record.categories:
            named = redact(name).text
            made = categories.find(self._connection, self._user_id, named) or categories.make(
                self._connection, self._user_id, named, "person", self._new_id
            )
            found.append(made.id)
        if found:
            categories.file(self._connection, item_id, found, record.filed)
        else:
            filings.mark(self._connection, item_id, record.filed)

    def _link(self, record: LinkRecord) -> str:
        newer, older = self._own("items", record.from_id), self._own("items", record.to_id)
        if not (self._has_item(newer) and self._has_item(older)):
            return "no_source"
        self._connection.execute(
            "INSERT OR IGNORE INTO item_links VALUES (?, ?, ?, ?, ?)",
            (newer, older, record.relation, redact(record.rule).text, self._past(record.created_at)),
        )
        return "added" if self._connection.changes() else "known"

    def _resource_id(self, exported: str, key: str) -> str | None:
        """The turn of that id, else the user's own that came with the same event key."""
        row: str | None = self._connection.execute(
            """
            SELECT id FROM resources WHERE user_id = ?1 AND (id = ?2 OR event_key = ?3)
            ORDER BY id = ?2 DESC LIMIT 1
            """,
            (self._user_id, self._own("resources", exported), key),
        ).get
        return row

    def _has_item(self, item_id: str) -> bool:
        """Whether the user has the fact, in the archive too: what the cleanup put there is no news."""
        row = self._connection.execute(
            """
            SELECT EXISTS (SELECT 1 FROM items WHERE user_id = ?1 AND id = ?2)
                OR EXISTS (SELECT 1 FROM archive WHERE user_id = ?1 AND id = ?2)
            """,
            (self._user_id, item_id),
        ).get
        return bool(row)

    def _own(self, table: str, exported: str) -> str:
        """The id here: the same, unless another user of this store has it."""
        owner: Any = self._connection.execute(_OWNERS[table], (exported,)).get
        if owner is None or owner == self._user_id:
            return exported
        kind = exported.partition("-")[0]
        return f"{kind}-{hashlib.sha256(f'{self._user_id} {exported}'.encode()).hexdigest()[:16]}"

    def _is_forgotten(self, key: str, hashed: str) -> bool:
        row = self._connection.execute(
            """
            SELECT EXISTS (
              SELECT 1 FROM tombstones
              WHERE user_id = ?1
                AND (subject = 'event_key' AND value = ?2 OR subject = 'content' AND value = ?3)
            )
            """,
            (self._user_id, key, hashed),
        ).get
        return bool(row)

    def _past(self, moment: int) -> int:
        """Never later than now: such a memory would not age."""
        return min(moment, self._now)


_OWNERS = {
    "resources": "SELECT user_id FROM resources WHERE id = ?1",
    "items": """
      SELECT user_id FROM items WHERE id = ?1 UNION ALL SELECT user_id FROM archive WHERE id = ?1 LIMIT 1
    """,
}


def _masked(name: str | None) -> str | None:
    return name and redact_name(name)
