"""Every five minutes: looks at what is new, predicts what the user will want, keeps the house."""

from dataclasses import dataclass

import apsw

from config.settings import OutboxSettings, ProactiveSettings, StoreSettings
from jobs import outcomes
from jobs.announce import Announcer
from jobs.forecast import Forecaster
from jobs.foresight import Foresight
from jobs.judge import Judge
from jobs.recalibrate import Recalibrate
from jobs.reindex import Reindex
from memory import outbox, queue
from memory.database import Database
from memory.errors import TemporaryError
from memory.ids import NewId
from memory.model import Report
from memory.ports import Clock
from memory.proactive import recording
from memory.proactive.following.again import rearm
from memory.proactive.following.outdated import take_back


@dataclass(frozen=True, slots=True)
class Outlook:
    """What looks ahead: the detectors, and a model where there is one to ask."""

    foresight: Foresight
    forecaster: Forecaster | None = None


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What keeps recall sharp: vectors for all, a relevance that fits, no doubt that can be settled."""

    reindex: Reindex
    recalibrate: Recalibrate
    judge: Judge | None = None  # where there is a model to ask


@dataclass(frozen=True, slots=True)
class MonitorSettings:
    """What the monitor needs to know."""

    proactive: ProactiveSettings
    outbox: OutboxSettings
    store: StoreSettings


class Monitor:
    """One tick of everything that goes on by itself. With nothing new it reads a few rows and does no more.

    `as_of` only says what is due, expired and told by then.
    """

    def __init__(
        self,
        database: Database,
        outlook: Outlook,
        announcer: Announcer,
        upkeep: Upkeep,
        settings: MonitorSettings,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self._database = database
        self._outlook = outlook
        self._announcer = announcer
        self._upkeep = upkeep
        self._settings = settings
        self._clock = clock
        self._new_id = new_id

    async def run(
        self, *, user_id: str | None = None, as_of: int | None = None, dry_run: bool = False
    ) -> Report:
        """One tick; the counts of what it found and did. A dry run only counts."""
        now = self._clock.now() if as_of is None else as_of
        counts, notes = {"turns": 0, "predictions": 0}, tuple[str, ...]()
        if self._settings.proactive.enabled:
            try:
                counts = await self._outlook.foresight.run(user_id, dry_run=dry_run)
            except TemporaryError as error:  # the turns wait; the house is kept all the same
                notes = (f"nothing predicted: {error}",)
        if not dry_run:
            counts |= await self._forecast(user_id, now)
            counts |= await self._keep_house(user_id, now)
        return Report("monitor", counts, notes, dry_run)

    async def _forecast(self, user_id: str | None, now: int) -> dict[str, int]:
        """What a model foresees; nothing where there is none to ask."""
        forecaster = self._outlook.forecaster
        if forecaster is None or not self._settings.proactive.enabled:
            return {}
        return {"forecast": await forecaster.run(user_id, now)}

    async def _keep_house(self, user_id: str | None, now: int) -> dict[str, int]:
        expired, announced, swept = await self._database.write(lambda c: self._turn_over(c, user_id, now))
        decided = await outcomes.decide(self._database, user_id, self._clock.now())
        self._upkeep.reindex.wake()
        recalibrated = await self._upkeep.recalibrate.run(user_id)
        judged = await self._upkeep.judge.run(user_id) if self._upkeep.judge else 0
        if self._database.bytes_on_disk()[1] > self._settings.store.wal_truncate_bytes:
            await self._database.truncate_wal()
        return {
            "expired": expired,
            "due": announced,
            "leases_swept": swept,
            "recalls_decided": decided,
            "recalibrated": recalibrated,
            "judged": judged,
        }

    def _turn_over(self, connection: apsw.Connection, user_id: str | None, now: int) -> tuple[int, int, int]:
        take_back(connection, now, user_id, self._new_id)
        announced = self._announcer.announce(connection, user_id, now)
        rearm(connection, now, user_id, self._new_id)
        expired = recording.expire(connection, now, user_id)
        outbox.trim(connection, self._settings.outbox.keep_rows)
        return expired, announced, queue.sweep(connection, self._clock.now())
