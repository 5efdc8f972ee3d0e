"""Extraction that goes on by rules where the day's budget of the model is spent."""

from collections.abc import Sequence

import structlog

from memory.errors import BudgetError
from memory.model import Item, Resource
from memory.ports import Batching, Extractor, Proposal

log = structlog.get_logger()


class LadderExtractor:
    """The first extractor while it may cost something, then the second, until the next day.

    Raises what the first raises but BudgetError, and what the second raises.
    """

    def __init__(self, first: Extractor, second: Extractor) -> None:
        self._first = first
        self._second = second

    @property
    def name(self) -> str:
        """The first one's."""
        return self._first.name

    @property
    def batching(self) -> Batching:
        """The first one's."""
        return self._first.batching

    async def extract(self, turns: Sequence[Resource], known: Sequence[Item]) -> Sequence[Proposal]:
        """The facts by one of the two."""
        try:
            return await self._first.extract(turns, known)
        except BudgetError:
            log.info("extracted_by_second", extractor=self._second.name, turns=len(turns))
            return await self._second.extract(turns, known)
