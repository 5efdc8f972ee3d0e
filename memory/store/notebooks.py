"""Files of notes, and which turn and fact each of their lines became."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import msgspec


@dataclass(frozen=True, slots=True)
class NoteFile:
    """A file that was read. `stamp` is how it looked then; `trouble` says why it can't be read now."""

    id: int
    user_id: str
    path: str
    watched: bool
    stamp: str
    trouble: str | None
    read_at: int | None


@dataclass(frozen=True, slots=True)
class NoteLine:
    """A line as it was taken in; None where its turn or fact is no longer there."""

    content_hash: str
    resource_id: str | None
    item_id: str | None


_SELECT = "SELECT id, user_id, path, watched, stamp, trouble, read_at FROM note_files "


def enter(connection: apsw.Connection, user_id: str, path: str) -> NoteFile:
    """The file of that path, known from now on."""
    connection.execute("INSERT OR IGNORE INTO note_files (user_id, path) VALUES (?, ?)", (user_id, path))
    found = find(connection, user_id, path)
    assert found is not None  # noqa: S101 - it was inserted above, in this transaction
    return found


def find(connection: apsw.Connection, user_id: str, path: str) -> NoteFile | None:
    """The file of that path, if it was ever read."""
    return next(
        iter(_files(connection, _SELECT + "WHERE user_id = ? AND path = ?", (user_id, path))),
        None,
    )


def watched(connection: apsw.Connection, user_id: str | None = None) -> list[NoteFile]:
    """The files that are kept in step, of one user or of all."""
    return _files(
        connection,
        _SELECT + "WHERE watched AND (?1 IS NULL OR user_id = ?1) ORDER BY user_id, path",
        (user_id,),
    )


def watch(connection: apsw.Connection, file_id: int, *, watched: bool) -> None:
    """Keep a file in step from now on, or no longer."""
    connection.execute("UPDATE note_files SET watched = ? WHERE id = ?", (watched, file_id))


def was_read(connection: apsw.Connection, file_id: int, stamp: str, now: int) -> None:
    """The file is well, and looked like this."""
    connection.execute(
        "UPDATE note_files SET stamp = ?, trouble = NULL, read_at = ? WHERE id = ?", (stamp, now, file_id)
    )


def is_in_trouble(connection: apsw.Connection, file_id: int, trouble: str, stamp: str = "") -> None:
    """Why the file can't be followed for now."""
    connection.execute("UPDATE note_files SET trouble = ?, stamp = ? WHERE id = ?", (trouble, stamp, file_id))


def lines(connection: apsw.Connection, file_id: int) -> list[NoteLine]:
    """What was taken in of a file, in its order."""
    rows: list[Any] = connection.execute(
        """
        SELECT content_hash, resource_id, item_id FROM note_lines WHERE file_id = ? ORDER BY position
        """,
        (file_id,),
    ).fetchall()
    return [NoteLine(*row) for row in rows]


def set_lines(connection: apsw.Connection, file_id: int, kept: Sequence[NoteLine]) -> None:
    """What the file says now; only the rows that change are written."""
    wanted = {
        (line.content_hash, position, line.resource_id, line.item_id) for position, line in enumerate(kept)
    }
    known: set[Any] = set(
        connection.execute(
            "SELECT content_hash, position, resource_id, item_id FROM note_lines WHERE file_id = ?",
            (file_id,),
        )
    )
    connection.executemany(
        "DELETE FROM note_lines WHERE file_id = ? AND content_hash = ?",
        [(file_id, content_hash) for content_hash, *_ in known - wanted],
    )
    connection.executemany(
        "INSERT INTO note_lines VALUES (?, ?, ?, ?, ?)", [(file_id, *row) for row in wanted - known]
    )


def left_behind(connection: apsw.Connection, resource_ids: Iterable[str]) -> set[str]:
    """Those of these turns that are lines of files, and that no file says any more."""
    rows: list[Any] = connection.execute(
        """
        SELECT id FROM resources AS r
        WHERE id IN (SELECT value FROM json_each(?)) AND modality = 'file' AND event_key LIKE 'note:%'
          AND NOT EXISTS (SELECT 1 FROM note_lines WHERE resource_id = r.id)
        """,
        (msgspec.json.encode(list(resource_ids)).decode(),),
    ).fetchall()
    return {resource_id for (resource_id,) in rows}


def ended_by_one_another(connection: apsw.Connection, user_id: str) -> list[str]:
    """The facts of a user's lines in whose place the fact of another such line stands."""
    rows: list[Any] = connection.execute(
        """
        WITH told AS (
          SELECT l.item_id FROM note_lines AS l JOIN note_files AS f ON f.id = l.file_id
          WHERE f.user_id = ? AND l.item_id IS NOT NULL
        )
        SELECT id FROM items
        WHERE id IN (SELECT item_id FROM told) AND superseded_by IN (SELECT item_id FROM told)
        """,
        (user_id,),
    ).fetchall()
    return [item_id for (item_id,) in rows]


def _files(connection: apsw.Connection, sql: str, values: Sequence[Any]) -> list[NoteFile]:
    rows: list[Any] = connection.execute(sql, tuple(values)).fetchall()
    return [
        NoteFile(file_id, user, path, bool(is_watched), stamp, trouble, read_at)
        for file_id, user, path, is_watched, stamp, trouble, read_at in rows
    ]
