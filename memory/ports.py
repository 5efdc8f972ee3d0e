"""What the domain asks of its parts. One contract suite proves each promise for every implementation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from memory.model import Fact, Item, Resource

Vector = NDArray[np.float32]
"""One embedding: shape (dimension,), L2 norm 1."""

Matrix = NDArray[np.float32]
"""Embeddings by row: shape (n, dimension), each of L2 norm 1."""


class Clock(Protocol):
    """The time, passed in so that tests and replays can turn it."""

    def now(self) -> int:
        """Unix seconds, UTC."""
        ...


class Embedder(Protocol):
    """Texts to vectors of one model. Never blocks the event loop; safe to call from many tasks."""

    @property
    def name(self) -> str:
        """Model and version; stamped on every vector, and no two models share it."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector."""
        ...

    async def query(self, text: str) -> Vector:
        """The vector of a question. Queries overtake waiting passages.

        Raises TemporaryError when the provider fails in a way that may pass.
        """
        ...

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors of stored texts, in order; shape (0, dimension) for none. Raises like `query`."""
        ...


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question to a language model, answered by one JSON object that fits `schema` (JSON Schema).

    Every object in the schema says `additionalProperties: false` and requires all its properties (a null
    stands for none), or OpenAI's strict mode refuses it. `purpose` is what the tokens are booked under,
    `name` what the schema is called on the wire.
    """

    purpose: str
    system: str
    text: str
    name: str
    schema: Mapping[str, Any]
    max_output_tokens: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call cost, in the provider's own count of tokens."""

    model: str
    input_tokens: int
    output_tokens: int


@dataclass(frozen=True, slots=True)
class Answer:
    """`raw` is the JSON text as the model gave it, not yet parsed and not to be trusted."""

    raw: str
    usage: Usage


class LanguageModel(Protocol):
    """A provider's model behind structured output. Never blocks the event loop; safe for many tasks."""

    @property
    def name(self) -> str:
        """Provider and model, such as `anthropic/claude-sonnet-5`."""
        ...

    async def answer(self, prompt: Prompt) -> Answer:
        """One call, and at most one quick retry of what failed in passing.

        Raises OutageError (may pass; says when to come back), KeyRefusedError (a person has to act),
        AnswerError (this prompt gets no usable answer: refused, too long, cut, empty).
        """
        ...


@dataclass(frozen=True, slots=True)
class Proposal:
    """A fact that an extractor draws from one of the turns it was given.

    `repeats` is the id of the known fact that it says again, `replaces` are the ids of those that it ends;
    ids that were not among the known ones mean nothing. `categories` are names, in the turn's language.
    """

    resource_id: str
    fact: Fact
    repeats: str | None = None
    replaces: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Batching:
    """How a session's turns come to an extractor: up to `turns` at once, or after `quiet_s` of silence."""

    turns: int = 1
    quiet_s: int = 0

    @property
    def is_joint(self) -> bool:
        """Whether turns ever wait for one another."""
        return self != Batching()


class Extractor(Protocol):
    """Turns to facts: 0 to 5 an exchange, each traceable to a turn. Nothing new is a right answer."""

    @property
    def name(self) -> str:
        """What `health` shows."""
        ...

    @property
    def batching(self) -> Batching:
        """One turn at a time, at once, unless a call costs money."""
        ...

    async def extract(self, turns: Sequence[Resource], known: Sequence[Item]) -> Sequence[Proposal]:
        """The durable facts of stored turns of one session, oldest first; `known` are the nearest facts.

        Raises what `LanguageModel.answer` raises.
        """
        ...


@dataclass(frozen=True, slots=True)
class IndexedVector:
    """A vector with what a search may filter and weigh by. `timestamp` is the event's own time."""

    key: int
    user_id: str
    vector: Vector
    timestamp: int
    private: bool
    importance: float = 0.5
    half_life_days: int | None = None


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The nearest keys, best first; ties by smaller key.

    `keys` int64 (k,), `cosines` float32 (k,); `mean` and `std` describe the cosines of all `size`
    vectors that the filter let through, so that a score can be standardised against the store.
    """

    keys: NDArray[np.int64]
    cosines: NDArray[np.float32]
    mean: float
    std: float
    size: int


@dataclass(frozen=True, slots=True)
class Filter:
    """What a search may see: said from `since` to `until`, nothing private if `public_only`."""

    until: int | None = None
    public_only: bool = False
    since: int | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation of the cosines of `size` vectors; all zero for none."""

    mean: float
    std: float
    size: int


class VectorIndex(Protocol):
    """Exact or approximate nearest neighbours over one model's vectors; derived, rebuilt at will.

    Thread-safe. A vector of another dimension, or with NaN, raises InvalidError and changes nothing.
    """

    @property
    def backend(self) -> str:
        """`exact`, `vss` or `faiss`."""
        ...

    def __len__(self) -> int:
        """How many vectors it holds."""
        ...

    @property
    def nbytes(self) -> int:
        """Memory of its arrays, spare room included."""
        ...

    @property
    def measured_recall(self) -> float | None:
        """If it is approximate and was measured: of the true 100 nearest the share that it finds."""
        ...

    @property
    def waiting(self) -> int:
        """How many changes its file lacks; it answers by them all the same."""
        ...

    @property
    def fault(self) -> str:
        """Why changes are not written to its file at present, "" if they are."""
        ...

    def put(self, rows: Sequence[IndexedVector]) -> None:
        """Add vectors; a known key is replaced. Raises nothing because of its file."""
        ...

    def remove(self, keys: Sequence[int]) -> None:
        """Forget vectors; unknown keys are ignored."""
        ...

    def search(self, user_id: str, query: Vector, k: int, allowed: Filter) -> Neighbours:
        """The top k of one user by cosine; never another user's."""
        ...

    def spread(self, user_id: str, query: Vector, allowed: Filter) -> Spread:
        """How the cosines of all vectors that the filter lets through lie, exactly, whatever the backend."""
        ...

    def cosines(self, user_id: str, keys: Sequence[int], query: Vector) -> NDArray[np.float32]:
        """Exact cosines, shape (len(keys),); NaN for a key that the user does not have here."""
        ...

    def vectors(self, user_id: str, keys: Sequence[int]) -> Matrix:
        """The stored vectors, shape (len(keys), dimension); NaN for a key that is not this user's."""
        ...

    def weighted(self, user_id: str, query: Vector, now: int, k: int) -> Neighbours:
        """The top k by cosine x importance x 2^(-age/half-life), for the literal formula."""
        ...

    def settle(self) -> None:
        """All that is stored was put: what came from a file of its own and was not put again is dropped.

        Takes seconds at most, and raises nothing because of its file.
        """
        ...

    def flush(self) -> bool:
        """Write all that waits, however long it takes; False: `fault` says why some still waits.

        `close`, called by another thread, ends it within seconds.
        """
        ...

    def close(self) -> None:
        """Write what waits, let go of files and threads. Safe to call twice.

        Who took the index before another got its place may come late: it still answers, from memory.
        """
        ...
