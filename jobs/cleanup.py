"""The weekly cleanup: removes what has expired or faded, archive first, in steps too short to be noticed."""

from collections.abc import Callable

from typing import Any

import apsw

from config.settings import CleanupSettings, ResourceSettings
from memory import archive, fulltext
from memory.database import Database
from memory.model import DAY_S, Report
from memory.ports import Clock, VectorIndex
from memory.store import items
from memory.store.items import StoredItem

_EXPIRED = """
  SELECT key FROM items
  WHERE valid_until < ?1 AND NOT pinned AND half_life_days IS NOT NULL
    AND (?2 IS NULL OR user_id = ?2) AND key > ?3
  ORDER BY key LIMIT ?4
"""

# 2^(-age/half-life) x importance < floor; pinned and evergreen facts never fade.
_FADED = """
  SELECT key FROM items
  WHERE NOT pinned AND half_life_days IS NOT NULL
    AND importance * pow(2.0, -max(0, ?1 - stated_at) / (86400.0 * half_life_days)) < ?5
    AND (?2 IS NULL OR user_id = ?2) AND key > ?3
  ORDER BY key LIMIT ?4
"""

_ORPHANED = """
  SELECT i.key FROM items AS i
  WHERE NOT i.pinned AND i.trust <> 'edited'
    AND NOT EXISTS (SELECT 1 FROM item_sources AS s WHERE s.item_id = i.id)
    AND (?2 IS NULL OR i.user_id = ?2) AND i.key > ?3 AND ?1 IS NOT NULL
  ORDER BY i.key LIMIT ?4
"""

_WORDS_PAST_RETENTION = """
  DELETE FROM resources
  WHERE key IN (
    SELECT key FROM resources AS r
    WHERE r.timestamp < ?1 AND (?2 IS NULL OR r.user_id = ?2)
      AND NOT EXISTS (SELECT 1 FROM item_sources AS s WHERE s.resource_id = r.id)
    LIMIT ?3
  )
  RETURNING key
"""


class Cleanup:
    """Idempotent: what was done stays done, what was not is done by the next run.

    A `dry_run` counts and changes nothing. Words are kept in the raw layer unless
    `resources.retention_days` says otherwise. Leaves no tombstones: what comes up again counts again.
    """

    def __init__(
        self,
        database: Database,
        index: VectorIndex,
        settings: CleanupSettings,
        retention: ResourceSettings,
        clock: Clock,
    ) -> None:
        self._database = database
        self._index = index
        self._settings = settings
        self._retention = retention
        self._clock = clock

    async def run(
        self, *, user_id: str | None = None, as_of: int | None = None, dry_run: bool = False
    ) -> Report:
        """Remove, step by step; the counts by cause."""
        now = as_of if as_of is not None else self._clock.now()
        counts = {
            "expired": await self._sweep(_EXPIRED, "expired", user_id, now, dry_run),
            "faded": await self._sweep(_FADED, "faded", user_id, now, dry_run),
            "orphaned": await self._sweep(_ORPHANED, "orphaned", user_id, now, dry_run),
        }
        if not dry_run:
            counts["archive_dropped"] = await self._repeat(
                lambda c: archive.drop_older(
                    c, now - self._settings.archive_days * DAY_S, self._settings.chunk_rows
                )
            )
            counts["done_entries"] = await self._repeat(
                lambda c: _drop_done(c, now, self._settings.chunk_rows)
            )
            counts["turns"] = await self._drop_words(user_id, now)
            await self._database.write(
                lambda c: c.pragma("incremental_vacuum", 500) and None, frees_space=True
            )
        return Report("cleanup", counts, dry_run=dry_run)

    async def _sweep(self, sql: str, cause: str, user_id: str | None, now: int, dry_run: bool) -> int:
        """Archive and remove what a query names, a chunk a transaction."""
        count, after = 0, 0
        floor = self._settings.min_strength
        while True:
            values = (now, user_id, after, self._settings.chunk_rows) + ((floor,) if "?5" in sql else ())
            found = await self._database.read(lambda c: _load(c, sql, values))
            if not found:
                return count
            if not dry_run:
                await self._database.write(lambda c: _archive(c, found, cause, now), frees_space=True)
                self._index.remove([fact.key for fact in found])
            count += len(found)
            after = found[-1].key

    async def _drop_words(self, user_id: str | None, now: int) -> int:
        if not self._retention.retention_days:
            return 0
        before = now - self._retention.retention_days * DAY_S
        count = 0
        while True:
            keys = await self._database.write(
                lambda c: _drop_words(c, before, user_id, self._settings.chunk_rows), frees_space=True
            )
            if not keys:
                return count
            self._index.remove(keys)
            count += len(keys)

    async def _repeat(self, step: Callable[[apsw.Connection], int]) -> int:
        count = 0
        while changed := await self._database.write(step, frees_space=True):
            count += changed
        return count


def _load(connection: apsw.Connection, sql: str, values: tuple[object, ...]) -> list[StoredItem]:
    keys = [key for (key,) in connection.execute(sql, values)]
    return [fact for key in keys if (fact := items.by_key(connection, key)) is not None]


def _archive(connection: apsw.Connection, facts: list[StoredItem], cause: str, now: int) -> None:
    for fact in facts:
        if items.by_key(connection, fact.key) is not None:  # forgotten between the look and the step
            archive.put(connection, fact, cause, now)
            items.delete(connection, [fact])


def _drop_words(connection: apsw.Connection, before: int, user_id: str | None, limit: int) -> list[int]:
    rows: list[Any] = connection.execute(_WORDS_PAST_RETENTION, (before, user_id, limit)).fetchall()
    keys = [int(key) for (key,) in rows]
    fulltext.remove(connection, keys)
    return keys


def _drop_done(connection: apsw.Connection, now: int, limit: int) -> int:
    connection.execute(
        """
        DELETE FROM capture_queue WHERE resource_key IN (
          SELECT resource_key FROM capture_queue WHERE state = 'done' AND updated_at < ? LIMIT ?
        )
        """,
        (now - 30 * DAY_S, limit),
    )
    return connection.changes()
