"""`export`, `import`: a user's memory leaves as records, and arrives the same."""

from collections.abc import Callable, Iterable
from typing import Any

import apsw
import msgspec

from daemon.method import Context, Method
from daemon.protocol.portable import (
    ExportParams,
    ExportResult,
    ImportParams,
    ImportResult,
    SkippedRecord,
)
from daemon.protocol.table import EXPORT, IMPORT
from memory.database import Database
from memory.ids import NewId
from memory.portable import leaving
from memory.portable.arriving import Arrival, Arrived
from memory.portable.records import AnyRecord, read
from memory.ports import Clock


class MovingHandler:
    """Records go out and come in within the caller's scope; `on_arrival` rings for their vectors."""

    def __init__(
        self, database: Database, clock: Clock, new_id: NewId, on_arrival: Callable[[], None]
    ) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._on_arrival = on_arrival

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [Method(EXPORT, self.leave), Method(IMPORT, self.arrive)]

    async def leave(self, params: ExportParams, context: Context) -> ExportResult:
        """One page of records."""
        records, cursor = await self._database.read(
            lambda c: leaving.page(
                c, context.scope.user_id, params.cursor, params.limit, everything=params.everything
            )
        )
        return ExportResult(records=tuple(records), cursor=cursor)

    async def arrive(self, params: ImportParams, context: Context) -> ImportResult:
        """Take in what can be read."""
        good: dict[int, AnyRecord] = {}
        skipped: list[SkippedRecord] = []
        for index, raw in enumerate(params.records):
            try:
                good[index] = read(raw)
            except msgspec.ValidationError as error:
                skipped.append(SkippedRecord(index=index, reason="invalid", detail=str(error)))
        user_id, now = context.scope.user_id, self._clock.now()

        def store(connection: apsw.Connection) -> Arrived:
            arrival = Arrival(connection, user_id, now, self._new_id)
            for index, record in good.items():
                arrival.take(index, record)
            return arrival.arrived

        arrived = await self._database.write(store)
        self._on_arrival()
        skipped += [SkippedRecord(index=index, reason=why) for index, why in arrived.skipped.items()]
        return ImportResult(
            added=arrived.added,
            known=arrived.known,
            skipped=tuple(sorted(skipped, key=lambda one: one.index)),
        )
