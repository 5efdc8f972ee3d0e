"""Turns: the words as they were said."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import apsw
import msgspec

from memory import fulltext
from memory.model import Modality, Origin, Resource, Role, Scope, Turn
from memory.ports import Vector
from memory.store.sequence import next_key
from memory.turns import plain_text

_NO_END = 2**63 - 1
_SELECT = """
  SELECT
    key, id, event_key, user_id, agent_id, session_id, role, sender, modality, content,
    timestamp, tz, origin, private, content_hash
  FROM resources
"""

_LATEST = (
    _SELECT
    + """
  WHERE user_id = :user
    AND timestamp <= :until
    AND (NOT :public_only OR NOT private)
    AND role IN ('user', 'assistant')
  ORDER BY timestamp DESC, key DESC
  LIMIT :limit
"""
)
# A statement of its own, or a session of few turns is looked for among all that the user has.
_LATEST_OF_SESSION = (
    _SELECT
    + """
  WHERE user_id = :user
    AND session_id = :session
    AND timestamp <= :until
    AND (NOT :public_only OR NOT private)
    AND role IN ('user', 'assistant')
  ORDER BY timestamp DESC, key DESC
  LIMIT :limit
"""
)


def insert(connection: apsw.Connection, turn: Turn, resource_id: str, arrived_at: int) -> Resource:
    """Store a turn and its words. The caller looked with `has_event`: a known key is a ConstraintError."""
    scope = turn.scope
    key = next_key(connection)
    connection.execute(
        """
        INSERT INTO resources (
          key, id, event_key, user_id, agent_id, session_id, role, sender, modality, content,
          timestamp, tz, origin, private, content_hash, arrived_at
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            key, resource_id, turn.event_key, scope.user_id, scope.agent_id, scope.session_id, turn.role,
            turn.sender, turn.modality, msgspec.json.encode(turn.content).decode(), turn.timestamp, turn.tz,
            turn.origin, turn.private, turn.content_hash, arrived_at,
        ),
    )  # fmt: skip
    fulltext.put(connection, key, scope.user_id, turn.text, private=turn.private)
    return Resource(key, resource_id, turn)


def has_event(connection: apsw.Connection, user_id: str, event_key: str) -> bool:
    """Whether this user has sent the event before, even if it was forgotten since."""
    row = connection.execute(
        """
        SELECT EXISTS (SELECT 1 FROM resources WHERE user_id = ?1 AND event_key = ?2)
            OR EXISTS (SELECT 1 FROM tombstones WHERE user_id = ?1 AND subject = 'event_key' AND value = ?2)
        """,
        (user_id, event_key),
    ).get
    return bool(row)


def id_of_event(connection: apsw.Connection, user_id: str, event_key: str) -> str | None:
    """The id of the turn that came with this event key; None when it was forgotten since."""
    return connection.execute(  # type: ignore[no-any-return]
        "SELECT id FROM resources WHERE user_id = ? AND event_key = ?", (user_id, event_key)
    ).get


def counterpart(connection: apsw.Connection, turn: Turn, within_s: int) -> str | None:
    """The id of the same turn by the other way: captured live if this is imported, or the other way round.

    The same words of the same session at about the same time.
    """
    return connection.execute(  # type: ignore[no-any-return]
        """
        SELECT id FROM resources INDEXED BY resources_by_hash
        WHERE user_id = ? AND content_hash = ? AND session_id IS ? AND role = ?
          AND (origin = 'import') <> ?
          AND timestamp BETWEEN ? AND ?
        LIMIT 1
        """,
        (
            turn.scope.user_id, turn.content_hash, turn.scope.session_id, turn.role,
            turn.origin is Origin.IMPORT, turn.timestamp - within_s, turn.timestamp + within_s,
        ),
    ).get  # fmt: skip


def by_key(connection: apsw.Connection, key: int) -> Resource | None:
    """One turn by its number."""
    return _first(connection.execute(_SELECT + "WHERE key = ?", (key,)))


def by_id(connection: apsw.Connection, user_id: str, resource_id: str) -> Resource | None:
    """One turn of a user by its id."""
    return _first(connection.execute(_SELECT + "WHERE user_id = ? AND id = ?", (user_id, resource_id)))


def recent(connection: apsw.Connection, scope: Scope, limit: int, until: int | None = None) -> list[Resource]:
    """The latest chat turns of the session, or of the user where no session is named; oldest first."""
    latest = _LATEST if scope.session_id is None else _LATEST_OF_SESSION
    rows = connection.execute(
        latest,
        {
            "user": scope.user_id, "session": scope.session_id, "until": _NO_END if until is None else until,
            "public_only": scope.public_only, "limit": limit,
        },
    )  # fmt: skip
    return [_resource(row) for row in rows][::-1]


def keys_between(connection: apsw.Connection, scope: Scope, start: int, until: int, limit: int) -> list[int]:
    """The numbers of what a user said from `start` to `until`, the latest first, what the scope may see."""
    rows = connection.execute(
        """
        SELECT key FROM resources
        WHERE user_id = ? AND timestamp >= ? AND timestamp <= ? AND role = 'user' AND (NOT ? OR NOT private)
        ORDER BY timestamp DESC
        LIMIT ?
        """,
        (scope.user_id, start, until, scope.public_only, limit),
    )
    return [key for (key,) in rows]


def keys_of_session(connection: apsw.Connection, scope: Scope, since: int, limit: int) -> list[int]:
    """The numbers of what was said in the scope's session since a moment, the latest first."""
    rows = connection.execute(
        """
        SELECT key FROM resources
        WHERE user_id = ? AND session_id = ? AND timestamp >= ?
        ORDER BY timestamp DESC
        LIMIT ?
        """,
        (scope.user_id, scope.session_id, since, limit),
    )
    return [key for (key,) in rows]


def keys_by_sender(
    connection: apsw.Connection, scope: Scope, sender: str, until: int, limit: int
) -> list[int]:
    """The numbers of what somebody said in a user's sessions by a moment, as `keys_between`."""
    rows = connection.execute(
        """
        SELECT key FROM resources
        WHERE user_id = ? AND sender = ? AND role = 'user' AND timestamp <= ? AND (NOT ? OR NOT private)
        ORDER BY timestamp DESC
        LIMIT ?
        """,
        (scope.user_id, sender, until, scope.public_only, limit),
    )
    return [key for (key,) in rows]


def after(connection: apsw.Connection, key: int, limit: int) -> Iterator[Resource]:
    """What arrived after a turn, of all users, in order of arrival; each is read when it is asked for."""
    rows = connection.execute(_SELECT + "WHERE key > ? ORDER BY key LIMIT ?", (key, limit))
    return map(_resource, rows)


def newest_key(connection: apsw.Connection) -> int:
    """The number of the turn that arrived last; 0 for none."""
    return int(connection.execute("SELECT coalesce(max(key), 0) FROM resources").get)


def speakers_between(connection: apsw.Connection, after: int, until: int) -> list[tuple[str, int]]:
    """(user, number of their last turn) of those who spoke in that stretch of arrivals, in its order."""
    rows = connection.execute(
        """
        SELECT user_id, max(key) FROM resources NOT INDEXED
        WHERE key > ? AND key <= ? AND role = 'user'
        GROUP BY user_id
        ORDER BY min(key)
        """,
        (after, until),
    )
    return [(str(user_id), int(last)) for user_id, last in rows]


def set_embedding(connection: apsw.Connection, key: int, vector: Vector, embedder: str) -> None:
    """Give a turn its vector, stamped with its model."""
    connection.execute(
        "UPDATE resources SET embedding = ?, embedder = ? WHERE key = ?", (vector.tobytes(), embedder, key)
    )


def latest_zone(connection: apsw.Connection, user_id: str, until: int = _NO_END) -> str:
    """The zone of what the user said last (by a moment); UTC for who has said nothing."""
    tz = connection.execute(
        "SELECT tz FROM resources WHERE user_id = ? AND timestamp <= ? ORDER BY timestamp DESC LIMIT 1",
        (user_id, until),
    ).get
    return str(tz or "UTC")


def latest_moment(connection: apsw.Connection, user_id: str, until: int) -> int | None:
    """When the user said something last, by a moment; None for who has said nothing."""
    moment: int | None = connection.execute(
        "SELECT max(timestamp) FROM resources WHERE user_id = ? AND timestamp <= ?", (user_id, until)
    ).get
    return moment


def latest_of_user(connection: apsw.Connection, user_id: str, until: int) -> Resource | None:
    """What the user, not the assistant, said last by a moment."""
    rows = connection.execute(
        _SELECT
        + """
        WHERE user_id = ? AND timestamp <= ? AND role = 'user'
        ORDER BY timestamp DESC, key DESC
        LIMIT 1
        """,
        (user_id, until),
    )
    return _first(rows)


def delete(connection: apsw.Connection, resources: Iterable[Resource]) -> None:
    """Remove turns with their words, vectors, queue entries and the evidence that they were."""
    for resource in resources:
        fulltext.remove(connection, [resource.key])
        connection.execute("DELETE FROM resources WHERE key = ?", (resource.key,))


def _first(rows: Iterable[Any]) -> Resource | None:
    for row in rows:
        return _resource(row)
    return None


def _resource(row: Sequence[Any]) -> Resource:
    (key, resource_id, event_key, user_id, agent_id, session_id, role, sender, modality, content) = row[:10]
    timestamp, tz, origin, private, content_hash = row[10:]
    value = msgspec.json.decode(content)
    turn = Turn(
        event_key,
        Scope(user_id, agent_id, session_id),
        Role(role),
        sender,
        value,
        plain_text(value),
        Modality(modality),
        timestamp,
        tz,
        Origin(origin),
        bool(private),
        content_hash,
    )
    return Resource(key, resource_id, turn)
