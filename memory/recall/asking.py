"""From a question to what is asked: what it names, what shares its words, and its vectors, in time or not."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from memory.database import Database
from memory.errors import AnswerError, ClosedError, TemporaryError
from memory.fulltext import NO_MATCHES, Matches
from memory.ports import Clock, Vector
from memory.recall.naming import Naming, naming
from memory.recall.query import Query
from memory.recall.wording import wording
from memory.vectors.generations import Generation, Generations

_EMBEDDING_SHARE = 0.7  # of a deadline; the rest is for the search by words

Missing = Literal["index warming", "full text only", "embedder late", "embedder away"]
"""A part that could not help."""


Known = Callable[[str, str, str], Vector | None]
"""The vector of a user's question by a model, where somebody has kept it."""


def _unknown(user_id: str, text: str, model: str) -> None:
    """Nothing is kept."""


@dataclass(frozen=True, slots=True)
class Aim:
    """A question as one model reads it: a vector, to be compared with that model's own and no others."""

    vector: Vector
    generation: Generation


@dataclass(frozen=True, slots=True)
class Asked:
    """A question at a moment (Unix seconds); `aims`, the oldest model's first, are none where words must do.

    Their vectors are those of `names.spoken`, `words` is what shares words with the question. `degraded`
    names the parts that could not help, `is_late` says that the deadline came before a vector.
    """

    query: Query
    now: int
    aims: tuple[Aim, ...]
    names: Naming
    words: Matches
    degraded: tuple[Missing, ...] = ()
    is_late: bool = False


class Asker:
    """Embeds questions, and looks for their words meanwhile, for so many `candidates`.

    A part that is away costs its share of the answer, never the answer.
    """

    def __init__(
        self,
        database: Database,
        generations: Generations,
        clock: Clock,
        is_warm: Callable[[], bool],
        candidates: int,
        known: Known = _unknown,
    ) -> None:
        self._database = database
        self._generations = generations
        self._clock = clock
        self._is_warm = is_warm
        self._candidates = candidates
        self._known = known

    async def ask(self, query: Query, remaining_s: float | None = None) -> Asked:
        """The question with its vectors, as far as they come in time."""
        now = self._moment(query)
        words, (names, aims, missing) = await asyncio.gather(
            self._database.read(lambda c: wording(c, query, self._candidates)),
            self._understood(query, now, remaining_s),
        )
        if names.has_no_subject:  # what was replaced since was said all the same
            query = replace(query, include_superseded=True)
        degraded = (*self._warming(), *missing)
        return Asked(query, now, aims, names, words, degraded, "embedder late" in missing)

    def silent(self, query: Query) -> Asked:
        """A question that needs no vector, as it is not going to be answered."""
        names = Naming(query.text, query.text)
        return Asked(query, self._moment(query), (), names, NO_MATCHES, self._warming())

    async def _understood(
        self, query: Query, now: int, remaining_s: float | None
    ) -> tuple[Naming, tuple[Aim, ...], tuple[Missing, ...]]:
        names = await self._database.read(lambda c: naming(c, query, now))
        aims, missing = await self._aims(query.scope.user_id, names.spoken, remaining_s)
        return names, aims, missing

    def _warming(self) -> tuple[Missing, ...]:
        return () if self._is_warm() else ("index warming",)

    async def _aims(
        self, user_id: str, text: str, remaining_s: float | None
    ) -> tuple[tuple[Aim, ...], tuple[Missing, ...]]:
        generations = self._generations.oldest_first
        if not generations:
            return (), ("full text only",)
        if not text.strip():
            return (), ()
        found = await asyncio.gather(*(self._aim(one, user_id, text, remaining_s) for one in generations))
        aims = tuple(one for one in found if isinstance(one, Aim))
        missing = dict.fromkeys(one for one in found if not isinstance(one, Aim))
        return aims, tuple(missing)

    async def _aim(
        self, generation: Generation, user_id: str, text: str, remaining_s: float | None
    ) -> Aim | Missing:
        known = self._known(user_id, text, generation.name)
        return await _embedded(generation, text, remaining_s) if known is None else Aim(known, generation)

    def _moment(self, query: Query) -> int:
        return self._clock.now() if query.as_of is None else query.as_of


async def _embedded(generation: Generation, text: str, remaining_s: float | None) -> Aim | Missing:
    try:
        async with asyncio.timeout(None if remaining_s is None else remaining_s * _EMBEDDING_SHARE):
            return Aim(await generation.embedder.query(text), generation)
    except TimeoutError:
        return "embedder late"
    except (TemporaryError, AnswerError, ClosedError):  # closed: its last text has just moved on
        return "embedder away"
