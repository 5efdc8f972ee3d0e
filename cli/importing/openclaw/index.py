"""Which session a transcript belongs to, as OpenClaw's own index knows it."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import apsw

from cli.importing.openclaw.session import Session
from cli.importing.sqlite import reading, rows_of, tables_of

INDEX = "sessions.json"
DATABASE = "openclaw-agent.sqlite"


def session_of(path: Path) -> Session | None:
    """The session of a transcript's file, from the index beside it or the agent's database; None: unknown."""
    name, session_id = path.name, session_id_of(path)
    for source in _indexes(path.parent):
        known = _known(source, source.stat().st_mtime_ns)
        if found := known.get(name.split(".jsonl")[0] + ".jsonl") or known.get(session_id):
            return found
    return None


def session_id_of(path: Path) -> str:
    """The id in a transcript's name, which may end with a topic and with what became of the file."""
    return path.name.split(".jsonl")[0].split("-topic-")[0]


def sessions_in(connection: apsw.Connection) -> dict[str, Session]:
    """The sessions of an agent's database by their ids."""
    found: dict[str, Session] = {}
    tables = tables_of(connection)
    if "session_nodes" in tables:
        for row in rows_of(connection, "SELECT * FROM session_nodes"):
            entry = _json(row.get("entry_json"))
            chat_type = entry.get("chatType") if isinstance(entry, dict) else None
            found[str(row["current_session_id"])] = Session(str(row["session_key"]), _text(chat_type))
    if "session_windows" in tables:
        for row in rows_of(connection, "SELECT * FROM session_windows"):
            chat_type = row.get("chat_type") or row.get("session_scope")
            found[str(row["session_id"])] = Session(str(row["session_key"]), _text(chat_type))
    return found


def _indexes(folder: Path) -> Iterator[Path]:
    """Cold transcripts lie one folder deeper; a copy may have the database beside the sessions' folder."""
    for base in (folder, folder.parent):
        for path in (base / INDEX, base / DATABASE, base / "agent" / DATABASE):
            if path.is_file():
                yield path


@lru_cache(maxsize=8)  # a folder of a thousand transcripts has one index
def _known(source: Path, _modified_ns: int) -> Mapping[str, Session]:
    try:
        if source.name == INDEX:
            return dict(_entries(json.loads(source.read_bytes())))
        with reading(source) as connection:
            return sessions_in(connection)
    except (OSError, ValueError, apsw.Error, RecursionError):
        return {}  # it is told when the walk comes to that file itself


def _entries(index: Any) -> Iterator[tuple[str, Session]]:
    for key, entry in index.items() if isinstance(index, dict) else ():
        if isinstance(entry, dict):
            session = Session(key, _text(entry.get("chatType")))
            if isinstance(file := entry.get("sessionFile"), str):
                yield file.replace("\\", "/").rpartition("/")[2], session
            if isinstance(session_id := entry.get("sessionId"), str):
                yield session_id, session


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _json(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return None
