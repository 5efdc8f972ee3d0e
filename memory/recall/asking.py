"""From a question to what is asked: what it names, what shares its words, and its vector, in time or not."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from memory.database import Database
from memory.errors import TemporaryError
from memory.fulltext import NO_MATCHES, Matches
from memory.ports import Clock, Embedder, Vector
from memory.recall.naming import Naming, naming
from memory.recall.query import Query
from memory.recall.wording import wording

_EMBEDDING_SHARE = 0.7  # of a deadline; the rest is for the search by words

Missing = Literal["index warming", "full text only", "embedder late", "embedder away"]
"""A part that could not help."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question at a moment (Unix seconds); `vector` is None where words alone must do.

    The vector is that of `names.spoken`, `words` what shares words with the question. `degraded` names the
    parts that could not help, `is_late` says that the deadline came before the vector.
    """

    query: Query
    now: int
    vector: Vector | None
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
        embedder: Embedder | None,
        clock: Clock,
        is_warm: Callable[[], bool],
        candidates: int,
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._clock = clock
        self._is_warm = is_warm
        self._candidates = candidates

    async def ask(self, query: Query, remaining_s: float | None = None) -> Asked:
        """The question with its vector, if that comes in time."""
        now = self._moment(query)
        words, (names, vector, missing) = await asyncio.gather(
            self._database.read(lambda c: wording(c, query, self._candidates)),
            self._understood(query, now, remaining_s),
        )
        if names.has_no_subject:  # what was replaced since was said all the same
            query = replace(query, include_superseded=True)
        degraded = (*self._warming(), *missing)
        return Asked(query, now, vector, names, words, degraded, "embedder late" in missing)

    def silent(self, query: Query) -> Asked:
        """A question that needs no vector, as it is not going to be answered."""
        names = Naming(query.text, query.text)
        return Asked(query, self._moment(query), None, names, NO_MATCHES, self._warming())

    async def _understood(
        self, query: Query, now: int, remaining_s: float | None
    ) -> tuple[Naming, Vector | None, tuple[Missing, ...]]:
        names = await self._database.read(lambda c: naming(c, query, now))
        vector, missing = await self._vector(names.spoken, remaining_s)
        return names, vector, missing

    def _warming(self) -> tuple[Missing, ...]:
        return () if self._is_warm() else ("index warming",)

    async def _vector(
        self, text: str, remaining_s: float | None
    ) -> tuple[Vector | None, tuple[Missing, ...]]:
        if self._embedder is None:
            return None, ("full text only",)
        if not text.strip():
            return None, ()
        try:
            async with asyncio.timeout(None if remaining_s is None else remaining_s * _EMBEDDING_SHARE):
                return await self._embedder.query(text), ()
        except TimeoutError:
            return None, ("embedder late",)
        except TemporaryError:
            return None, ("embedder away",)

    def _moment(self, query: Query) -> int:
        return self._clock.now() if query.as_of is None else query.as_of
