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
from memory.proactive.repetition import is_repetition
from memory.store import cursors, resources, retold

CHUNK = 50
MOST_TURNS = 2_000  # a run: the keeper's other jobs come round; the next run goes on from there
_MOST_PASSED = 100_000  # a run, with what is passed over
_AT_ONCE = 2_000  # at one reading: it holds a reader up for no longer than a look does
_EVERYONE = "monitor"

_Topic = tuple[str, str, str]  # whose, the detector, the topic


class Foresight:
    """All detectors over all new turns, each turn once. With nothing new it reads a few rows, no more.

    A turn that still waits for its vector holds the cursor back, so no detector misses it. Predictions
    count from the turns' own times, so conversations can be replayed in any order, and a run for one user
    may come before or after one for all. A run looks at so many turns at most, and the next one goes on;
    what is said over and over is passed over.
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
        begin = after = await self._database.read(lambda c: _position(c, name))
        seen, told, looked_at = 0, set[_Topic](), 0
        step = partial(self._step, name=name, dry_run=dry_run)
        while looked_at < self._most_turns and after - begin < _MOST_PASSED:
            limit = min(CHUNK, self._most_turns - looked_at)
            stretch = await self._database.read(
                partial(_next_stretch, after=after, limit=limit, user_id=user_id)
            )
            if stretch is None:
                break
            after, seen, looked_at = stretch.last, seen + stretch.size, looked_at + len(stretch.turns)
            told |= await step(stretch)
        return {"turns": seen, "predictions": len(told)}

    async def _step(self, stretch: "_Stretch", name: str, *, dry_run: bool) -> set[_Topic]:
        """Look at the turns of a stretch, and note that all of it was seen."""
        told, turns = set[_Topic](), stretch.turns
        if turns:
            await self._prepare()
        while True:
            look = await self._database.read(partial(self._look, turns=turns, last=stretch.last))
            keep = self._count if dry_run else self._record
            do = self._database.read if dry_run else self._database.write
            told |= await do(partial(keep, name=name, look=look))
            turns = turns[look.size :]
            if not turns:
                return told

    async def _prepare(self) -> None:
        await self._fulfilment.prepare()
        for detector in self._detectors:
            await detector.prepare()

    def _look(self, connection: apsw.Connection, turns: Sequence[Resource], last: int) -> "_Look":
        """The turns up to one of a user for whom the turns before it change the ledger already."""
        changes = dict[str, _Change]()
        for size, turn in enumerate(turns):
            owner = turn.turn.scope.user_id
            if owner in changes:
                return _Look(turns[size - 1].key, size, list(changes.values()))
            change = self._change(connection, turn)
            if change is not None:
                changes[owner] = change
        return _Look(last, len(turns), list(changes.values()))

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
    """Turns that were looked at: the last one's number, and how many.

    Of each user at most one changes anything: the next is looked at when that is recorded.
    """

    last: int
    size: int
    changes: Sequence[_Change] = ()


@dataclass(frozen=True, slots=True)
class _Stretch:
    """The next turns to look at, with all that is passed over between and behind them: up to which number,
    and how many of it are whose turns were asked for."""

    turns: Sequence[Resource]
    last: int
    size: int


def _position(connection: apsw.Connection, name: str) -> int:
    """Where a run starts; a run for all users has looked at each user's turns too."""
    return max(cursors.position(connection, name), cursors.position(connection, _EVERYONE))


def _next_stretch(
    connection: apsw.Connection, after: int, limit: int, user_id: str | None
) -> _Stretch | None:
    """The next turns in order of arrival, up to the first that still waits for its effects; None for none.

    Another user's are passed over, and what is said over and over.
    """
    bound, turns, last, size = queue.first_underway(connection), list[Resource](), after, 0
    for turn in resources.after(connection, after, _AT_ONCE):
        if len(turns) == limit or (bound is not None and turn.key >= bound):
            break
        is_mine = user_id in (None, turn.turn.scope.user_id)
        if is_mine and not is_repetition(connection, turn):
            turns.append(turn)
        last, size = turn.key, size + is_mine
    return None if last == after else _Stretch(turns, last, size)
