"""Dates that people name in chat, English and Chinese, read from the message's own time in its own zone.

Safe to call from any thread. A text that names no date gives none; an absurd one gives none, never an error.
Without jionlp Chinese days are not found, and `is_chinese_available` says so.
"""

import contextlib
import re
from collections.abc import Iterator
from datetime import datetime

from memory.dates import chinese, english
from memory.dates.jio import is_chinese_available
from memory.dates.lookalikes import dates_only, is_habit, is_yearly
from memory.dates.moment import (
    HOUR_S,
    DateMention,
    Precision,
    Said,
    due_moment,
    is_in_calendar,
    mention,
    whole,
    zone_of,
)
from memory.dates.pieces import Piece, apart, joined, stretch_of

__all__ = [
    "DateMention",
    "Precision",
    "absolute",
    "due_moment",
    "end_of_day",
    "find_dates",
    "is_chinese_available",
]

_LEAD_CHARS = 44  # "by the close of business on"
_MAX_CHARS = 20_000  # dates beyond it are those of a pasted file
_HAN = re.compile(r"[㐀-鿿]")
_WITHIN = re.compile(
    r"(?:分钟|分鐘|小时|小時|钟头|刻钟)(?:以内|以內|之内|之內|内|內)$"
)  # how long a way takes
_HAS_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_HAS_BRACKET = re.compile(r"\s?[(（](?:19|20|21)\d\d")
_RANGE_AFTER = re.compile(r"\s?[-–—~～]\s?\d")
_POSSESSIVE = re.compile(r"['’]s\b")
_GAP = re.compile(f"(?:{english.GAP.pattern}|{chinese.GAP.pattern})", re.IGNORECASE)


def find_dates(text: str, at: int, tz: str) -> list[DateMention]:
    """The dates that a message names, in order; `at` is when it was written (Unix seconds), `tz` where.

    Weekdays and dates without a year lie ahead, unless the clause speaks of the past, or the day was within
    the last month and the clause does not look ahead; "next Friday" is the first Friday after today. An hour
    that is neither am nor pm is the morning from 7 (with minutes: 6) to 11, else the afternoon. A zone that
    nobody knows is UTC. Recurring times ("every Monday") are no dates.
    """
    return [date for _, date in _read(text, at, tz)]


def absolute(text: str, at: int, tz: str) -> str:
    """The text in its own words, each relative date followed by the absolute one in brackets.

    A date that already has its year, or its bracket, stays as it is, so that doing it twice changes nothing;
    so do the start of a range ("May 4-5"), a time with no day ("before 10am"), which may be a habit, and the
    day of a birthday.
    """
    parts: list[str] = []
    last = 0
    for piece, date in _read(text, at, tz):
        end = date.end + (2 if _POSSESSIVE.match(text, date.end) else 0)
        is_plain = bool(
            _HAS_YEAR.search(date.text)
            or _HAS_BRACKET.match(text, end)
            or _RANGE_AFTER.match(text, end)
            or _WITHIN.search(date.text)
        )
        comes_again = is_yearly(text, date.start, date.end) or is_habit(text, date.start, date.end)
        if piece.day and not is_plain and not comes_again:
            parts += [text[last:end], _bracket(date)]
            last = end
    return "".join([*parts, text[last:]])


def end_of_day(moment: int, tz: str) -> int:
    """The end of the local day that a moment lies in, Unix seconds."""
    said = Said(moment, tz)
    return said.unix(whole(said.local, "day").end)


def _read(text: str, at: int, tz: str) -> Iterator[tuple[Piece, DateMention]]:
    if not is_in_calendar(at):
        return
    said, text = Said(at, tz), text[:_MAX_CHARS]
    for piece in joined(text, apart(dates_only(text, _pieces(text, said))), _GAP):
        with contextlib.suppress(ValueError, OverflowError, OSError):  # no calendar has it
            yield piece, _mention(text, piece, said)


def _pieces(text: str, said: Said) -> Iterator[Piece]:
    yield from english.pieces(text, said)
    if _HAN.search(text):
        yield from chinese.pieces(text, said)


def _mention(text: str, piece: Piece, said: Said) -> DateMention:
    lead = english.LIMIT_BEFORE.search(text, max(0, piece.start - _LEAD_CHARS), piece.start)
    tail = chinese.LIMIT_AFTER.match(text, piece.end)
    span = lead.start() if lead else piece.start, tail.end() if tail else piece.end
    within = english.LIMIT_WITHIN.search(text, piece.start, piece.end)
    is_limit = piece.is_limit or bool(lead or tail or within)
    return mention(said, text, span, stretch_of(piece, said), is_limit=is_limit)


def _bracket(date: DateMention) -> str:
    words = _written(date)
    return f"（{words}）" if _HAN.search(date.text) else f" ({words})"


def _written(date: DateMention) -> str:
    zone = zone_of(date.tz)
    first = datetime.fromtimestamp(date.at, zone)
    last = datetime.fromtimestamp(date.until - 1, zone)
    if date.precision in ("month", "year"):
        return f"{first:%Y-%m}" if date.precision == "month" else f"{first:%Y}"
    if date.precision == "minute" or date.until - date.at == HOUR_S:
        return f"{first:%Y-%m-%d %H:%M}"
    if first.date() == last.date():
        return f"{first:%Y-%m-%d}"
    return f"{first:%Y-%m-%d}/{last:%Y-%m-%d}"
