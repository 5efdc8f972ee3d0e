"""Finds the offset that a user's own store asks for: the shipped prompts are asked like real questions."""

import math
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from functools import partial

import apsw

from memory.database import Database
from memory.model import Scope
from memory.recall.asking import Asked, Asker
from memory.recall.offsets import Fit, Offsets
from memory.recall.query import Query
from memory.recall.scored import Scored, Scorer
from memory.scoring.background import Offset, background_prompts, fit_lexical_offset, fit_offset
from memory.scoring.calibration import SMALL_STORE
from memory.scoring.silence import is_silent_prompt
from memory.store import counting
from memory.terms import Language, language

_SHIPPED_WEIGHT = 100  # the shipped offset counts as much as so many prompts: a fit to some 110 is unsure


@dataclass(frozen=True, slots=True)
class Chance:
    """What a prompt found by chance: the best raw score (0 for nothing), among which texts."""

    best: float
    keys: Set[int]


class Recalibration:
    """Asks the shipped prompts, one a read, so that a real question waits for no more than one other."""

    def __init__(self, database: Database, asker: Asker, scorer: Scorer, offsets: Offsets) -> None:
        self._database = database
        self._asker = asker
        self._scorer = scorer
        self._offsets = offsets

    async def fit(self, user_id: str, spoken: Language, is_over: Callable[[], bool]) -> Fit | None:
        """What the store asks for now; None while vectors can't be had, or once all is over.

        Changes nothing.
        """
        found: list[Chance] = []
        for prompt in prompts(spoken):
            asked = await self._asker.ask(Query(prompt, Scope(user_id), limit=1))
            if is_over() or (self._offsets.embedder and asked.degraded):
                return None
            found.append(await self._database.read(partial(self._chance, asked=asked, spoken=spoken)))
        size = await self._database.read(lambda c: counting.texts(c, user_id))
        measure = fit_offset if self._offsets.embedder else fit_lexical_offset
        return fitted(found, size, self._offsets.shipped, measure)

    def _chance(self, connection: apsw.Connection, asked: Asked, spoken: Language) -> Chance:
        scored = self._scorer.score(connection, asked)
        judged = [one for one in scored if self._is_judged(one, spoken)]
        best = max((one.raw_score for one in judged), default=0.0)
        return Chance(best, {one.candidate.key for one in judged})

    def _is_judged(self, one: Scored, spoken: Language) -> bool:
        """Whether the offset is asked of it: in the same language, with a vector where there are vectors."""
        if one.candidate.excluded is not None or language(one.candidate.text) != spoken:
            return False
        return not (self._offsets.embedder and math.isnan(one.deviation))


def prompts(spoken: Language) -> list[str]:
    """The shipped prompts of a language, without those that are met with silence whatever is stored."""
    return [
        prompt
        for prompt in background_prompts()
        if language(prompt) == spoken and is_silent_prompt(prompt) is None
    ]


def fitted(
    found: Sequence[Chance],
    store_size: int,
    shipped: Offset,
    measure: Callable[[Sequence[float]], float],
) -> Fit:
    """The offset that such prompts ask for, drawn towards the shipped one, as they are few.

    Where all of them together meet fewer than SMALL_STORE texts, they tell nothing.
    """
    usual = shipped.at(store_size)
    if len(set[int]().union(*(one.keys for one in found))) < SMALL_STORE:
        return Fit(usual, store_size, 0)
    own = measure([one.best for one in found])
    weight = len(found) / (len(found) + _SHIPPED_WEIGHT)
    return Fit(usual + weight * (own - usual), store_size, len(found))
