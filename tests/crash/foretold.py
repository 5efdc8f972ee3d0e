"""A child process that dies by SIGKILL inside the transaction that records what was foreseen."""

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Final

import apsw

from tests.weeks import House, talk

SEED, TURNS = 5, 90
_UPDATED = "UPDATE ON proactive_items WHEN new.state"
MOMENTS: Final = {
    "hit": f"{_UPDATED} = 'hit'",
    "called off": f"{_UPDATED} = 'dismissed'",
    "predicted": "INSERT ON proactive_items",
    "evidence": "INSERT ON proactive_evidence",
    "cursor": "UPDATE ON job_cursors",
}


def _arm(connection: apsw.Connection, moment: str, count: int) -> None:
    """Die at the so-manieth row that is written then; nothing of this stays in the file."""
    left = count

    def die(*_: object) -> None:
        nonlocal left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    connection.create_scalar_function("die", die)
    connection.execute(f"CREATE TEMP TRIGGER dying AFTER {MOMENTS[moment]} BEGIN SELECT die(); END")


async def _main(path: Path, moment: str, count: int) -> None:
    house = House(path)
    if await house.is_empty():
        await house.hear(talk(SEED, TURNS))
    await house.database.write(lambda connection: _arm(connection, moment, count))
    await house.foresight(1_000).run(None, dry_run=False)


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])))
