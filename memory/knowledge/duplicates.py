"""Whether a new fact says again what is already known."""

import re
import unicodedata

from memory.knowledge.comparison import Comparison, compare
from memory.knowledge.embedders import cosine_floors
from memory.knowledge.features import MAX_TEXT_CHARS, Parsed, parse
from memory.simplified import simplified
from memory.terms import language

_MARKS = re.compile(r"[\s.,;:!'\"()\[\]、。“”‘’…—–]+")
_THAN = re.compile(r"\b(?:than|over|to)\b|比(?![较如赛例分重])")
_COMPARES = re.compile(r"\b(?:than|prefer\w*)\b|比(?![较如赛例分重])")
_NOT_YET = ("future", "hedge")
_MAX_INVERTED = 0.34
_MIN_LENGTH_RATIO = 0.6


def is_duplicate(new: str, old: str, cosine: float | None, embedder: str) -> bool:
    """Whether both say the same, so that the old one is reinforced instead of a second one stored.

    Texts that are equal but for case, width, script, blanks and marks always are. Otherwise the symmetric
    cosine must reach the embedder's floor and nothing hard may differ: a number, a date, a "not", an
    opposite, a person, a name, what is compared with what, a plan or a fact, the order, the length. Texts too
    long to be facts are duplicates only if equal.
    """
    if _bare(new) == _bare(old):
        return True
    if cosine is None or cosine < _floor(new, old, embedder) or max(len(new), len(old)) > MAX_TEXT_CHARS:
        return False
    return not _has_hard_difference(compare(parse(new), parse(old)))


def may_repeat(new: str, old: str) -> bool:
    """Whether nothing hard differs, whatever the cosine: who takes both for the same may be right."""
    if _bare(new) == _bare(old):
        return True
    if max(len(new), len(old)) > MAX_TEXT_CHARS:
        return False
    return not _has_hard_difference(compare(parse(new), parse(old)))


def _bare(text: str) -> str:
    return _MARKS.sub(" ", simplified(unicodedata.normalize("NFKC", text).casefold())).strip()


def _floor(new: str, old: str, embedder: str) -> float:
    floors = cosine_floors(embedder)
    return floors.duplicate_zh if "zh" in (language(new), language(old)) else floors.duplicate_en


def _has_hard_difference(pair: Comparison) -> bool:
    shorter, longer = sorted((len(pair.new.folded), len(pair.old.folded)))
    return bool(
        pair.new.numbers != pair.old.numbers
        or pair.polarity_differs
        or pair.opposed
        or pair.apart
        or pair.new.owner != pair.old.owner
        or pair.new.names - pair.old.content
        or pair.old.names - pair.new.content
        or any((cue in pair.new.cues) != (cue in pair.old.cues) for cue in _NOT_YET)
        or _compared(pair.new) != _compared(pair.old)
        or pair.new.is_statement != pair.old.is_statement
        or pair.inverted > _MAX_INVERTED
        or shorter < longer * _MIN_LENGTH_RATIO
    )


def _compared(text: Parsed) -> frozenset[str]:
    """What is held to be more or better than something else: tea, in "I prefer tea over coffee"."""
    if not _COMPARES.search(text.folded):
        return frozenset()
    return parse(_THAN.split(text.folded, maxsplit=1)[0]).content
