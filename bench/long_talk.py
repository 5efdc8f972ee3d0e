"""A conversation of 500 turns with planted facts, the same in every run; English and Chinese in turn."""

import random
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

EXCHANGES = 250  # a prompt and its reply: 500 turns
_FILE = Path(__file__).with_name("long_talk.toml")
_REPLY_SENTENCES = (3, 6)
_APART = 25  # exchanges that lie at least between a fact, what replaces it, and the question


@dataclass(frozen=True, slots=True)
class Exchange:
    """A prompt and its reply; `evidence` is the key of the turn that answers the prompt, if one does."""

    key: str
    language: str
    prompt: str
    reply: str
    evidence: str | None = None


def conversation() -> list[Exchange]:
    """Facts, what replaces them, questions about them, and between them talk about other things."""
    randomly = random.Random(500)  # noqa: S311 - no secrets, but the same talk each time
    content = _content()
    planted = _planted(content["planted"], content["filler"], randomly)
    return [planted.get(place) or _filler(place, content["filler"], randomly) for place in range(EXCHANGES)]


@cache
def facts() -> frozenset[str]:
    """The words of all planted facts."""
    planted = _content()["planted"]
    return frozenset(fact[kind] for fact in planted for kind in ("said", "later") if kind in fact)


def _content() -> dict[str, Any]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def _planted(
    facts: list[dict[str, str]], filler: Mapping[str, Any], randomly: random.Random
) -> dict[int, Exchange]:
    """The exchanges about the planted facts by their place."""
    free, found = set(range(EXCHANGES)), dict[int, Exchange]()
    for fact in facts:
        language, words = fact["language"], [fact[kind] for kind in ("said", "later") if kind in fact]
        places = _apart(free, len(words) + 1, randomly)
        free.difference_update(places)
        for place, text in zip(places, words, strict=False):
            found[place] = Exchange(_key(place), language, text, filler[language]["noted"])
        found[places[-1]] = Exchange(
            _key(places[-1]), language, fact["asked"], filler[language]["replied"], _key(places[-2])
        )
    return found


def _apart(free: set[int], count: int, randomly: random.Random) -> list[int]:
    """Free places in order, far enough from one another."""
    while True:
        chosen = sorted(randomly.sample(sorted(free), count))
        if all(after - before >= _APART for before, after in pairwise(chosen)):
            return chosen


def _filler(place: int, filler: Mapping[str, Any], randomly: random.Random) -> Exchange:
    """Talk about something else."""
    language = ("en", "zh")[place % 2]
    words = filler[language]
    topic, other = randomly.sample(words["topics"], 2)
    sentences = randomly.sample(words["answered"], randomly.randint(*_REPLY_SENTENCES))
    told = ("" if language == "zh" else " ").join(sentences)
    prompt = randomly.choice(words["asked"])
    return Exchange(
        _key(place),
        language,
        prompt.format(topic=topic, other=other),
        told.format(topic=topic, other=other),
    )


def _key(place: int) -> str:
    return f"talk-{place}"
