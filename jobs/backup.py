"""A copy of the database that can be carried away: whole, compact, checked."""

import asyncio
import os
from pathlib import Path

import apsw

from memory.database import Database
from memory.database.connection import open_reader
from memory.errors import SchemaError
from memory.model import Report
from memory.ports import Clock


class Backup:
    """Writes backups/memud-SECONDS.db beside the database; a copy that can't be read is never left there."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def run(self, *, dry_run: bool = False) -> Report:
        """Make a copy; the note says where it is."""
        folder = self._database.path.parent / "backups"
        target = folder / f"memud-{self._clock.now()}.db"
        if dry_run:
            return Report("backup", {}, (str(target),), dry_run=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        partial = target.with_suffix(".partial")
        partial.unlink(missing_ok=True)
        try:
            await self._database.copy_to(partial)
            await asyncio.to_thread(_publish, partial, target)
        finally:
            partial.unlink(missing_ok=True)
        return Report("backup", {"bytes": target.stat().st_size}, (str(target),))


def _publish(partial: Path, target: Path) -> None:
    partial.chmod(0o600)
    copy: apsw.Connection = open_reader(partial)
    try:
        if copy.pragma("quick_check", 1) != "ok":
            raise SchemaError("the copy is damaged", hint="check the disk; the database itself is untouched")
    finally:
        copy.close()
    _sync(partial)
    partial.rename(target)
    _sync(target.parent)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
