"""Every five minutes: looks at what is new, predicts what the user will want, keeps the house."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import apsw

from config.settings import OutboxSettings, ProactiveSettings, StoreSettings
from jobs import outcomes
from jobs.judge import Judge
from jobs.recalibrate import Recalibrate
from jobs.reindex import Reindex
from memory import outbox, queue
from memory.database import Database
from memory.errors import TemporaryError
from memory.ids import NewId
from memory.model import Prediction, Report, Resource, Scope
from memory.ports import Clock
from memory.proactive import ledger, notices
from memory.proactive.again import rearm
from memory.proactive.arbiter import Arbiter
from memory.proactive.detector import Detector
from memory.proactive.following import follow
from memory.store import cursors, resources

CHUNK = 50
_AT_MOST = 100  # notices a user and tick
_EVERYONE = "monitor"

_Topic = tuple[str, str, str]  # whose, the detector, the topic


@dataclass(frozen=True, slots=True)
class Foresight:
    """What predicts, and what decides whether that is said."""

    detectors: Sequence[Detector]
    arbiter: Arbiter


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
    """Incremental: a cursor in order of arrival. A tick with nothing new reads a few rows and does no more.

    A turn that still waits for its vector holds the cursor back, so no detector misses it. Predictions
    count from the turns' own times; `as_of` only says what is due, expired and told by then. So
    conversations can be replayed in any order, and a run for one user may come before or after one for all.
    """

    def __init__(
        self,
        database: Database,
        foresight: Foresight,
        upkeep: Upkeep,
        settings: MonitorSettings,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self._database = database
        self._foresight = foresight
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
                counts = await self._predict(user_id, dry_run=dry_run)
            except TemporaryError as error:  # the turns wait; the house is kept all the same
                notes = (f"nothing predicted: {error}",)
        if not dry_run:
            counts |= await self._keep_house(user_id, now)
        return Report("monitor", counts, notes, dry_run)

    async def _predict(self, user_id: str | None, *, dry_run: bool) -> dict[str, int]:
        """Look at what is new, chunk by chunk; the ledger knows of one prediction before the next is made."""
        name = _EVERYONE if user_id is None else f"{_EVERYONE}/{user_id}"
        after = await self._database.read(lambda c: _position(c, name))
        seen, told = 0, set[_Topic]()
        while turns := await self._database.read(partial(_next_turns, after=after)):
            await self._prepare()
            while turns:
                look = await self._database.read(partial(self._look, turns=turns, user_id=user_id))
                turns, after, seen = turns[look.size :], look.last, seen + look.mine
                keep = self._count if dry_run else self._record
                step = self._database.read if dry_run else self._database.write
                told |= await step(partial(keep, name=name, look=look))
        return {"turns": seen, "predictions": len(told)}

    async def _prepare(self) -> None:
        for detector in self._foresight.detectors:
            await detector.prepare()

    def _look(self, connection: apsw.Connection, turns: Sequence[Resource], user_id: str | None) -> "_Look":
        """The turns up to the first that gives predictions, or calls some off, through all detectors."""
        mine = 0
        for size, turn in enumerate(turns, start=1):
            if user_id not in (None, turn.turn.scope.user_id):
                continue
            mine += 1
            change, said = follow(connection, turn, self._detect(connection, turn)), turn.turn
            if change.found or change.closed:
                owner = said.scope.user_id
                return _Look(turn.key, size, mine, owner, change.found, change.closed, said.timestamp)
        return _Look(turns[-1].key, len(turns), mine)

    def _detect(self, connection: apsw.Connection, turn: Resource) -> list[Prediction]:
        return [
            prediction
            for detector in self._foresight.detectors
            for prediction in detector.detect(connection, turn)
        ]

    def _record(self, connection: apsw.Connection, name: str, look: "_Look") -> set[_Topic]:
        """The predictions and the cursor, in one transaction: a crash neither repeats nor loses one."""
        now = self._clock.now()
        ledger.call_off(connection, look.closed, look.said_at, now)
        told = {
            (look.user_id, prediction.detector, prediction.topic)
            for prediction in look.found
            if ledger.record(connection, look.user_id, prediction, self._new_id("p"), now)
        }
        cursors.advance(connection, name, look.last)
        return told

    def _count(self, connection: apsw.Connection, name: str, look: "_Look") -> set[_Topic]:
        """What `_record` would store; one topic may count under two names here."""
        return {
            (look.user_id, prediction.detector, prediction.topic)
            for prediction in look.found
            if not ledger.is_known(connection, look.user_id, prediction)
        }

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
        announced = self._announce(connection, user_id, now)
        rearm(connection, now, user_id, self._new_id)
        expired = ledger.expire(connection, now, user_id)
        outbox.trim(connection, self._settings.outbox.keep_rows)
        return expired, announced, queue.sweep(connection, self._clock.now())

    def _announce(self, connection: apsw.Connection, user_id: str | None, now: int) -> int:
        """Tell subscribers what may be said by now; what may not yet waits for a later tick."""
        count = 0
        for owner, ids in notices.unannounced(connection, now).items():
            if user_id not in (None, owner):
                continue
            chosen = self._foresight.arbiter.choose(connection, Scope(owner), now, _AT_MOST)
            for item in (item for item in chosen if item.id in ids):
                notices.announce(connection, item, now)
                count += 1
        return count


@dataclass(frozen=True, slots=True)
class _Look:
    """Turns that were looked at: the last one's number, how many, whose; what the last one gave and ended."""

    last: int
    size: int
    mine: int
    user_id: str = ""
    found: Sequence[Prediction] = ()
    closed: Sequence[str] = ()
    said_at: int = 0


def _position(connection: apsw.Connection, name: str) -> int:
    """Where a run starts; a run for all users has looked at each user's turns too."""
    return max(cursors.position(connection, name), cursors.position(connection, _EVERYONE))


def _next_turns(connection: apsw.Connection, after: int) -> list[Resource]:
    """The next turns in order of arrival, up to the first that still waits for its effects."""
    bound = queue.first_underway(connection)
    return [turn for turn in resources.after(connection, after, CHUNK) if bound is None or turn.key < bound]
