"""Words of one concept: who asks what to drink means the tea, in whichever language it was told.

The concepts are shipped beside this file; what they were measured on: docs/decisions/0003-concepts.md.
"""

import functools
import importlib.resources
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from memory.scoring.silence import asks_about_oneself, follows
from memory.terms import index_terms, is_cjk, is_lone_character

MAX_OTHER_WORDS = 110  # some 5 ms of full text over 10,000 rows

_ASKING = "what|which|who|whom|whose|where|when|how|does|did|is|has"
# An agent says "the user" where the user says "I".
_USER = re.compile(r"\b(?:my|the|this|our) user(?:['’]s)?\b|用户", re.IGNORECASE)
_ASKED = re.compile(rf"\b(?:{_ASKING})\b")
_THE_USER = re.compile(r"\b(?:my|the|this|our) user\b")
_ZH_USER = re.compile("用户")
_ZH_ASKED = re.compile("什么|什麼|谁|誰|哪|几|多少|吗|嗎|[?？]")
# Who asks for a method wants to be taught, not reminded.
_HOW_TO = re.compile(r"\bhow (?:do|can|could|should|would|to|might)\b")


@dataclass(frozen=True, slots=True)
class Related:
    """The other words of a term's concepts, as index terms; a lone CJK character stands for a beginning."""

    words: frozenset[str]
    characters: frozenset[str]

    def is_named_in(self, item_terms: Collection[str]) -> bool:
        """Whether an item with these terms names the concept."""
        if not self.words.isdisjoint(item_terms):
            return True
        if not self.characters:
            return False
        letters = "".join(item_terms)  # each character of a text begins one of its terms
        return not letters.isascii() and any(map(letters.__contains__, self.characters))


def asked_for(text: str, terms: Iterable[str]) -> dict[str, Related]:
    """For each term of a question that belongs to a concept, the other words of it; empty for other prompts.

    A Chinese bigram that is no member itself belongs where its characters do: 常喝 asks for drinks.
    """
    if not asks_for_memory(text):
        return {}
    found = {term: _related_to(term) for term in terms}
    return {term: one for term, one in found.items() if one is not None}


def other_words(text: str, terms: Iterable[str]) -> list[str]:
    """The words that `asked_for` gives, to look for in full text, in a fixed order.

    Whole concepts, the first ones of the question, with at most MAX_OTHER_WORDS together.
    """
    found: frozenset[str] = frozenset()
    for concept in asked_for(text, terms).values():
        more = found | concept.words | concept.characters
        if len(more) > MAX_OTHER_WORDS:
            break
        found = more
    return sorted(found)


def asks_for_memory(text: str) -> bool:
    """Whether a prompt asks for something about the user, who says "I" or is called "the user".

    Only then a concept is worth a match: "how do I cook rice?" and "what is the best tea?" ask for knowledge.
    """
    folded = text.lower()
    if _HOW_TO.search(folded):
        return False
    return (
        asks_about_oneself(folded)
        or follows(_ASKED, _THE_USER, folded)
        or follows(_ZH_USER, _ZH_ASKED, folded)
    )


def without_the_user(text: str) -> str:
    """The question without its mention of the user, whom every memory here is about."""
    return _USER.sub(" ", text)


@functools.cache
def members() -> Mapping[str, frozenset[str]]:
    """Each member, as an index term, with the members that it stands for beside itself."""
    table = tomllib.loads(
        importlib.resources.files("memory.scoring").joinpath("concepts.toml").read_text("utf-8")
    )
    stands_for: dict[str, set[str]] = {}
    for concept in table.values():
        names, kinds = _terms(concept["names"]), [_terms(kind) for kind in concept["kinds"]]
        for group, meant in [(names, names.union(*kinds)), *zip(kinds, kinds, strict=True)]:
            for term in group:
                stands_for.setdefault(term, set()).update(meant - {term})
    return MappingProxyType({term: frozenset(meant) for term, meant in stands_for.items()})


@functools.cache
def _related_to_member(term: str) -> Related:
    return _split(members()[term])


def _related_to(term: str) -> Related | None:
    if term in members():
        return _related_to_member(term)
    inner = list(_inner_members(term))
    return _split({*inner, *(one for member in inner for one in members()[member])}) if inner else None


def _inner_members(term: str) -> Iterator[str]:
    if len(term) > 1 and is_cjk(term):
        yield from (character for character in term if character in members())


def _split(terms: Iterable[str]) -> Related:
    every = frozenset(terms)
    characters = frozenset(term for term in every if is_lone_character(term))
    return Related(every - characters, characters)


def _terms(words: str) -> frozenset[str]:
    """A Chinese word of two characters gives its bigram first; the character after it is left out."""
    return frozenset(index_terms(word)[0] for word in words.split())
