"""The weekly cleanup: removes what has expired or faded, archive first, in steps too short to be noticed."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import apsw

from config.settings import CleanupSettings, ResourceSettings
from memory import archive, fulltext
from memory.database import Database
from memory.model import DAY_S, Report
from memory.ports import Clock
from memory.store import extractions, items
from memory.vectors.generations import Generations

# 2^(-age/half-life) x importance < floor has faded; what is pinned or evergreen neither fades nor expires.
_OVER = """
  SELECT i.key, CASE
    WHEN i.valid_until < :now AND i.half_life_days IS NOT NULL THEN 'expired'
    WHEN i.importance * pow(2.0, -max(0, :now - i.stated_at) / (86400.0 * i.half_life_days)) < :floor
      THEN 'faded'
    WHEN i.trust <> 'edited' AND NOT EXISTS (SELECT 1 FROM item_sources AS s WHERE s.item_id = i.id)
      THEN 'orphaned'
  END AS cause
  FROM items AS i
  WHERE i.key > :after AND NOT i.pinned AND (:user IS NULL OR i.user_id = :user) AND cause IS NOT NULL
  ORDER BY i.key LIMIT :limit
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
        generations: Generations,
        settings: CleanupSettings,
        retention: ResourceSettings,
        clock: Clock,
    ) -> None:
        self._database = database
        self._generations = generations
        self._settings = settings
        self._retention = retention
        self._clock = clock

    async def run(
        self, *, user_id: str | None = None, as_of: int | None = None, dry_run: bool = False
    ) -> Report:
        """Remove, step by step; the counts by cause."""
        now = self._clock.now() if as_of is None else max(0, as_of)
        counts = await self._sweep(user_id, now, dry_run)
        if not dry_run:
            counts |= await self._drop_old(user_id, now)
            counts["turns"] = await self._drop_words(user_id, now)
            await self._database.write(lambda c: c.pragma("incremental_vacuum", 500), frees_space=True)
        return Report("cleanup", counts, dry_run=dry_run)

    async def _sweep(self, user_id: str | None, now: int, dry_run: bool) -> dict[str, int]:
        """Archive and remove the facts that are over, a chunk a transaction; counts by cause."""
        counts = {"expired": 0, "faded": 0, "orphaned": 0}
        values: dict[str, Any] = {
            "now": now,
            "user": user_id,
            "floor": self._settings.min_strength,
            "after": 0,
        }
        values["limit"] = self._settings.chunk_rows
        while found := await self._database.read(lambda c: _over(c, values)):
            if not dry_run:
                await self._database.write(lambda c: _archive(c, found, now), frees_space=True)
                await asyncio.to_thread(self._generations.remove, [key for key, _ in found])
            for _, cause in found:
                counts[cause] += 1
            values["after"] = found[-1][0]
        return counts

    async def _drop_old(self, user_id: str | None, now: int) -> dict[str, int]:
        """For good: what was archived and asked long ago, and the queue's finished entries."""
        before, limit = now - self._settings.archive_days * DAY_S, self._settings.chunk_rows
        old_answers = now - self._settings.answer_days * DAY_S
        return {
            "answers_dropped": await self._repeat(
                lambda c: extractions.drop_older(c, user_id, old_answers, limit)
            ),
            "archive_dropped": await self._repeat(lambda c: archive.drop_older(c, user_id, before, limit)),
            "log_dropped": await self._repeat(lambda c: _drop_log(c, user_id, before, limit)),
            "done_entries": await self._repeat(lambda c: _drop_done(c, user_id, now - 30 * DAY_S, limit)),
        }

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
            await asyncio.to_thread(self._generations.remove, keys)
            count += len(keys)

    async def _repeat(self, step: Callable[[apsw.Connection], int]) -> int:
        count = 0
        while changed := await self._database.write(step, frees_space=True):
            count += changed
        return count


def _over(connection: apsw.Connection, values: dict[str, Any]) -> list[tuple[int, str]]:
    rows: list[Any] = connection.execute(_OVER, values).fetchall()
    return rows


def _archive(connection: apsw.Connection, over: Sequence[tuple[int, str]], now: int) -> None:
    for key, cause in over:
        fact = items.by_key(connection, key)
        if fact is not None:  # else it was forgotten between the look and the step
            archive.put(connection, fact, cause, now)
            items.delete(connection, [fact])


def _drop_words(connection: apsw.Connection, before: int, user_id: str | None, limit: int) -> list[int]:
    rows: list[Any] = connection.execute(_WORDS_PAST_RETENTION, (before, user_id, limit)).fetchall()
    keys = [int(key) for (key,) in rows]
    fulltext.remove(connection, keys)
    return keys


def _drop_log(connection: apsw.Connection, user_id: str | None, before: int, limit: int) -> int:
    connection.execute(
        """
        DELETE FROM recall_log WHERE id IN (
          SELECT id FROM recall_log WHERE created_at < ?1 AND (?2 IS NULL OR user_id = ?2) LIMIT ?3
        )
        """,
        (before, user_id, limit),
    )
    return connection.changes()


def _drop_done(connection: apsw.Connection, user_id: str | None, before: int, limit: int) -> int:
    connection.execute(
        """
        DELETE FROM capture_queue WHERE resource_key IN (
          SELECT resource_key FROM capture_queue
          WHERE state = 'done' AND updated_at < ?1 AND (?2 IS NULL OR user_id = ?2)
          LIMIT ?3
        )
        """,
        (before, user_id, limit),
    )
    return connection.changes()
