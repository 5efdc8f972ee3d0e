"""Who draws the facts of leased turns; what a paid model may take for it is kept free with the lease."""

from dataclasses import dataclass
from typing import Protocol

import apsw
import structlog

from memory import queue
from memory.budget import Reservation
from memory.errors import BudgetError
from memory.extract.llm import LlmExtractor
from memory.extract.own import is_told
from memory.llm.metered import MeteredModel, PrepaidModel
from memory.ports import Extractor
from memory.queue import Lease
from memory.store import extractions, resources

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Batch:
    """Turns in hand and the extractor for them; `held` is kept free until it is booked or the lease ends."""

    lease: Lease
    extractor: Extractor
    held: Reservation | None = None


class Funding(Protocol):
    """Decides who draws facts. Runs inside the caller's transaction: a lease and its money are one."""

    @property
    def extractor(self) -> Extractor:
        """Who draws facts where nothing is in the way."""
        ...

    def fund(self, connection: apsw.Connection, lease: Lease, now: int) -> Batch:
        """The extractor for turns that are leased here; in the transaction of the lease.

        Raises BudgetError where nobody may draw facts today.
        """
        ...

    def release(self, connection: apsw.Connection, batch: Batch) -> None:
        """Give back what was kept free and not booked; in the transaction that ends the lease."""
        ...


class Unpaid:
    """An extractor that costs nothing."""

    def __init__(self, extractor: Extractor) -> None:
        self.extractor = extractor

    def fund(self, connection: apsw.Connection, lease: Lease, now: int) -> Batch:
        """The same for all."""
        return Batch(lease, self.extractor)

    def release(self, connection: apsw.Connection, batch: Batch) -> None:
        """Nothing was kept free."""


class Paid:
    """A paid model while it may cost something; then `second` if there is one, until the next day.

    On a spent day turns that need no call are left to the first one: nobody told anything in them, or
    their answer was paid for and is kept.
    """

    def __init__(self, extractor: LlmExtractor, metered: MeteredModel, second: Extractor | None) -> None:
        self.extractor = extractor
        self._metered = metered
        self._second = second

    def fund(self, connection: apsw.Connection, lease: Lease, now: int) -> Batch:
        """The model with what these turns may take at most, by what is stored of them; or the second."""
        dearest = self.extractor.dearest(queue.sizes(connection, lease))
        try:
            held = self._metered.reserve(connection, dearest, now)
        except BudgetError:
            if not _needs_call(connection, lease):
                return Batch(lease, self.extractor)
            if self._second is None:
                raise
            log.info("extracted_by_second", extractor=self._second.name, turns=len(lease.resource_keys))
            return Batch(lease, self._second)
        return Batch(lease, self.extractor.asking(PrepaidModel(self._metered, held)), held)

    def release(self, connection: apsw.Connection, batch: Batch) -> None:
        """Nothing if it is booked."""
        if batch.held is not None:
            self._metered.release(connection, batch.held)


def _needs_call(connection: apsw.Connection, lease: Lease) -> bool:
    found = (resources.by_key(connection, key) for key in lease.resource_keys)
    told = [turn.id for turn in found if turn is not None and is_told(turn.turn)]
    return bool(told) and extractions.waiting(connection, told) is None
