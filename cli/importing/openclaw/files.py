"""OpenClaw's transcripts as files: a record a line, plain or packed; and the index beside them."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from cli.importing.found import Fault, Found, Passed, Place, Wishes
from cli.importing.lines import lines_of, unpacked_head, until_broken
from cli.importing.openclaw import transcript
from cli.importing.openclaw.index import INDEX, session_id_of, session_of
from cli.importing.openclaw.session import Session
from cli.importing.openclaw.transcript import Transcript

_HEAD_LINES = 10


def recognises(path: Path, head: bytes) -> bool:
    """Whether it begins as a transcript does: with a session's header, or an entry of one."""
    return any(_is_record(line) for line in unpacked_head(head).splitlines()[:_HEAD_LINES])


def read(path: Path, wishes: Wishes) -> Iterator[Found]:
    """What was said in a session."""
    if ".jsonl.deleted." in path.name and not wishes.deleted:
        yield Passed(Place(str(path)), "session_deleted")
        return
    session_id = _header_id(path) or session_id_of(path)
    session = session_of(path) or _unlisted(path, session_id)
    yield from transcript.read(Transcript(lambda: lines_of(path), session_id, session, str(path)), wishes)


def _unlisted(path: Path, session_id: str) -> Session:
    """A session that no index knows; it lies in `agents/<id>/sessions` all the same."""
    folders = path.resolve().parts
    home = folders[folders.index("agents") + 1] if "agents" in folders[:-2] else None
    return replace(transcript.guess(lambda: lines_of(path), session_id), home=home)


def recognises_index(path: Path, head: bytes) -> bool:
    """Whether it is the list of sessions that stands beside transcripts."""
    return path.name == INDEX and head.lstrip().startswith(b"{")


def read_index(path: Path, wishes: Wishes) -> Iterator[Found]:
    """Nothing is said in it; it is told if it can't be read."""
    try:
        json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        yield Fault(Place(str(path), line), "import.not_json")


def _is_record(line: bytes) -> bool:
    record = _json(line)
    if not isinstance(record, dict):
        return False
    if record.get("type") == "session":
        return isinstance(record.get("id"), str)
    message = record.get("message")
    return record.get("type") == "message" and isinstance(message, dict) and "role" in message


def _header_id(path: Path) -> str | None:
    _, first = next(until_broken(lines_of(path)), (0, None))
    header = _json(first or b"")
    found = header.get("id") if isinstance(header, dict) and header.get("type") == "session" else None
    return found if isinstance(found, str) else None


def _json(text: bytes) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
