"""Looks at what is new, turn by turn in order of arrival: what it foresees, and what has come true."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import apsw

from memory import queue
from memory.database import Database
from memory.ids import NewId
from memory.model import Prediction, Resource
from memory.ports import Clock
from memory.proactive import recording
from memory.proactive.detector import Detector
from memory.proactive.following.follow import follow
from memory.proactive.following.fulfilled import Fulfilment
from memory.store import cursors, resources, retold

CHUNK = 50
MOST_TURNS = 2_000  # a run: the keeper's other jobs come round; the next run goes on from there
_EVERYONE = "monitor"

_Topic = tuple[str, str, str]  # whose, the detector, the topic


class Foresight:
    """All detectors over all new turns, each turn once. With nothing new it reads a few rows, no more.

    A turn that still waits for its vector holds the cursor back, so no detector misses it. Predictions
    count from the turns' own times, so conversations can be replayed in any order, and a run for one user
    may come before or after one for all. A run looks at so many turns at most, and the next one goes on.
    """

    def __init__(
        self,
        database: Database,
        detectors: Sequence[Detector],
        fulfilment: Fulfilment,
        clock: Clock,
        new_id: NewId,
        most_turns: int = MOST_TURNS,
    ) -> None:
        self._database = database
        self._detectors = detectors
        self._fulfilment = fulfilment
        self._clock = clock
        self._new_id = new_id
        self._most_turns = most_turns
        self._one_at_a_time = asyncio.Lock()

    async def run(self, user_id: str | None, *, dry_run: bool) -> dict[str, int]:
        """Chunk by chunk; the ledger knows of one prediction before the next is made. Turns, predictions.

        One run at a time, so that each turn is looked at once. Raises TemporaryError when a detector lacks
        what it needs; the turns wait.
        """
        async with self._one_at_a_time:
            return await self._run(user_id, dry_run=dry_run)

    async def _run(self, user_id: str | None, *, dry_run: bool) -> dict[str, int]:
        name = _EVERYONE if user_id is None else f"{_EVERYONE}/{user_id}"
        after = await self._database.read(lambda c: _position(c, name))
        seen, told = 0, set[_Topic]()
        looked_at = 0
        while turns := await self._database.read(
            partial(_next_turns, after=after, limit=min(CHUNK, self._most_turns - looked_at))
        ):
            looked_at += len(turns)
            await self._prepare()
            while turns:
                look = await self._database.read(partial(self._look, turns=turns, user_id=user_id))
                turns, after, seen = turns[look.size :], look.last, seen + look.mine
                keep = self._count if dry_run else self._record
                step = self._database.read if dry_run else self._database.write
                told |= await step(partial(keep, name=name, look=look))
        return {"turns": seen, "predictions": len(told)}

    async def _prepare(self) -> None:
        await self._fulfilment.prepare()
        for detector in self._detectors:
            await detector.prepare()

    def _look(self, connection: apsw.Connection, turns: Sequence[Resource], user_id: str | None) -> "_Look":
        """The turns up to one of a user for whom the turns before it change the ledger already."""
        mine, changes = 0, dict[str, _Change]()
        for size, turn in enumerate(turns):
            owner = turn.turn.scope.user_id
            if user_id not in (None, owner):
                continue
            if owner in changes:
                return _Look(turns[size - 1].key, size, mine, list(changes.values()))
            mine += 1
            change = self._change(connection, turn)
            if change is not None:
                changes[owner] = change
        return _Look(turns[-1].key, len(turns), mine, list(changes.values()))

    def _change(self, connection: apsw.Connection, turn: Resource) -> "_Change | None":
        """What the turn predicts, ends and fulfils, if anything."""
        own, said = retold.own(connection, turn), turn.turn
        if own is None:  # a prediction come back is no evidence
            return None
        met = self._fulfilment.by(connection, own)
        change = follow(connection, own, self._detect(connection, own))
        if not (change.found or change.closed or met):
            return None
        return _Change(said.scope.user_id, said.timestamp, change.found, change.closed, met)

    def _detect(self, connection: apsw.Connection, turn: Resource) -> list[Prediction]:
        return [
            prediction for detector in self._detectors for prediction in detector.detect(connection, turn)
        ]

    def _record(self, connection: apsw.Connection, name: str, look: "_Look") -> set[_Topic]:
        """The predictions, what became of others and the cursor, in one transaction: a crash neither
        repeats nor loses one."""
        now = self._clock.now()
        told = set[_Topic]()
        for change in look.changes:
            recording.fulfil(connection, change.met, change.said_at, now)
            recording.call_off(connection, change.closed, change.said_at, now)
            told |= {
                (change.user_id, prediction.detector, prediction.topic)
                for prediction in change.found
                if recording.record(connection, change.user_id, prediction, self._new_id("p"), now)
            }
        cursors.advance(connection, name, look.last)
        return told

    def _count(self, connection: apsw.Connection, name: str, look: "_Look") -> set[_Topic]:
        """What `_record` would store; one topic may count under two names here."""
        return {
            (change.user_id, prediction.detector, prediction.topic)
            for change in look.changes
            for prediction in change.found
            if not recording.is_known(connection, change.user_id, prediction)
        }


@dataclass(frozen=True, slots=True)
class _Change:
    """What one turn does to its user's predictions."""

    user_id: str
    said_at: int
    found: Sequence[Prediction]
    closed: Sequence[str]
    met: Sequence[str]


@dataclass(frozen=True, slots=True)
class _Look:
    """Turns that were looked at: the last one's number, how many, how many of whom was asked for.

    Of each user at most one changes anything: the next is looked at when that is recorded.
    """

    last: int
    size: int
    mine: int
    changes: Sequence[_Change] = ()


def _position(connection: apsw.Connection, name: str) -> int:
    """Where a run starts; a run for all users has looked at each user's turns too."""
    return max(cursors.position(connection, name), cursors.position(connection, _EVERYONE))


def _next_turns(connection: apsw.Connection, after: int, limit: int) -> list[Resource]:
    """The next turns in order of arrival, up to the first that still waits for its effects."""
    bound = queue.first_underway(connection)
    return [turn for turn in resources.after(connection, after, limit) if bound is None or turn.key < bound]
