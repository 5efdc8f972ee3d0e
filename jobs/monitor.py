"""Every five minutes: looks at what is new, predicts what the user will want, and keeps the house in order."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from config.settings import OutboxSettings, ProactiveSettings, StoreSettings
from jobs.reindex import Reindex
from memory import outbox, queue
from memory.database import Database
from memory.ids import NewId
from memory.model import Prediction, Report, Resource
from memory.ports import Clock
from memory.proactive import ledger
from memory.proactive.detector import Detector
from memory.store import cursors, resources

CHUNK = 200


@dataclass(frozen=True, slots=True)
class MonitorSettings:
    """What the monitor needs to know."""

    proactive: ProactiveSettings
    outbox: OutboxSettings
    store: StoreSettings


class Monitor:
    """Incremental: a cursor in order of arrival. A tick with nothing new reads a few rows and does no more.

    A turn that still waits for its vector holds the cursor back, so no detector misses it.
    """

    def __init__(
        self,
        database: Database,
        detectors: Sequence[Detector],
        reindex: Reindex,
        settings: MonitorSettings,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self._database = database
        self._detectors = detectors
        self._reindex = reindex
        self._settings = settings
        self._clock = clock
        self._new_id = new_id

    async def run(
        self, *, user_id: str | None = None, as_of: int | None = None, dry_run: bool = False
    ) -> Report:
        """One tick; the counts of what it found and did."""
        now = self._clock.now() if as_of is None else as_of
        counts = {"turns": 0, "predictions": 0}
        if self._settings.proactive.enabled:
            counts = await self._predict(user_id, now, dry_run)
        if not dry_run:
            counts |= await self._keep_house(user_id, now)
        return Report("monitor", counts, dry_run=dry_run)

    async def _predict(self, user_id: str | None, now: int, dry_run: bool) -> dict[str, int]:
        name = "monitor" if user_id is None else f"monitor/{user_id}"
        after = await self._database.read(lambda c: cursors.position(c, name))
        turns = predictions = 0
        while True:
            read = await self._database.read(lambda c: self._look(c, after, user_id, now))
            if read.last == after:
                return {"turns": turns, "predictions": predictions}
            if not dry_run:
                predictions += await self._database.write(lambda c: self._record(c, name, read, now))
            else:
                predictions += sum(len(found) for _, found in read.found)
            turns += read.turns
            after = read.last

    def _look(self, connection: apsw.Connection, after: int, user_id: str | None, now: int) -> "_Look":
        """The next chunk of turns through all detectors."""
        bound = queue.first_underway(connection)
        turns = [
            turn for turn in resources.after(connection, after, CHUNK) if bound is None or turn.key < bound
        ]
        mine = [turn for turn in turns if user_id in (None, turn.turn.scope.user_id)]
        found = [(turn, self._detect(connection, turn, now)) for turn in mine]
        return _Look(turns[-1].key if turns else after, len(mine), [one for one in found if one[1]])

    def _detect(self, connection: apsw.Connection, turn: Resource, now: int) -> list[Prediction]:
        return [
            prediction
            for detector in self._detectors
            for prediction in detector.detect(connection, turn, now)
        ]

    def _record(self, connection: apsw.Connection, name: str, read: "_Look", now: int) -> int:
        """The predictions and the cursor, in one transaction: a crash neither repeats nor loses one."""
        count = 0
        for turn, predictions in read.found:
            owner = turn.turn.scope.user_id
            for prediction in predictions:
                if prediction.expires_at <= now or ledger.has_open_topic(
                    connection, owner, prediction.detector, prediction.topic, now
                ):
                    continue
                item = ledger.record(connection, owner, prediction, self._new_id("p"), now)
                if item.due_at is None:
                    ledger.announce(connection, item, now)
                count += 1
        cursors.advance(connection, name, read.last)
        return count

    async def _keep_house(self, user_id: str | None, now: int) -> dict[str, int]:
        expired, announced, swept = await self._database.write(lambda c: self._turn_over(c, user_id, now))
        await self._reindex.run()
        if self._database.bytes_on_disk()[1] > self._settings.store.wal_truncate_bytes:
            await self._database.truncate_wal()
        return {"expired": expired, "due": announced, "leases_swept": swept}

    def _turn_over(self, connection: apsw.Connection, user_id: str | None, now: int) -> tuple[int, int, int]:
        due = [item for item in ledger.due(connection, now) if user_id in (None, item.user_id)]
        for item in due:
            ledger.announce(connection, item, now)
        expired = ledger.expire(connection, now, user_id)
        outbox.trim(connection, self._settings.outbox.keep_rows)
        return expired, len(due), queue.sweep(connection, self._clock.now())


@dataclass(frozen=True, slots=True)
class _Look:
    """A chunk that was looked at: the last number, how many turns, and which gave predictions."""

    last: int
    turns: int
    found: list[tuple[Resource, list[Prediction]]]
