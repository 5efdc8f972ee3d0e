"""Sees that what embedders take is counted, and that those which may cost something keep to the budget."""

from memory.budget import Budget
from memory.database import Database
from memory.embed.counted import CountedEmbedder
from memory.embed.local import local_provider
from memory.embed.metered import MeteredEmbedder
from memory.ports import Clock, Embedder
from memory.tally import Tally


class Meter:
    """Puts itself around embedders; one that is not known to run on this machine is taken for a paid one."""

    def __init__(self, budget: Budget, database: Database, tally: Tally, clock: Clock) -> None:
        self._budget = budget
        self._database = database
        self._tally = tally
        self._clock = clock

    def around(self, embedder: Embedder) -> Embedder:
        """The same embedder, counted or within the budget."""
        if local_provider(embedder.name):
            return CountedEmbedder(embedder, self._tally)
        return MeteredEmbedder(embedder, self._budget, self._database, self._tally, self._clock)
