"""Pieces of a date as they stand in a text (a day, a clock, a part of the day), and how neighbours join."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from memory.dates.clock import Clock, Part, clock_alone, clock_on, part_of
from memory.dates.moment import DAY, Said, Stretch

_MAX_PIECES = 200  # a chat turn has a handful; a pasted log must not cost seconds


@dataclass(frozen=True, slots=True)
class Piece:
    """Some words of a date. `is_firm` if they mean a date even with no other piece beside them."""

    start: int
    end: int
    day: Stretch | None = None
    clock: Clock | None = None
    part: Part | None = None
    is_firm: bool = True
    is_past: bool = False
    is_limit: bool = False
    is_weekday: bool = False  # a bare one, which comes again in a week
    is_void: bool = False  # a time that comes again and again ("every Monday"), with all that joins it


def apart(pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces in order, with those dropped that overlap an earlier or longer one."""
    kept: list[Piece] = []
    for piece in sorted(pieces, key=lambda p: (p.start, -p.end)):
        if not kept or piece.start >= kept[-1].end:
            kept.append(piece)
    return kept[:_MAX_PIECES]


def joined(text: str, pieces: list[Piece], gap: re.Pattern[str]) -> list[Piece]:
    """Neighbours that complete each other, with nothing but a gap between them, become one piece."""
    result: list[Piece] = []
    for piece in pieces:
        last = result[-1] if result else None
        if last and _fit(last, piece) and gap.fullmatch(text, last.end, piece.start):
            result[-1] = _union(last, piece)
        else:
            result.append(piece)
    return [piece for piece in result if piece.is_firm and not piece.is_void]


def stretch_of(piece: Piece, said: Said) -> Stretch:
    """What the piece means in the writer's calendar. Raises ValueError for what no calendar has."""
    if piece.day is None:
        return _without_day(piece, said)
    if piece.day.precision != "day" or piece.day.end - piece.day.start > DAY:
        return piece.day
    if piece.clock is not None:
        found = clock_on(piece.day.start, piece.clock, piece.part)
        if piece.is_weekday and not piece.is_past and found.end <= said.local:
            return clock_on(piece.day.start + 7 * DAY, piece.clock, piece.part)
        return _tonight(found, piece, said)
    return part_of(piece.day.start, piece.part) if piece.part else piece.day


def _without_day(piece: Piece, said: Said) -> Stretch:
    if piece.clock is not None:
        return clock_alone(said, piece.clock, piece.part, is_past=piece.is_past)
    if piece.part is None:
        raise ValueError("nothing was named")
    today = part_of(said.midnight, piece.part)
    return today if today.end > said.local else part_of(said.midnight + DAY, piece.part)


def _tonight(found: Stretch, piece: Piece, said: Said) -> Stretch:
    """ "today at 9", said in the afternoon, is tonight."""
    is_open = piece.clock is not None and piece.clock.is_open and piece.part is None
    if is_open and not piece.is_past and piece.day and piece.day.start == said.midnight and piece.clock:
        later = clock_alone(said, piece.clock, None, is_past=False)
        return later if later.start < piece.day.end else found
    return found


def _fit(left: Piece, right: Piece) -> bool:
    both = [(left.day, right.day), (left.clock, right.clock), (left.part, right.part)]
    is_disjoint = not any(a is not None and b is not None for a, b in both)
    days = [piece.day for piece in (left, right) if piece.day]
    return is_disjoint and all(day.precision == "day" for day in days)


def _union(left: Piece, right: Piece) -> Piece:
    return replace(
        left,
        end=right.end,
        day=left.day or right.day,
        clock=left.clock or right.clock,
        part=left.part or right.part,
        is_firm=True,  # a day with a clock, or a clock with its part of the day
        is_void=left.is_void or right.is_void,
        is_past=left.is_past or right.is_past,
        is_weekday=left.is_weekday or right.is_weekday,
        is_limit=left.is_limit or right.is_limit,
    )
