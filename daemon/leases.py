"""What was in hand when a daemon ended: put back at its start, or at its stop already."""

import apsw
import structlog

from memory import queue
from memory.budget import Budget
from memory.database import Database
from memory.errors import MemudError, StorageFullError
from memory.ports import Clock

log = structlog.get_logger()


async def recover_leases(database: Database, budget: Budget, max_crashes: int, clock: Clock) -> None:
    """What was in hand at a crash is put back; on a full disk it stays so until the monitor sweeps it."""
    try:
        await database.write(lambda c: _recover(c, budget, clock.now(), max_crashes), frees_space=True)
    except StorageFullError as error:
        log.warning("leases_kept", reason=error.reason)


def _recover(connection: apsw.Connection, budget: Budget, now: int, max_crashes: int) -> None:
    budget.free_all(connection)
    queue.recover(connection, now, max_crashes)
    queue.look_anew(connection, now)


async def release_leases(database: Database, budget: Budget, clock: Clock) -> None:
    """What was in hand at the stop is put back at once, and does not count as a crash."""
    try:
        await database.write(lambda c: _release(c, budget, clock.now()), frees_space=True)
    except MemudError as error:
        log.warning("leases_kept", reason=error.reason)


def _release(connection: apsw.Connection, budget: Budget, now: int) -> None:
    budget.free_all(connection)
    queue.release(connection, now)
