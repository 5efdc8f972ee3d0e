"""The way through a transcript's tree: which records lead to its present end, and which were abandoned."""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import msgspec
from msgspec import UNSET, UnsetType

from cli.importing.lines import Line

Records = Callable[[], Iterator[Line]]

_ENTRIES = frozenset(
    {
        "message", "thinking_level_change", "model_change", "compaction", "reset", "branch_summary",
        "custom", "custom_message", "label", "session_info",
    }
)  # fmt: skip


class Link(msgspec.Struct, frozen=True):
    """How a record hangs together with others. v1 knows neither id nor parent: there, order is the chain."""

    type: str = ""
    id: str | None = None
    parentId: str | UnsetType | None = UNSET
    targetId: str | UnsetType | None = UNSET
    appendMode: str | None = None


_DECODER = msgspec.json.Decoder(Link)


@dataclass(slots=True)
class Branch:
    """The stretches of record numbers that lead from the start to the end, in order."""

    stretches: Sequence[tuple[int, int]]

    def __contains__(self, number: int) -> bool:
        place = bisect_right(self.stretches, (number, float("inf"))) - 1
        return place >= 0 and self.stretches[place][0] <= number <= self.stretches[place][1]


@dataclass(slots=True)
class _Jumps:
    """Where a record does not follow the one before it: kept instead of the whole large tree."""

    numbers: list[int] = field(default_factory=list)
    parents: list[str | None] = field(default_factory=list)
    tip: int | str | None = None


def link_of(record: bytes) -> Link | None:
    """How a record hangs in the tree; None if it can't be read."""
    try:
        return _DECODER.decode(record)
    except (msgspec.DecodeError, RecursionError):
        return None


def branch_of(records: Records) -> Branch:
    """The branch that OpenClaw shows: from its last record, or the one that was chosen, to the root.

    A parent that is not there (its line is broken) is taken to be the record before. Reads the records
    twice at most, and keeps only the places where the chain jumps.
    """
    jumps = _jumps(records)
    wanted = {parent for parent in [*jumps.parents, jumps.tip] if isinstance(parent, str)}
    return Branch(_stretches(jumps, _numbers(records, wanted) if wanted else {}))


def _jumps(records: Records) -> _Jumps:
    jumps = _Jumps()
    before: str | None = None
    was_reset = False
    for number, record in records():
        link = link_of(record) if record else None
        if link is None or link.type == "session":
            continue
        if _leaves_the_line(link, before, was_reset):
            jumps.numbers.append(number)
            jumps.parents.append(_parent(link))
        if link.type == "leaf":
            jumps.tip = _parent(link)
        elif link.type in _ENTRIES and link.appendMode != "side":
            jumps.tip = number
        was_reset = was_reset or link.type == "reset"
        before = link.id or before
    return jumps


def _parent(link: Link) -> str | None:
    parent = link.targetId if link.type == "leaf" else link.parentId
    return None if parent is UNSET else parent


def _leaves_the_line(link: Link, before: str | None, was_reset: bool) -> bool:
    if link.type == "leaf":
        return link.targetId is not UNSET
    if link.parentId is UNSET or link.id is None:
        return False
    # After a reset a record without parent goes on where the conversation stood.
    return not was_reset if link.parentId is None else link.parentId != before


def _numbers(records: Records, wanted: set[str]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for number, record in records():
        link = link_of(record) if record else None
        if link is not None and link.id in wanted and link.id not in numbers:
            numbers[link.id] = number
    return numbers


def _stretches(jumps: _Jumps, numbers: dict[str, int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    end = numbers.get(jumps.tip, 0) if isinstance(jumps.tip, str) else jumps.tip or 0
    while end > 0:
        place = bisect_right(jumps.numbers, end) - 1
        if place < 0:
            found.append((1, end))
            break
        start, parent = jumps.numbers[place], jumps.parents[place]
        found.append((start, end))
        if parent is None:
            break
        end = min(numbers.get(parent, start - 1), start - 1)
    return found[::-1]
