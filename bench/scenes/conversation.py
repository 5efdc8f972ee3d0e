"""A conversation on disk: one JSON event a line, shaped like what an agent sends to `capture`."""

import json
import math
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bench.scenes.say import Say

MACHINE_TRIGGERS = frozenset({"heartbeat", "cron"})
LATEST_MS = 4e15
ROLES = ("user", "assistant", "tool", "system")
_NO_TIME = Say("timestamp is no time", "timestamp 不是时间")
BESIDE = ("session_id", "context", "user_id", "agent_id")  # of a call, not of an event
PLACE = re.compile(r"\{\{secret:(\w+)\}\}")
ENVELOPE = re.compile(r"^(?:[\w ]+ \(untrusted metadata\):\s*```json.*?```\s*)+", re.DOTALL)
BLOCK = re.compile(r"<memud-recall.*?</memud-recall>\s*", re.DOTALL)


class LineError(Exception):
    """A line that can't be used, and why."""

    def __init__(self, reason: Say) -> None:
        super().__init__(reason.en)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Line:
    """One good line: the event as it goes over the wire, and what stands beside it in a call."""

    number: int
    event: dict[str, Any]
    session_id: str
    context: dict[str, Any] | None

    @property
    def is_human(self) -> bool:
        """A person wrote this turn."""
        return self.event["role"] == "user" and not self.is_machine

    @property
    def is_machine(self) -> bool:
        """A timer made this turn, as the agent says."""
        return self.event.get("trigger") in MACHINE_TRIGGERS

    @property
    def words(self) -> str:
        """The plain words of the turn, without envelope and NUL: what one would look it up by."""
        content = self.event["content"]
        if isinstance(content, list):
            content = "\n".join(part.get("text", "") for part in content if isinstance(part, dict))
        return BLOCK.sub("", ENVELOPE.sub("", str(content))).replace("\0", "").strip()


@dataclass(frozen=True, slots=True)
class Conversation:
    """The good lines in order, and the bad ones by number with the reason."""

    lines: tuple[Line, ...]
    bad: tuple[tuple[int, Say], ...]
    read_at: int

    @property
    def end(self) -> int:
        """A minute after its last event, in Unix seconds; the daemon takes a future event for one of now."""
        latest: int = max(line.event["timestamp"] for line in self.lines)
        return min(latest, self.read_at) + 60

    @property
    def zone(self) -> tzinfo:
        """Where it was last said."""
        return _zone(self.lines[-1].event.get("tz"))


def _zone(name: object) -> tzinfo:
    try:
        return ZoneInfo(str(name))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


class PlantedSecrets:
    """Secrets made up anew at each run, so that no secret-looking string lies in the repository."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}

    @property
    def values(self) -> tuple[str, ...]:
        """What must never reach the disk."""
        return tuple(self._values.values())

    def fill(self, text: str) -> str:
        """The text with each {{secret:NAME}} replaced."""
        return PLACE.sub(lambda place: self._value(place[1]), text)

    def _value(self, name: str) -> str:
        if name not in self._values:
            prefix = "sk-proj-" if name == "api_key" else ""
            self._values[name] = prefix + secrets.token_hex(20 if prefix else 9)
        return self._values[name]


def read(path: Path, planted: PlantedSecrets, now: int) -> Conversation:
    """Every line that can be used; `now` dates the events that carry no time."""
    good, bad = [], []
    for number, raw in enumerate(path.read_bytes().splitlines(), start=1):
        if not raw.strip():
            continue
        try:
            good.append(_line(number, planted.fill(_decoded(raw)), now))
        except LineError as error:
            bad.append((number, error.reason))
    return Conversation(tuple(good), tuple(bad), now)


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise LineError(Say("not UTF-8", "不是 UTF-8")) from error


def _line(number: int, raw: str, now: int) -> Line:
    event = _object(raw)
    roles = ", ".join(ROLES)
    role = str(event.get("role"))
    _demand(role in ROLES, Say(f"role is {role}, none of {roles}", f"role 是 {role}，不在 {roles} 之中"))
    has_content = isinstance(event.get("content"), str | list)
    _demand(has_content, Say("content is neither text nor a list of parts", "content 既不是文本也不是列表"))
    beside = {name: event.pop(name, None) for name in BESIDE}
    event["timestamp"] = _unix_seconds(event.get("timestamp"), now)
    event.setdefault("key", f"line-{number}")
    is_object = beside["context"] is None or isinstance(beside["context"], dict)
    _demand(is_object, Say("context is no object", "context 不是对象"))
    return Line(number, event, str(beside["session_id"] or "conversation"), beside["context"])


def _object(raw: str) -> dict[str, Any]:
    try:
        event = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise LineError(Say("not JSON", "不是 JSON")) from error
    _demand(isinstance(event, dict), Say("not a JSON object", "不是 JSON 对象"))
    return dict(event)


def _demand(truth: bool, reason: Say) -> None:
    if not truth:
        raise LineError(reason)


def _unix_seconds(value: object, now: int) -> int:
    """Seconds, milliseconds or ISO 8601, as agents write them."""
    if value is None:
        return now
    if isinstance(value, str):
        try:
            return int(datetime.fromisoformat(value).timestamp())
        except (ValueError, OverflowError) as error:
            raise LineError(_NO_TIME) from error
    _demand(isinstance(value, int | float) and not isinstance(value, bool), _NO_TIME)
    seconds = float(str(value))
    is_near = math.isfinite(seconds) and abs(seconds) < LATEST_MS
    _demand(is_near, Say("timestamp is out of this world", "timestamp 超出合理范围"))
    return int(seconds / 1000 if seconds > 1e11 else seconds)


def share_no_word(prompt: str, lines: Iterable[Line]) -> bool:
    """Nothing in the conversation has a word, or two neighbouring Han characters, of the prompt."""
    wanted = _terms(prompt)
    return all(wanted.isdisjoint(_terms(line.words)) for line in lines)


def _terms(text: str) -> frozenset[str]:
    words = {word for word in re.findall(r"[^\W\d_]{4,}", text.lower()) if word.isascii()}
    han = re.findall(r"[\u4e00-\u9fff]+", text)
    return frozenset(words | {run[i : i + 2] for run in han for i in range(len(run) - 1)})


def own_words_worth_finding(lines: Iterable[Line], at_most: int) -> list[Line]:
    """Human turns that say enough to be looked up by their own words, spread over the conversation."""
    telling = [line for line in lines if line.is_human and len(_terms(line.words)) >= 4]
    step = max(1, len(telling) // at_most)
    return telling[::step][:at_most]


def reasons_by_count(skipped: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many events were skipped, by reason."""
    counts: dict[str, int] = {}
    for entry in skipped:
        counts[entry["reason"]] = counts.get(entry["reason"], 0) + 1
    return counts
