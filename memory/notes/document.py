"""What a file of notes says: which statements, of what kind, of which day. Pure."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import PurePath

from memory.model import MemoryType
from memory.notes.markdown import Line, lines
from memory.notes.template import is_of_host

LASTING_NAMES = frozenset({"memory.md", "user.md"})
_DAILY_NAME = re.compile(r"(\d{4}-\d\d-\d\d)(?:[-_ ].*)?\.md", re.IGNORECASE)
_MAX_CHARS = 32_768  # of a statement; an export could not bring a far longer one back
_OWN_FOLDERS = frozenset({".dreams", "dreaming"})  # OpenClaw's own consolidation: it repeats the others
_DATED = re.compile(r"[\[(（]?(\d{4}-\d\d-\d\d)[\])）]?\s*[:：,，—–-]?\s+\S")
_HOUR = re.compile(r"(?<!\d)([01]?\d|2[0-3])[:：]([0-5]\d)(?!\d)")
_BOX = re.compile(r"\[([ xX])\]\s+")
_SESSION_TITLE = re.compile(r"Session:", re.IGNORECASE)
_TRANSCRIPT = re.compile(r"conversation|transcript|对话", re.IGNORECASE)
_SESSION_FIELDS = re.compile(r"(?:Session Key|Session ID|Source)\s*[:：]", re.IGNORECASE)
_SUPERSEDED = re.compile(r"<!--.*\bstatus:\s*superseded\b", re.IGNORECASE | re.DOTALL)
_OBSERVED = re.compile(r"<!--.*\bobserved:\s*(\d{4}-\d\d-\d\d)", re.IGNORECASE | re.DOTALL)
_PLACEHOLDER = re.compile(
    r"[_*\s]*(?:[(（\[【<][^()（）\[\]【】<>]*[)）\]】>]|TBD|TODO|N/?A|unknown|\?+|-+|_+|…|\.{3}|待填写?|未填写?|待定)?[_*\s.。]*",
    re.IGNORECASE,
)
_NAMED_FIELD = re.compile(r"[^:：]{1,60}[:：]\s*(?P<value>.*)", re.DOTALL)
_TYPES: Sequence[tuple[MemoryType, re.Pattern[str]]] = (
    (MemoryType.DECISION, re.compile(r"decision|decided|决定|决策", re.IGNORECASE)),
    (MemoryType.PREFERENCE, re.compile(r"preference|prefers|偏好|喜好|喜欢", re.IGNORECASE)),
    (
        MemoryType.CORRECTION,
        re.compile(r"correction|lessons? learned|mistakes|纠正|更正|教训", re.IGNORECASE),
    ),
)


@dataclass(frozen=True, slots=True)
class Nature:
    """What kind of notes a file holds: of one day, or such as last."""

    day: date | None = None

    @property
    def is_lasting(self) -> bool:
        """Whether its statements hold until they are changed or taken away."""
        return self.day is None


@dataclass(frozen=True, slots=True)
class Note:
    """One statement of a file, in its own words. `day` and `minute` say when, where the file does."""

    number: int
    text: str
    memory_type: MemoryType = MemoryType.GENERAL
    category: str | None = None
    day: date | None = None
    minute: int | None = None  # of that day


@dataclass(frozen=True, slots=True)
class Document:
    """`passed` counts what is readable and no memory, by reason."""

    notes: tuple[Note, ...] = ()
    passed: Mapping[str, int] = field(default_factory=dict)


def nature_of(path: PurePath) -> Nature | None:
    """What a file is by its name; None for one that holds no notes."""
    if _OWN_FOLDERS & {part.lower() for part in path.parts[:-1]}:
        return None
    if path.name.lower() in LASTING_NAMES:
        return Nature()
    named = _DAILY_NAME.fullmatch(path.name)
    day = _day(named[1]) if named else None
    return Nature(day) if day else None


def read(text: str, nature: Nature) -> Document:
    """The statements of a file, each once."""
    notes: dict[str, Note] = {}
    passed: Counter[str] = Counter()
    for line in lines(text):
        reason = _passed_reason(line)
        if reason is None and line.text in notes:
            reason = "twice"
        if reason is not None:
            passed[reason] += 1
        else:
            notes[line.text] = _note(line, nature)
    return Document(tuple(notes.values()), dict(passed))


def _passed_reason(line: Line) -> str | None:
    if line.is_struck or _SUPERSEDED.search(line.remark):
        return "struck"
    if len(line.text) > _MAX_CHARS:
        return "too_large"
    if _is_of_session(line):
        return "transcript"
    if not line.text.strip(" \t*_-–—:：|"):
        return "empty"
    return "template" if _is_template(line.text) or is_of_host(line.text) else None


def _is_of_session(line: Line) -> bool:
    """Whether it repeats a session, which is brought in by itself."""
    if not (line.headings and _SESSION_TITLE.match(line.headings[0])):
        return False
    is_head = len(line.headings) == 1 and _SESSION_FIELDS.match(line.text)
    return bool(is_head) or any(_TRANSCRIPT.search(heading) for heading in line.headings[1:])


def _is_template(text: str) -> bool:
    """A field that nobody has filled in, or a hint what to write."""
    if _PLACEHOLDER.fullmatch(text):
        return True
    named = _NAMED_FIELD.fullmatch(text)
    return bool(named) and bool(_PLACEHOLDER.fullmatch(named["value"]))  # type: ignore[index]


def _note(line: Line, nature: Nature) -> Note:
    heading = next((one for one in reversed(line.headings[1:]) if one), None)
    hour = next((found for one in reversed(line.headings) if (found := _HOUR.search(one))), None)
    dated = _DATED.match(line.text) or _OBSERVED.search(line.remark)
    return Note(
        line.number,
        _with_box(line.text.strip()),
        _memory_type(line.headings),
        heading[:60] if heading and nature.is_lasting else None,
        (_day(dated[1]) if dated else None) or nature.day,
        int(hour[1]) * 60 + int(hour[2]) if hour and not nature.is_lasting else None,
    )


def _with_box(text: str) -> str:
    """A task in words: whether it is done must not be lost with its box."""
    box = _BOX.match(text)
    if not box:
        return text
    words, is_done = text[box.end() :], box[1] != " "
    is_chinese = bool(re.search(r"[\u4e00-\u9fff]", words))
    if is_done:
        return f"{words}（已完成）" if is_chinese else f"{words} (done)"
    return f"待办：{words}" if is_chinese else f"To do: {words}"


def _memory_type(headings: Sequence[str]) -> MemoryType:
    """What the nearest heading says of what stands below it."""
    for heading in reversed(headings):
        for memory_type, words in _TYPES:
            if words.search(heading):
                return memory_type
    return MemoryType.GENERAL


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
