"""Turns that begin to wait for their effects, alone or for one another."""

import apsw

from memory.model import Origin, Resource, Scope
from memory.ports import Batching

IMPORT_REST_S = 2  # how long nothing more must have been brought in before it is worked on


def put(
    connection: apsw.Connection,
    resource: Resource,
    entry_id: str,
    now: int,
    batching: Batching = Batching(),  # noqa: B008 - frozen
) -> None:
    """Let a stored turn wait for its effects; in the transaction that stores the turn.

    Where turns are taken together, those of a session wait until they are enough, or nothing more comes.
    What is brought in waits in the background.
    """
    scope = resource.turn.scope
    is_imported = resource.turn.origin is Origin.IMPORT
    wait_s = max(batching.quiet_s, IMPORT_REST_S if is_imported else 0)
    connection.execute(
        """
        INSERT INTO capture_queue (
          resource_key, id, user_id, session_id, bytes, due_at, created_at, updated_at, background
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (
            resource.key, entry_id, scope.user_id, scope.session_id, len(resource.turn.text.encode()),
            now + wait_s, now, now, is_imported,
        ),
    )  # fmt: skip
    if batching.quiet_s:
        _await_others(connection, scope, now, batching)


def flush(connection: apsw.Connection, user_id: str, session_id: str | None, now: int) -> int | None:
    """Let a session's turns wait for no others any more; the number of the latest that is on its way."""
    connection.execute(
        """
        UPDATE capture_queue INDEXED BY capture_queue_sessions
        SET due_at = ?3
        WHERE state = 'queued' AND reason IS NULL AND due_at > ?3 AND user_id = ?1 AND session_id IS ?2
        """,
        (user_id, session_id, now),
    )
    return connection.execute(  # type: ignore[no-any-return]
        """
        SELECT max(resource_key) FROM capture_queue INDEXED BY capture_queue_sessions
        WHERE (state = 'queued' OR state = 'leased') AND user_id = ? AND session_id IS ?
        """,
        (user_id, session_id),
    ).get


def _await_others(connection: apsw.Connection, scope: Scope, now: int, batching: Batching) -> None:
    """Due once enough are there, else when the session has been quiet, counted from the latest arrival."""
    connection.execute(
        """
        UPDATE capture_queue INDEXED BY capture_queue_sessions
        SET due_at = iif(
          (
            SELECT count(*) FROM capture_queue AS mate INDEXED BY capture_queue_sessions
            WHERE mate.state = 'queued' AND mate.reason IS NULL AND mate.user_id = ?1
              AND mate.session_id IS ?2
          ) >= ?3,
          ?4, ?4 + ?5
        )
        WHERE state = 'queued' AND reason IS NULL AND user_id = ?1 AND session_id IS ?2
          AND due_at > ?4
        """,
        (scope.user_id, scope.session_id, batching.turns, now, batching.quiet_s),
    )
