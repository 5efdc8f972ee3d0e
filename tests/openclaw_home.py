"""OpenClaw's files as users have them, with sentences of our own: transcripts, an index, a database."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import apsw

from cli.importing.found import Found, Passed, Turn
from memory.envelope import clean

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SESSION_ID = "5d0c1f3e-2222-4a4a-8b8b-9c9c9c9c9c9c"
BEGUN_MS = 1_772_960_400_000


def pack(content: bytes) -> bytes:
    """As OpenClaw packs what is old."""
    packed: bytes = zstd.compress(content)
    return packed


def envelope(message_id: str, zone: str = "GMT+1", **more: object) -> str:
    """What a channel puts before a person's words."""
    info = {"message_id": message_id, "sender_id": "77", "timestamp": f"Sun 2026-03-08 10:03 {zone}", **more}
    return f"Conversation info (untrusted metadata):\n```json\n{json.dumps(info, indent=2)}\n```\n\n"


class Script:
    """A transcript that is written record by record, each a minute after the one before."""

    def __init__(self, session_id: str = SESSION_ID, version: int | None = 3) -> None:
        self.records: list[dict[str, Any]] = []
        self.tip: str | None = None
        self._minutes = 0
        header = {"type": "session", "id": session_id, "timestamp": "2026-03-08T09:00:00.000Z", "cwd": "/w"}
        self.records.append(header if version is None else {**header, "version": version})
        self._is_flat = version is None

    def put(self, kind: str, **fields: Any) -> str:
        """A record behind the present end; its id."""
        self._minutes += 1
        record = {"type": kind, "timestamp": f"2026-03-08T09:{self._minutes:02}:00.000Z", **fields}
        if not self._is_flat:
            record = {"id": f"{self._minutes:08x}", "parentId": self.tip, **record}
            self.tip = record["id"]
        self.records.append(record)
        return str(record.get("id"))

    def say(self, role: str, content: Any, **fields: Any) -> str:
        """A message."""
        time = BEGUN_MS + (self._minutes + 1) * 60_000
        return self.put("message", message={"role": role, "content": content, "timestamp": time, **fields})

    def user(self, text: str) -> str:
        """A person's words."""
        return self.say("user", [{"type": "text", "text": text}])

    def answer(self, text: str, **fields: Any) -> str:
        """The assistant's words."""
        return self.say("assistant", [{"type": "text", "text": text}], **fields)

    @property
    def text(self) -> str:
        """The file's content."""
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in self.records)

    def write(self, path: Path, tail: str = "") -> Path:
        """The file, packed if its name says so."""
        path.parent.mkdir(parents=True, exist_ok=True)
        content = (self.text + tail).encode()
        path.write_bytes(pack(content) if path.name.endswith(".zst") else content)
        return path


def with_every_trap() -> Script:
    """A morning's talk with all that must not become a memory."""
    script = Script()
    script.put("model_change", provider="stub", modelId="stub-1")
    script.user("A new session was started via /new or /reset. Greet the user.")
    script.answer("[[reply_to_current]] Good morning!")
    script.user(envelope("1") + "Which ferry goes to Helgoland tomorrow?")
    script.say("assistant", [{"type": "toolCall", "id": "c1", "name": "web", "arguments": {}}])
    script.say("toolResult", [{"type": "text", "text": "SOUL.md USER.md ferry 9:30"}], toolName="web")
    script.answer("The ferry leaves at 9:30.")
    script.user(envelope("2", "GMT+8") + "记住：我晕船，坐船要靠窗。")
    script.say("assistant", [], stopReason="error", errorMessage="fetch failed")
    script.user(envelope("2", "GMT+8") + "记住：我晕船，坐船要靠窗。")
    script.answer("好的。")
    fork = script.user(envelope("3") + "船の予約は七月でお願いします")
    script.user("No, book it for August instead")
    script.answer("August it is.")
    script.tip = fork
    script.put("branch_summary", fromId=fork, summary="August was dropped.")
    script.answer("七月ですね。")
    script.answer("七月ですね。", provider="openclaw", model="delivery-mirror")
    script.user("Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.")
    script.answer("HEARTBEAT_OK")
    script.user("Pre-compaction memory flush. Store durable memories now; reply NO_REPLY if nothing.")
    script.answer("I wrote down the ferry.")
    script.put("compaction", summary="Ferry to Helgoland.", firstKeptEntryId=script.tip, tokensBefore=9)
    script.put("custom_message", customType="recall", content="[recalled] sea-sick", display=False)
    script.user(r"My tickets are in C:\Users\kai\Tickets\ferry.pdf")
    script.put("session_info", name="Ferry")
    return script


SAID_IN_EVERY_TRAP = (
    ("user", "Which ferry goes to Helgoland tomorrow?"),
    ("assistant", "The ferry leaves at 9:30."),
    ("user", "记住：我晕船，坐船要靠窗。"),
    ("assistant", "好的。"),
    ("user", "船の予約は七月でお願いします"),
    ("assistant", "七月ですね。"),
    ("user", r"My tickets are in C:\Users\kai\Tickets\ferry.pdf"),
)


def write_index(folder: Path, sessions: Mapping[str, Mapping[str, Any]]) -> None:
    """The list of sessions beside transcripts."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sessions.json").write_text(json.dumps(sessions), encoding="utf-8")


def write_database(
    path: Path,
    sessions: Iterable[tuple[str, str, Sequence[Mapping[str, Any]]]],
    *,
    packed: bool = False,
    cold: bool = False,
) -> Path:
    """An agent's database of (key, session id, records); packed rows, or none and a cold file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = apsw.Connection(str(path))
    connection.execute(
        """
        CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, chat_type TEXT);
        CREATE TABLE transcript_events (
          session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB, created_at INTEGER,
          PRIMARY KEY (session_id, seq)
        );
        CREATE TABLE session_transcript_cold_archives (
          session_id TEXT, archive_name TEXT, storage TEXT, archive_blob BLOB
        );
        """
    )
    for key, session_id, records in sessions:
        connection.execute("INSERT INTO session_windows VALUES (?, ?, 'direct')", (session_id, key))
        lines = [json.dumps(record, ensure_ascii=False) for record in records]
        if cold:
            folder = path.parent.parent / "sessions" / "cold"
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{session_id}.jsonl.zst").write_bytes(pack("\n".join(lines).encode()))
            connection.execute(
                "INSERT INTO session_transcript_cold_archives VALUES (?, ?, 'file', NULL)",
                (session_id, f"{session_id}.jsonl.zst"),
            )
            continue
        for seq, line in reversed(list(enumerate(lines))):  # rows lie in no order
            row = (None, pack(line.encode())) if packed else (line, None)
            connection.execute(
                "INSERT INTO transcript_events VALUES (?, ?, ?, ?, ?)",
                (session_id, seq, *row, BEGUN_MS + seq),
            )
    connection.close()
    return path


def said(found: Iterable[Found]) -> list[tuple[str, str]]:
    """Who said what, without envelopes."""
    turns = (one.event for one in found if isinstance(one, Turn))
    return [(event["role"], clean(event["content"])) for event in turns]


def passed(found: Iterable[Found]) -> dict[str, int]:
    """How much was passed over, by reason."""
    reasons = [one.reason for one in found if isinstance(one, Passed)]
    return {reason: reasons.count(reason) for reason in sorted(set(reasons))}
