"""OpenClaw's per-agent database: sessions and their records: rows, plain or packed, or cold files."""

import io
from collections.abc import Iterator
from pathlib import Path

import apsw

from cli.importing.found import Fault, Found, Place, Wishes
from cli.importing.lines import Line, lines_of, unpack, unpacked
from cli.importing.openclaw import transcript
from cli.importing.openclaw.index import sessions_in
from cli.importing.openclaw.session import Session
from cli.importing.openclaw.transcript import Transcript
from cli.importing.sqlite import SQLITE_MAGIC, reading, rows_of, tables_of

# As bytes: a text that is none, in a damaged row, costs that row alone.
_EVENTS = """
  SELECT seq, CAST(event_json AS BLOB) AS event_json, CAST(event_zstd AS BLOB) AS event_zstd
  FROM transcript_events WHERE session_id = ? ORDER BY seq
"""
_PLAIN_EVENTS = """
  SELECT seq, CAST(event_json AS BLOB) AS event_json
  FROM transcript_events WHERE session_id = ? ORDER BY seq
"""
_COLD = "SELECT * FROM session_transcript_cold_archives WHERE session_id = ?"


def recognises(path: Path, head: bytes) -> bool:
    """Whether it is a database that holds transcripts."""
    if not head.startswith(SQLITE_MAGIC):
        return False
    try:
        with reading(path) as connection:
            return "transcript_events" in tables_of(connection)
    except apsw.Error:
        return path.name.startswith("openclaw-agent")


def read(path: Path, wishes: Wishes) -> Iterator[Found]:
    """What was said in each session, one after another."""
    try:
        with reading(path) as connection:
            sessions = sessions_in(connection)
            for session_id in _ids(connection, sessions):
                yield from _session(_Database(path, connection), session_id, sessions, wishes)
    except (apsw.Error, UnicodeDecodeError) as error:
        yield Fault(Place(str(path)), "import.broken_database", {"cause": str(error)})


def _session(
    database: "_Database", session_id: str, sessions: dict[str, Session], wishes: Wishes
) -> Iterator[Found]:
    def records() -> Iterator[Line]:
        return database.records(session_id)

    session = sessions.get(session_id) or transcript.guess(records, session_id)
    file = f"{database.path}#{session_id}"
    try:
        yield from transcript.read(Transcript(records, session_id, session, file), wishes)
    except OSError as error:
        yield Fault(Place(file), "import.unreadable", {"cause": error.strerror or str(error)})


def _ids(connection: apsw.Connection, sessions: dict[str, Session]) -> list[str]:
    """The sessions that were spoken in, the first begun first; those whose records are elsewhere last."""
    begun = "SELECT session_id FROM transcript_events GROUP BY session_id ORDER BY min(created_at)"
    present = [str(session_id) for (session_id,) in connection.execute(begun)]
    return [*present, *sorted(sessions.keys() - set(present))]


class _Database:
    """An agent's database, of whichever version."""

    def __init__(self, path: Path, connection: apsw.Connection) -> None:
        self.path = path
        self._connection = connection
        self._has_cold = "session_transcript_cold_archives" in tables_of(connection)
        columns = {row[1] for row in connection.execute("PRAGMA table_info(transcript_events)")}
        self._events = _EVENTS if "event_zstd" in columns else _PLAIN_EVENTS

    def records(self, session_id: str) -> Iterator[Line]:
        """A session's records with the number of their row, from 1; of a cold one the lines of its file."""
        is_cold = True
        for place, row in enumerate(rows_of(self._connection, self._events, (session_id,)), 1):
            is_cold = False
            number = row["seq"] + 1 if isinstance(row["seq"], int) else place
            yield number, _record(row["event_json"], row.get("event_zstd"))
        if is_cold and self._has_cold:
            yield from self._cold(session_id)

    def _cold(self, session_id: str) -> Iterator[Line]:
        for row in rows_of(self._connection, _COLD, (session_id,)):
            if row["archive_blob"] is not None:
                yield from unpacked(io.BytesIO(row["archive_blob"]))
            else:
                yield from lines_of(self._cold_folder() / Path(row["archive_name"]).name)

    def _cold_folder(self) -> Path:
        folder = self.path.parent
        return folder.parent / "sessions" / "cold" if folder.name == "agent" else folder / "cold"


def _record(plain: bytes | None, packed: bytes | None) -> bytes:
    """The record on a line; of one that is damaged a line that is no JSON, so that it is told."""
    if plain is not None:
        return plain + b"\n"
    return (unpack(packed or b"") or b"?") + b"\n"
