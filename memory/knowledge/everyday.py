"""The shipped everyday categories: their names in both languages, their words and their sentences."""

import functools
import importlib.resources
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memory.simplified import simplified
from memory.store.category_names import fold
from memory.terms import index_terms, is_cjk, plain_words

MAX_HITS: Final = 2  # a fact full of food words is no more about food than one with two


@dataclass(frozen=True, slots=True)
class Everyday:
    """One category. `called` are all its names, `aliases` the same folded; `like` are sentences of it."""

    key: str
    names: Mapping[str, str]
    called: tuple[str, ...]
    aliases: frozenset[str]
    like: tuple[str, ...]
    stems: frozenset[str]
    han: tuple[str, ...]


@functools.cache
def everyday() -> tuple[Everyday, ...]:
    """All of them, in the order in which they win a tie."""
    table = tomllib.loads(
        importlib.resources.files("memory.knowledge").joinpath("everyday.toml").read_text("utf-8")
    )
    return tuple(_read(key, entry) for key, entry in table.items())


def by_alias(name: str) -> Everyday | None:
    """The everyday category that a name means, in either language and script."""
    folded = fold(simplified(name))
    return next((one for one in everyday() if folded in one.aliases), None)


def meant(names: Sequence[str] | None) -> list[str] | None:
    """What a person asks for by these names: those very ones, and the everyday categories that they mean."""
    if names is None:
        return None
    shipped = [one for name in names if (one := by_alias(name)) is not None]
    return list(dict.fromkeys([*names, *(name for one in shipped for name in one.names.values())]))


def hits(text: str) -> Sequence[int]:
    """How many words of each category a fact has, MAX_HITS at most, in the order of `everyday`."""
    plain = simplified(text)
    stems = {term for word in plain_words(plain) for term in index_terms(word)}
    return [min(MAX_HITS, len(one.stems & stems) + _found(one.han, plain)) for one in everyday()]


def _found(words: Sequence[str], text: str) -> int:
    """How many of the words stand in the text; one inside another counts once."""
    found = [word for word in words if word in text]
    return sum(not any(word != other and word in other for other in found) for word in found)


def _read(key: str, entry: Mapping[str, Any]) -> Everyday:
    names = entry["names"]
    words = entry["words"].split()
    called = tuple(name.strip() for name in (*names.values(), *entry["aliases"].split(",")))
    return Everyday(
        key,
        names,
        called,
        frozenset(map(fold, called)),
        tuple(entry["like"]),
        frozenset(term for word in words if not is_cjk(word) for term in index_terms(word)),
        tuple(word for word in words if is_cjk(word)),
    )
