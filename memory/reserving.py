"""A reservation in the day's budget that no cancelled caller leaves behind."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

import apsw

from memory.budget import Budget, Reservation
from memory.database import Database
from memory.errors import MemudError


async def reserved(
    database: Database, budget: Budget, reserve: Callable[[apsw.Connection], Reservation]
) -> Reservation:
    """What `reserve` keeps free. Raises what it raises.

    A write stands though its caller is cancelled meanwhile; so it is waited for, and given back.
    """
    write = asyncio.ensure_future(database.write(reserve))
    try:
        return await asyncio.shield(write)
    except asyncio.CancelledError:
        with suppress(MemudError):  # refused, or no room: nothing was kept
            held = await write
            await database.write(lambda c: budget.release(c, held), frees_space=True)
        raise
