"""How much more may wait, without counting what waits at every capture."""

from dataclasses import dataclass
from typing import Final

import apsw

from memory.errors import BusyError
from memory.queue.waiting import load

_SHARE: Final = 8  # of the room that was free, so much is let in before it is counted again


@dataclass(frozen=True, slots=True)
class Limits:
    """How many turns of one kind may wait, and how many bytes (None: as many as come)."""

    turns: int
    size_bytes: int | None = None


class Room:
    """The room for turns of one kind: today's, or those brought in. Asked by the thread that writes alone.

    What waits is counted once for an eighth of what was free, and each time where nearly none is: the limit
    is never passed, but by what a person brings back to life between two counts.
    """

    def __init__(self, limits: Limits, *, background: bool) -> None:
        self._limits = limits
        self._background = background
        self._turns = self._bytes = 0

    def admit(self, connection: apsw.Connection, turns: int, size_bytes: int) -> None:
        """Let so much in, or raise BusyError when as much waits as may; one call may be the last drop."""
        if self._turns <= turns or self._bytes <= size_bytes:
            self._count(connection)
        self._turns -= turns
        self._bytes -= size_bytes

    def _count(self, connection: apsw.Connection) -> None:
        queued, waiting_bytes = load(connection, background=self._background)
        most_bytes = self._limits.size_bytes or waiting_bytes + 2**62
        if queued >= self._limits.turns or waiting_bytes >= most_bytes:
            self._turns = self._bytes = 0
            raise BusyError(
                f"{queued} turns wait to be worked on; nothing was stored",
                hint="send again later; `memud queue list` shows what waits",
                retry_after_ms=1_000,
            )
        self._turns = (self._limits.turns - queued) // _SHARE
        self._bytes = (most_bytes - waiting_bytes) // _SHARE
