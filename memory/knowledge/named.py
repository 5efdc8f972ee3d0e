"""What a text names of the closed sets: typed values, members of a set, the sides of oppositions."""

import re
from collections.abc import Iterator, Sequence

from memory.knowledge.lexicon import Lexicon, Sides
from memory.knowledge.quantities import Quantity

_LAST_WORD = re.compile(r"([a-z][a-z-]{2,}) #?$")


def values(folded: str, numbers: list[Quantity], words: Lexicon) -> dict[str, frozenset[str]]:
    """Numbers by what they count, and the members of closed sets by their set."""
    found: dict[str, set[str]] = {}
    for number in numbers:
        found.setdefault(number.kind, set()).add(number.value)
    for kind, pattern in words.values.items() if words.any_value.search(folded) else ():
        for match in pattern.finditer(folded):
            found.setdefault(kind, set()).add(match.lastgroup or "")
    return {kind: frozenset(members) for kind, members in found.items()}


def value_words(folded: str, words: Lexicon) -> Iterator[str]:
    """The words of currencies, languages and products: they are compared as values, not as names."""
    for match in words.any_value.finditer(folded):
        yield from match.group().split()


def labels(folded: str, numbers: Sequence[Quantity], words: Lexicon) -> Iterator[str]:
    """Numbers that stand right behind a noun, as a name does: "task 4", not "costs 4" or "about 4"."""
    for number in numbers:
        noun = _LAST_WORD.search(folded, 0, number.start) if number.kind == "number" else None
        if noun and noun[1] not in words.light_words and noun[1] not in words.verbs:
            yield number.value


def sides(folded: str, groups: Sequence[Sides], any_side: re.Pattern[str]) -> dict[int, int]:
    """By opposition: the one side that the text takes."""
    found: dict[int, int] = {}
    if not any_side.search(folded):
        return found
    for group, opposed in enumerate(groups):
        taken = [side for side, pattern in enumerate(opposed.patterns) if pattern.search(folded)]
        if len(taken) == 1:
            found[group] = taken[0]
    return found


def side_words(folded: str, words: Lexicon) -> Iterator[str]:
    """The words, folded, by which it takes sides."""
    for match in words.any_side.finditer(folded):
        yield from match.group().split()


def without_values(text: str, words: Lexicon) -> str:
    """The text with blanks for values and sides: what they are said of."""
    return words.whole_side.sub(_blank, words.measured.sub(_blank, text))


def in_one_word(text: str, words: Lexicon) -> str:
    """The text with one word for each thing that has several: getting married is a wedding."""
    for thing, others in words.same.items():
        text = others.sub(thing, text)
    return text


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())
