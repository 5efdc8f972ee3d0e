"""Which lines of a file stayed, changed, went and came since it was read last."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_SIMILAR = 0.6
_NO_NAME = re.compile(r"\d|to do$|待办$", re.IGNORECASE)  # a date or a box before many different things
_MAX_COMPARED = 200  # on each side: all are compared with all


@dataclass(frozen=True, slots=True)
class Comparison:
    """By hash; `edited` leads from what a line says now to what it said. Moving a line changes nothing."""

    edited: Mapping[str, str]
    gone: Sequence[str]
    fresh: Sequence[str]


def compare(before: Sequence[str], after: Sequence[str], words: Mapping[str, str]) -> Comparison:
    """Compare two versions of a file, as hashes in order, none twice; `words` says what each stands for.

    A new line is taken for the edit of one that is no longer there if it says nearly the same, or stands
    in its very place.
    """
    stayed = set(before) & set(after)
    gone = [one for one in before if one not in stayed]
    fresh = [one for one in after if one not in stayed]
    edited = _alike(gone, fresh, words)
    edited |= _in_place(before, after, edited)
    was = set(edited.values())
    return Comparison(
        edited, [one for one in gone if one not in was], [one for one in fresh if one not in edited]
    )


def _alike(gone: Sequence[str], fresh: Sequence[str], words: Mapping[str, str]) -> dict[str, str]:
    """Pairs that say nearly the same, the nearest first."""
    if max(len(gone), len(fresh)) > _MAX_COMPARED:
        return {}
    scored = [
        (_likeness(words[old], words[new]), new, old)
        for new in fresh
        for old in gone
        if old in words and new in words
    ]
    pairs: dict[str, str] = {}
    taken: set[str] = set()
    for score, new, old in sorted(scored, key=lambda one: -one[0]):
        if score >= _SIMILAR and new not in pairs and old not in taken:
            pairs[new] = old
            taken.add(old)
    return pairs


def _likeness(one: str, other: str) -> float:
    """0..1; equal names before a colon make two values of the same thing."""
    if len(one) > 2_000 or len(other) > 2_000:
        return 0.0
    name, _, _ = one.replace("：", ":").partition(":")
    other_name, colon, _ = other.replace("：", ":").partition(":")
    if colon and name == other_name and len(name) <= 40 and not _NO_NAME.match(name):
        return 1.0
    return SequenceMatcher(None, _own_words(one), _own_words(other), autojunk=False).ratio()


def _own_words(text: str) -> str:
    """Without a date or a box before them, which makes different things look alike."""
    name, colon, rest = text.replace("：", ":").partition(":")
    return rest if colon and _NO_NAME.match(name) else text


def _in_place(before: Sequence[str], after: Sequence[str], edited: Mapping[str, str]) -> dict[str, str]:
    """What is left between the same neighbours, one old line for one new."""
    no_old, no_new = {*after, *edited.values()}, {*before, *edited}
    pairs: dict[str, str] = {}
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for kind, start, end, new_start, new_end in blocks:
        if kind == "replace":
            old = [one for one in before[start:end] if one not in no_old]
            new = [one for one in after[new_start:new_end] if one not in no_new]
            if len(old) == len(new):
                pairs.update(zip(new, old, strict=True))
    return pairs
