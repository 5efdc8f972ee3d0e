"""A transcript, record by record: what people and the agent said, and why the rest is passed over."""

import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec

from cli.importing.found import Fault, Found, Passed, Place, Turn, Wishes
from cli.importing.lines import BrokenArchiveError, until_broken
from cli.importing.openclaw.branch import Records, branch_of
from cli.importing.openclaw.message import Message, message_of
from cli.importing.openclaw.session import Session
from memory.envelope import INTERNAL_OPEN
from memory.turns import skip_reason

_LOOK_AT = 300  # records that tell what kind of session it is, where no index does
_REMEMBERED = 100
_GROUP_SIGN = re.compile(
    rb'\\"is_group_chat\\": ?true|\\"group_(?:subject|channel|space)\\":'
    rb'|"(?:text|content)": ?"\[\w[\w ]{0,20} [^\]\n]{0,200}?(?:\b[Gg]roup\b|id:-\d)'
)
_MACHINE_SIGNS = {
    "cron": re.compile(rb'"(?:text|content)": ?"(?:\[\w{3} [^\]\n]{1,60}\] )?\[cron:'),
    "subagent": re.compile(rb'"(?:text|content)": ?"(?:\[\w{3} [^\]\n]{1,60}\] )?\[Subagent '),
}
_NOT_BY_PERSONS = frozenset({"inter_session", "internal_system"})


@dataclass(frozen=True, slots=True)
class Transcript:
    """The records of one session; they can be gone through more than once."""

    records: Records
    session_id: str
    session: Session
    file: str


def read(transcript: Transcript, wishes: Wishes) -> Iterator[Found]:
    """What was said on the branch that leads to the present; what can't be read is told by line."""
    reason = _unwanted(transcript.session, wishes)
    if reason:
        yield Passed(Place(transcript.file), reason)
        return
    try:
        yield from _entries(transcript)
    except BrokenArchiveError as error:
        yield Fault(Place(transcript.file), "import.broken_archive", {"cause": str(error)})


def guess(records: Records, session_id: str) -> Session:
    """A session that no index knows, judged by what stands in it. Its key is its own id."""
    kinds = [
        kind for _, record in islice(until_broken(records()), _LOOK_AT) if record and (kind := _kind(record))
    ]
    if kinds and kinds[0] in _MACHINE_SIGNS:
        return Session(f"{kinds[0]}:{session_id}")
    return Session(f"openclaw:{session_id}", "group" if "group" in kinds else None)


def _kind(record: bytes) -> str | None:
    if b'"user"' not in record:
        return None
    signs = (kind for kind, sign in _MACHINE_SIGNS.items() if sign.search(record))
    return next(signs, "group" if _GROUP_SIGN.search(record) else "person")


def _unwanted(session: Session, wishes: Wishes) -> str | None:
    if session.machine:
        return session.machine
    return "session_group" if session.is_group and not wishes.groups else None


def _entries(transcript: Transcript) -> Iterator[Found]:
    branch = branch_of(lambda: until_broken(transcript.records()))
    talk = _Talk(transcript)
    for number, record in transcript.records():
        place = Place(transcript.file, number)
        entry = _entry(record, place)
        if isinstance(entry, Fault):
            yield entry
        elif entry is not None and (found := talk.hear(entry, place, is_abandoned=number not in branch)):
            yield found


def _entry(record: bytes | None, place: Place) -> Mapping[str, Any] | Fault | None:
    if record is None:
        return Fault(place, "import.too_long")
    if not record.strip():
        return None
    try:
        entry = msgspec.json.decode(record)
    except (msgspec.DecodeError, RecursionError):
        reason = "import.not_json" if record.endswith(b"\n") or place.line == 1 else "import.torn"
        return Fault(place, reason)
    return entry if isinstance(entry, dict) else Fault(place, "import.not_json")


class _Talk:
    """Goes through the entries in order and remembers what was said last."""

    def __init__(self, transcript: Transcript) -> None:
        self._session_id = transcript.session_id
        self._is_group = transcript.session.is_group
        self._scope = {"session_id": transcript.session.key}
        if agent := transcript.session.agent:
            self._scope["agent_id"] = agent
        self._machine: str | None = None  # why the turn that is going on was set off by no person
        self._unanswered: str | None = None
        self._delivered: deque[tuple[str, str]] = deque(maxlen=_REMEMBERED)

    def hear(self, entry: Mapping[str, Any], place: Place, *, is_abandoned: bool) -> Found | None:
        """What an entry is; None for bookkeeping."""
        if entry.get("type") in ("custom_message", "branch_summary", "compaction"):
            return Passed(place, "injected")
        if entry.get("type") != "message":
            return None
        message = message_of(entry)
        if message is None:
            return Fault(place, "import.no_content")
        reason = "abandoned" if is_abandoned else self._why_not(message)
        return Passed(place, reason) if reason else self._turn(message, place)

    def _why_not(self, message: Message) -> str | None:
        if not message.is_spoken:
            return "tool_result" if message.role in ("toolResult", "bashExecution") else "injected"
        if message.role == "assistant":
            return self._assistant_reason(message)
        by_machine = "internal" if message.origin in _NOT_BY_PERSONS else None
        reason = by_machine or skip_reason("user", message.text, None)
        if reason == "internal" and INTERNAL_OPEN in message.text:
            return reason  # what the host tells the model in the middle of a person's turn
        self._machine = reason if reason != "empty" else None
        return reason or self._twice(message)

    def _assistant_reason(self, message: Message) -> str | None:
        if message.model == "delivery-mirror":
            return "mirror"
        reason = skip_reason("assistant", message.text, None) or self._machine
        if reason is None:
            self._unanswered = None
        return reason

    def _twice(self, message: Message) -> str | None:
        """A message that met an error is delivered again, with the same words or the same id."""
        bare = message.bare
        mark = (message.channel_id, bare) if message.channel_id else None
        is_again = bare == self._unanswered or mark in self._delivered
        self._unanswered = bare
        if mark and not is_again:
            self._delivered.append(mark)
        return "redelivered" if is_again else None

    def _turn(self, message: Message, place: Place) -> Turn:
        event = {
            "key": message.key(self._session_id),
            "role": message.role,
            "content": message.text,
            "timestamp": message.seconds,
            "tz": message.zone if message.role == "user" else None,
            "private": not self._is_group,
            "sender": message.sender_id if self._is_group else None,
        }
        return Turn(place, self._scope, {name: value for name, value in event.items() if value is not None})
