"""Fits the relevance to a user's own store, once it has grown by half since the last time."""

from collections.abc import Callable

from memory.database import Database
from memory.ports import Clock
from memory.recall.offsets import Offsets
from memory.recall.recalibration import Recalibration
from memory.scoring.calibration import SMALL_STORE
from memory.store import counting
from memory.terms import Language

_LANGUAGES: tuple[Language, ...] = ("en", "zh")


class Recalibrate:
    """One store and language a run, a second or two in small steps; the rest waits for the next.

    A run that ends early, by itself or because all is over, leaves the offset that served before.
    """

    def __init__(
        self,
        database: Database,
        recalibration: Recalibration,
        offsets: Offsets,
        clock: Clock,
        is_over: Callable[[], bool],
    ) -> None:
        self._database = database
        self._recalibration = recalibration
        self._offsets = offsets
        self._clock = clock
        self._is_over = is_over

    async def run(self, user_id: str | None = None) -> int:
        """How many offsets were found anew, of one user or of anybody: 0 or 1."""
        due = await self._next(user_id)
        fit = await self._recalibration.fit(*due, self._is_over) if due else None
        if due is None or fit is None:
            return 0
        owner, spoken = due
        now = self._clock.now()
        await self._database.write(lambda c: self._offsets.keep(c, owner, spoken, fit, now))
        self._offsets.use(owner, spoken, fit)
        return int(fit.count > 0)

    async def _next(self, user_id: str | None) -> tuple[str, Language] | None:
        sizes = await self._database.read(lambda c: counting.sizes(c, SMALL_STORE))
        waiting = (
            (owner, spoken)
            for owner, size in sizes.items()
            for spoken in _LANGUAGES
            if user_id in (None, owner) and self._offsets.is_due(owner, spoken, size)
        )
        return next(waiting, None)
