"""The words that decide how facts stand to each other, read from the tables beside and compiled once."""

import functools
import importlib.resources
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

_NOT_LATIN_BEFORE = r"(?<![a-z0-9])"
_NOT_LATIN_AFTER = r"(?![a-z0-9])"
_SPOKEN_OF = frozenset(("language", "holiday", "daypart", "season", "profession", "department"))
_TABLES = ("cues.toml", "subjects.toml", "slots.toml", "values.toml")
_IS_LATIN = re.compile(r"^[\x00-\x7f]*$")


@dataclass(frozen=True, slots=True)
class Slot:
    """What a fact fills. A person holds one value of a personal slot.

    `by_value`: only another typed value or the opposite counts as another.
    """

    pattern: re.Pattern[str]
    is_personal: bool
    by_value: bool


@dataclass(frozen=True, slots=True)
class Sides:
    """The sides of one opposition; a text that has words of several sides takes none."""

    patterns: tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class Dropped:
    """How a sentence names the value that it gives up, and where that name ends."""

    after: re.Pattern[str]
    before: re.Pattern[str]
    stop: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Everything that `features` looks for. Patterns expect folded text."""

    cues: Mapping[str, re.Pattern[str]]
    dropped: Dropped
    light_words: frozenset[str]
    light_han: re.Pattern[str]  # group 1: a light word; a match without it is a word to keep whole
    fillers: frozenset[str]
    verbs: frozenset[str]
    verbs_han: re.Pattern[str]
    owners: re.Pattern[str]
    slots: Mapping[str, Slot]
    values: Mapping[str, re.Pattern[str]]  # by kind; the named group is the member
    antonyms: tuple[Sides, ...]
    apart: tuple[Sides, ...]  # the same, but of what tells two things apart
    any_side: re.Pattern[str]  # of the antonyms
    whole_side: re.Pattern[str]  # without lone characters, which stand in other words, too: 西瓜 is no west
    any_apart: re.Pattern[str]
    any_value: re.Pattern[str]
    measured: re.Pattern[str]  # the values that are said of something, not what is spoken of
    negation: re.Pattern[str]
    dislike: re.Pattern[str]
    contrast: re.Pattern[str]  # a negation that turns nothing round
    multi: re.Pattern[str]
    qualifiers: re.Pattern[str]
    same: Mapping[str, re.Pattern[str]]  # other words for a thing, by the word that stands for them
    regions: re.Pattern[str]
    second_home: re.Pattern[str]


@functools.cache
def lexicon() -> Lexicon:
    """The shipped lexicon."""
    table = {key: entry for name in _TABLES for key, entry in _read(name).items()}
    light, verbs, polarity = table["light"], table["verbs"], table["polarity"]
    return Lexicon(
        cues={name: _both(entry) for name, entry in table["cues"].items()},
        dropped=Dropped(**{name: _both(entry) for name, entry in table["dropped"].items()}),
        light_words=frozenset(light["en"].split()),
        light_han=re.compile(f"{_longest_first(light['kept'])}|({_longest_first(light['zh'])})"),
        fillers=frozenset(light["filler"].split()),
        verbs=frozenset(verbs["en"].split()),
        verbs_han=re.compile(_longest_first(verbs["zh"])),
        owners=_owners(table["owners"]),
        slots={name: _slot(entry) for name, entry in table["slots"].items()},
        values={kind: _members(entry) for kind, entry in table["values"].items()},
        antonyms=_sides(table["antonyms"]["groups"]),
        apart=_sides(table["antonyms"]["apart"]),
        any_side=_any_of(side for group in table["antonyms"]["groups"] for side in group),
        whole_side=_any_of(
            [word for word in side if len(word) > 1]
            for group in table["antonyms"]["groups"]
            for side in group
        ),
        any_apart=_any_of(side for group in table["antonyms"]["apart"] for side in group),
        any_value=_any_of(words for entry in table["values"].values() for words in entry.values()),
        measured=_any_of(
            words
            for kind, entry in table["values"].items()
            if kind not in _SPOKEN_OF
            for words in entry.values()
        ),
        negation=_both(polarity["negation"]),
        dislike=_both(polarity["dislike"]),
        contrast=_both(polarity["contrast"]),
        multi=_both(table["multi"]),
        qualifiers=_both(table["qualifiers"]),
        same={thing: _any(others) for thing, others in table["same"].items()},
        regions=_both(table["regions"]),
        second_home=_both(table["second_home"]),
    )


def _read(name: str) -> dict[str, Any]:
    source = importlib.resources.files(__name__).joinpath(name)
    return tomllib.loads(source.read_text(encoding="utf-8"))


def _slot(entry: Mapping[str, Any]) -> Slot:
    return Slot(_both(entry), entry["holder"] == "person", entry.get("by_value", False))


def _sides(groups: Iterable[Iterable[Iterable[str]]]) -> tuple[Sides, ...]:
    return tuple(Sides(tuple(map(_any, group))) for group in groups)


def _both(entry: Mapping[str, Any]) -> re.Pattern[str]:
    return re.compile(f"{_words(entry['en'])}|{_longest_first(entry['zh'])}")


def _any(entries: Iterable[str]) -> re.Pattern[str]:
    return re.compile(_any_source(entries))


def _any_of(lists: Iterable[Iterable[str]]) -> re.Pattern[str]:
    return _any(entry for entries in lists for entry in entries)


def _any_source(entries: Iterable[str]) -> str:
    found = list(entries)
    latin = [entry for entry in found if _IS_LATIN.match(entry)]
    han = [entry for entry in found if not _IS_LATIN.match(entry)]
    return "|".join([_words(latin)] * bool(latin) + [_longest_first(han)] * bool(han))


def _words(entries: Iterable[str]) -> str:
    return f"{_NOT_LATIN_BEFORE}{_longest_first(entries)}{_NOT_LATIN_AFTER}"


def _longest_first(entries: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted(entries, key=_shown_length, reverse=True)) + ")"


def _shown_length(entry: str) -> int:
    """A class of characters stands for one."""
    return 1 if entry.startswith("[") and entry.endswith("]") else len(entry)


def _members(entry: Mapping[str, Iterable[str]]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?P<{name}>{_any_source(words)})" for name, words in entry.items()))


def _owners(table: Mapping[str, Mapping[str, list[str]]]) -> re.Pattern[str]:
    en, zh = table["en"], table["zh"]
    names = sorted(zh.keys() | en.keys(), key=lambda name: -max(map(len, zh.get(name, [""]))))
    return _members({name: [*en.get(name, []), *zh.get(name, [])] for name in names})
