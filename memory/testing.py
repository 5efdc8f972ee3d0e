"""Fakes for what can't be had in a test: models and time. Everything else is the real thing."""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from html import unescape
from typing import Any

import msgspec
import numpy as np

from memory.model import TYPE_DEFAULTS, Fact, Item, Kind, MemoryType, Resource
from memory.ports import Answer, Batching, Matrix, Prompt, Proposal, Usage, Vector


class FrozenClock:
    """A clock that stands still until it is turned."""

    def __init__(self, now: int = 1_780_000_000) -> None:
        self._now = now

    def now(self) -> int:
        """Unix seconds, UTC."""
        return self._now

    def turn(self, seconds: int) -> None:
        """Move the time; negative turns it back."""
        self._now += seconds


class FakeEmbedder:
    """A bag of hashed words: texts that share words are near, others are not. Deterministic."""

    name = "fake-words"
    dimension = 64

    async def query(self, text: str) -> Vector:
        """The vector of a question."""
        return self._vector(text)

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts, in order."""
        return np.array([self._vector(text) for text in texts], np.float32).reshape(-1, self.dimension)

    def _vector(self, text: str) -> Vector:
        vector = np.full(self.dimension, 0.01, np.float32)
        for word in re.findall(r"[a-z0-9]+|[一-鿿]", text.lower()):
            vector[hashlib.sha256(word.encode()).digest()[0] % self.dimension] += 1.0
        return (vector / np.linalg.norm(vector)).astype(np.float32)


class RhymeEmbedder:
    """Words that rhyme mean the same: a text can be near a question that shares no word with it.

    Any name and dimension, so that one model can take another's place; what two of them make can't be
    compared. Deterministic.
    """

    _ENDING = 4  # letters
    _SMALL_WORDS = re.compile(r"an?|and|has|have|in|is|its|my|of|or|the|to|where|which|who|with")

    def __init__(self, name: str, dimension: int) -> None:
        self.name = name
        self.dimension = dimension
        self._directions: dict[str, Vector] = {}

    async def query(self, text: str) -> Vector:
        """The vector of a question."""
        return self._vector(text)

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts, in order."""
        return np.array([self._vector(text) for text in texts], np.float32).reshape(-1, self.dimension)

    def _vector(self, text: str) -> Vector:
        words = re.findall(r"[a-z0-9]+|[一-鿿]", text.lower())
        endings = [word[-self._ENDING :] for word in words if not self._SMALL_WORDS.fullmatch(word)]
        total = sum((self._direction(ending) for ending in endings), self._direction("") * 0.01)
        unit: Vector = (total / np.linalg.norm(total)).astype(np.float32)
        return unit

    def _direction(self, ending: str) -> Vector:
        if ending not in self._directions:
            seed = hashlib.sha256(f"{self.name}/{ending}".encode()).digest()[:8]
            random = np.random.default_rng(int.from_bytes(seed))
            self._directions[ending] = random.standard_normal(self.dimension).astype(np.float32)
        return self._directions[ending]


class FakeExtractor:
    """Every turn is one general fact; the errors it is given are raised first, one a call."""

    name = "fake"
    batching = Batching()

    def __init__(self, errors: Sequence[Exception] = ()) -> None:
        self.errors = list(errors)
        self.calls = 0

    async def extract(self, turns: Sequence[Resource], known: Sequence[Item]) -> Sequence[Proposal]:
        """Each turn's whole text as one fact."""
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        return [Proposal(resource.id, _whole(resource.turn.text)) for resource in turns]


def _whole(text: str) -> Fact:
    defaults = TYPE_DEFAULTS[MemoryType.GENERAL]
    span = (0, len(text))
    return Fact(text, Kind.SEMANTIC, MemoryType.GENERAL, defaults.importance, defaults.half_life_days, span)


class FakeLanguageModel:
    """Answers by a ground truth, or raises the next of the errors it is given; keeps what it was asked.

    As strict as the providers: a schema that they would refuse is an AssertionError.
    """

    name = "fake/truth"

    def __init__(self, truth: Callable[[str], Any], errors: Sequence[Exception | None] = ()) -> None:
        self.truth = truth
        self.errors = list(errors)
        self.prompts: list[Prompt] = []

    async def answer(self, prompt: Prompt) -> Answer:
        """The truth about the prompt's text as JSON; a text stays as it is."""
        if not is_strict(prompt.schema):
            raise AssertionError(f"the schema of {prompt.name} would be refused")
        self.prompts.append(prompt)
        if self.errors and (error := self.errors.pop(0)):
            raise error
        said = self.truth(prompt.text)
        raw = said if isinstance(said, str) else msgspec.json.encode(said).decode()
        return Answer(raw, Usage(self.name, len(prompt.text) // 4, len(raw) // 4))


def is_strict(schema: Any) -> bool:
    """Whether every object in a JSON schema requires all its properties and allows no others."""
    if isinstance(schema, list):
        return all(map(is_strict, schema))
    if not isinstance(schema, Mapping):
        return True
    all_told = set(schema.get("required", ())) == set(schema.get("properties", ()))
    is_closed = all_told and schema.get("additionalProperties") is False
    return (schema.get("type") != "object" or is_closed) and all(map(is_strict, schema.values()))


def told_facts(prompt: str, **fields: Any) -> dict[str, list[dict[str, Any]]]:
    """A truth for extraction: each turn of the prompt, whole, is a fact that happened once."""
    turns = re.findall(r'<turn id="(t\d+)"[^>]*>\n(.*?)\n</turn>', prompt, re.DOTALL)
    return {"facts": [told_fact(handle, unescape(words), **fields) for handle, words in turns]}


def told_fact(turn: str, text: str, **fields: Any) -> dict[str, Any]:
    """One fact as a model gives it."""
    fact = {
        "turn": turn, "quote": text, "text": text, "kind": "episodic", "type": "general", "importance": 0.5,
        "until": "", "action": "add", "known": [], "categories": [],
    }  # fmt: skip
    return fact | fields
