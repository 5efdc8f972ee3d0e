"""`capture`: events into the store; acknowledged means committed."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import msgspec

from config.settings import ServerSettings
from daemon.bulletin import Bulletin
from daemon.method import Context, Method
from daemon.protocol.capture import CaptureParams, CaptureResult, Event, Skipped, WindowUse
from daemon.protocol.events import read_events
from daemon.protocol.table import CAPTURE
from jobs.capture import CaptureWorker
from memory import outbox
from memory.database import Database
from memory.errors import BusyError
from memory.intake import Event as Incoming
from memory.intake import Intake, Prepared, Taken
from memory.model import Origin, Scope
from memory.ports import Clock
from memory.session import Compaction, Sessions

_SHORT_BYTES = 500


@dataclass(frozen=True, slots=True)
class _Fate:
    """What became of the event at a place in the call."""

    index: int
    key: str
    taken: Taken


class CaptureHandler:
    """Takes events in. At most `capture.max_in_flight` calls wait for the disk; more come back later."""

    def __init__(
        self,
        database: Database,
        intake: Intake,
        sessions: Sessions,
        worker: CaptureWorker,
        bulletin: Bulletin,
        limits: ServerSettings,
        clock: Clock,
    ) -> None:
        self._database = database
        self._intake = intake
        self._sessions = sessions
        self._worker = worker
        self._bulletin = bulletin
        self._limits = limits
        self._clock = clock
        self._room = asyncio.Semaphore(intake.max_in_flight)

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [Method(CAPTURE, self.capture)]

    async def capture(self, params: CaptureParams, context: Context) -> CaptureResult:
        """Store what can be read; a bad event is skipped with its reason, the rest of the call is kept."""
        if self._room.locked():
            raise BusyError("too many captures wait for the disk", hint="Send again.", retry_after_ms=100)
        read = read_events(params.events, self._limits)
        now = self._clock.now()
        prepared = await self._prepared(params, read.events, context.scope, now)
        if params.dry_run:
            return _plan(await self._database.read(lambda c: self._look(c, prepared)), read.skipped)
        async with self._room:
            taken, compaction = await self._database.write(
                lambda connection: self._take(connection, prepared, context.scope, params.context, now)
            )
        if any(fate.taken.is_queued for fate in taken):
            self._worker.wake()
        if compaction.due:
            self._bulletin.ring()
        return _result(taken, read.skipped, compaction)

    async def _prepared(
        self, params: CaptureParams, events: Sequence[tuple[int, Event]], scope: Scope, now: int
    ) -> list[tuple[int, Prepared]]:
        """A few short events at once: another thread takes longer to wake than they take."""
        if sum(len(memoryview(raw)) for raw in params.events) <= _SHORT_BYTES:
            return self._prepare(events, scope, now)
        return await asyncio.to_thread(self._prepare, events, scope, now)

    def _prepare(
        self, events: Sequence[tuple[int, Event]], scope: Scope, now: int
    ) -> list[tuple[int, Prepared]]:
        return [(index, self._intake.prepare(_incoming(event, scope), now)) for index, event in events]

    def _look(self, connection: apsw.Connection, prepared: Sequence[tuple[int, Prepared]]) -> list[_Fate]:
        """What would not be stored: for the other reasons, or because its key stands twice in the call."""
        fates, keys = [], set[str]()
        for index, one in prepared:
            fate = self._intake.look(connection, one)
            if fate is None and one.key in keys:
                fate = Taken(duplicate_of="")
            keys.add(one.key)
            fates.append(_Fate(index, one.key, fate or Taken()))
        return fates

    def _take(
        self,
        connection: apsw.Connection,
        prepared: Sequence[tuple[int, Prepared]],
        scope: Scope,
        window: WindowUse | None,
        now: int,
    ) -> tuple[list[_Fate], Compaction]:
        if prepared:
            imported = all(one.turn is None or one.turn.origin is Origin.IMPORT for _, one in prepared)
            self._intake.check_room(connection, [one for _, one in prepared], imported=imported)
        taken = [_Fate(index, one.key, self._intake.take(connection, one, now)) for index, one in prepared]
        ratio = window.ratio if window else None
        if ratio is None and not any(fate.taken.stored for fate in taken):
            return taken, Compaction()
        noted = self._sessions.note(connection, scope, ratio, now)
        if noted.due:
            notice = {"session_id": scope.session_id, "ratio": noted.ratio}
            outbox.post(connection, "compaction", notice, now, user_id=scope.user_id)
        return taken, noted


def _incoming(event: Event, scope: Scope) -> Incoming:
    return Incoming(
        key=event.key,
        scope=scope,
        role=event.role,
        content=event.content,
        timestamp=event.timestamp,
        sender=event.sender,
        modality=event.modality,
        tz=event.tz,
        trigger=event.trigger,
        private=event.private,
        origin=Origin(event.origin) if event.origin else None,
    )


def _plan(fates: Sequence[_Fate], unreadable: tuple[Skipped, ...]) -> CaptureResult:
    """The result that a capture of these would have; no turn has an id yet."""
    would_be = _result(fates, unreadable, Compaction())
    return msgspec.structs.replace(would_be, accepted=sum(fate.taken == Taken() for fate in fates))


def _result(fates: Sequence[_Fate], unreadable: tuple[Skipped, ...], compaction: Compaction) -> CaptureResult:
    skipped = [
        Skipped(key=fate.key, reason=fate.taken.skipped, index=fate.index)
        for fate in fates
        if fate.taken.skipped is not None
    ]
    ids = [fate.taken.stored.id if fate.taken.stored else fate.taken.duplicate_of for fate in fates]
    return CaptureResult(
        accepted=sum(fate.taken.stored is not None for fate in fates),
        duplicates=sum(fate.taken.duplicate_of is not None for fate in fates),
        skipped=tuple(sorted([*unreadable, *skipped], key=lambda one: one.index)),
        ids=tuple(turn_id for turn_id in ids if turn_id),
        compaction=compaction,
    )
