"""What a turn says in plain words, and which turns no human made."""

import hashlib
import re
import unicodedata
from typing import Any

from memory.envelope import INTERNAL_OPEN, clean, strip_controls

_TEXT_PARTS = {None, "text", "input_text", "output_text"}

_TRIGGER_REASONS = {
    "heartbeat": "heartbeat",
    "cron": "cron",
    "schedule": "cron",
    "scheduled": "cron",
    "timer": "cron",
    "memory": "flush",
    "memory_flush": "flush",
    "flush": "flush",
    "compaction": "flush",
    "event": "session_event",
    "session_event": "session_event",
    "system_event": "session_event",
    "wake": "session_event",
    "exec": "session_event",
    "subagent": "internal",
    "inter_session": "internal",
    "internal": "internal",
    "internal_system": "internal",
    "system": "internal",
    "overflow": "internal",
    "review": "internal",
}

# The texts that OpenClaw itself writes as a user's turn. Each is long enough that a person
# who talks about the same thing does not begin that way.
_MACHINE_TEXTS = (
    (
        "heartbeat",
        re.compile(r"\[OpenClaw heartbeat(?: poll)?\]|(?:HEARTBEAT: ?)?Read HEARTBEAT\.md if it exists"),
    ),
    (
        "cron",
        re.compile(
            r"\[cron:[^\]\n]{1,200}\]|\[OpenClaw cron wake\]|A scheduled reminder has been triggered\b"
        ),
    ),
    ("flush", re.compile(r"Pre-compaction memory flush(?: turn)?(?:\.|\s*\Z)")),
    (
        "session_event",
        re.compile(
            r"\[OpenClaw (?:session event|exec completion)\]"
            r"|A new session was started via /new or /reset\b"
            r"|An async command you ran earlier has completed\b"
        ),
    ),
    (
        "internal",
        re.compile(
            r"\[(?:Subagent (?:Context|Task)|Inter-session message|Internal task completion event"
            r"|Retry after the previous model attempt failed or timed out)\]"
            r"|Continue where you left off\. The previous model attempt failed"
        ),
    ),
)
_SILENT_REPLY = re.compile(r"[*_`\s]*(?:HEARTBEAT_OK|NO_REPLY)[*_`.!\s]*")

# A command takes a few plain words; longer or Chinese text after it is a person's message.
_COMMAND = re.compile(
    r"/compact(?:[ :][^\n]*)?"
    r"|/(?:new|reset)(?:@\w+)?(?:[ ][!-~]+)?"
    r"|/(?:help|commands|status|stop|abort|restart|context|models?|think|thinking|verbose|trace|reasoning|usage"
    r"|whoami|id|queue|activation|send|config|debug|elevated|exec|tts|approve|allowlist|export|sessions?"
    r"|subagents|agents|kill|skills|tools|plugins|mcp|fast|start|clear)(?:@\w+)?(?:[ :][!-~]+){0,3}"
    r"|/[a-z][\w-]{0,40}(?:@\w+)?"
)


def plain_text(content: Any) -> str:
    """The plain words of a message's content, one part a line; tool calls, thinking and images have none.

    Takes a string, a part, or a list of parts; anything else is "". Never raises.
    """
    if isinstance(content, str):
        return strip_controls(content)
    parts = content if isinstance(content, list) else [content]
    words = (_part_text(part) for part in parts)
    return strip_controls("\n".join(text for text in words if text))


def _part_text(part: Any) -> str:
    if isinstance(part, dict):
        kind = part.get("type")
        part = part.get("text") if kind is None or (isinstance(kind, str) and kind in _TEXT_PARTS) else None
    return part if isinstance(part, str) else ""


def skip_reason(role: str, text: str, trigger: str | None) -> str | None:
    """Why a turn is not to be stored, or None if it is: somebody said it, or answered a person.

    Reasons: heartbeat, cron, flush, session_event, silent_reply, command, empty, internal.
    A trigger that memud does not know counts as human: a machine's turn too many can be forgotten,
    a person's lost words can't be had back. Takes raw or cleaned text.
    """
    by_trigger = _trigger_reason(trigger)
    if by_trigger or role == "system":
        return by_trigger or "internal"
    words = clean(text)
    if not words:
        return "internal" if INTERNAL_OPEN in text else "empty"
    if role == "assistant":
        return "silent_reply" if _SILENT_REPLY.fullmatch(words) else None
    return _user_text_reason(words) if role == "user" else None


def _trigger_reason(trigger: str | None) -> str | None:
    """`cron:daily` and `Cron` are `cron`."""
    name = re.split(r"[^a-z_]", (trigger or "").lower().replace("-", "_"), maxsplit=1)[0]
    return _TRIGGER_REASONS.get(name)


def _user_text_reason(words: str) -> str | None:
    for reason, machine_text in _MACHINE_TEXTS:
        if machine_text.match(words):
            return reason
    return "command" if _COMMAND.fullmatch(words) else None


def content_hash(text: str) -> str:
    """One hash for texts that differ only in letter case, width of characters, or white space."""
    return hashlib.sha256(_folded(text).encode("utf-8", "surrogatepass")).hexdigest()


def says_the_same(text: str, other: str) -> bool:
    """Whether two texts have one `content_hash`, without making it."""
    return _folded(text) == _folded(other)


def _folded(text: str) -> str:
    if text.isascii():  # as it is NFKC, by definition
        return " ".join(text.lower().split())
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(folded.split())
