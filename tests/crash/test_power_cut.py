"""A power cut loses nothing that was acknowledged: our schema and our writer on a disk that forgets."""

import asyncio
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from config.settings import Settings
from memory import queue
from memory.database.ballast import Ballast
from memory.database.connection import open_reader
from memory.database.writer import Writer
from memory.ids import id_maker
from memory.intake import Event, Intake
from memory.model import TYPE_DEFAULTS, Fact, Kind, MemoryType, Resource, Role, Scope
from memory.store import items
from memory.testing import FrozenClock
from migrations import runner
from tests.crash.powercut import PowerCutVFS, power_cut_disk

ROUNDS = int(os.environ.get("MEMUD_CRASH_ROUNDS", "40"))
CONTROL_ROUNDS = 25


@pytest.fixture
def disk() -> Iterator[PowerCutVFS]:
    """A disk whose power can be cut."""
    with power_cut_disk() as vfs:
        yield vfs


def _open(path: Path, disk: PowerCutVFS, synchronous: str) -> apsw.Connection:
    """As `open_writer` does; a VFS in Python has no shared memory, so one connection owns the file."""
    connection = apsw.Connection(str(path), vfs=disk.name)
    connection.pragma("locking_mode", "EXCLUSIVE")
    connection.pragma("auto_vacuum", "INCREMENTAL")
    assert connection.pragma("journal_mode", "WAL") == "wal"
    connection.pragma("synchronous", synchronous)
    connection.pragma("foreign_keys", "ON")
    return connection


class Life:
    """One life of the store up to the cut: captures in groups, each acknowledged, some worked on."""

    def __init__(
        self, folder: Path, disk: PowerCutVFS, settings: Settings, synchronous: str, seed: int
    ) -> None:
        self.rng = random.Random(seed)  # noqa: S311 - no secrets, but the same cut for the same seed
        self.clock = FrozenClock()
        new_id = id_maker(self.rng.randbytes)
        self.new_id = new_id
        self.intake = Intake(settings.capture, new_id)
        self.acked: set[str] = set()
        self.learnt: set[str] = set()
        connection = _open(folder / "memud.db", disk, synchronous)
        connection.pragma("wal_autocheckpoint", self.rng.choice([16, 64, 1_000]))
        runner.apply(connection)
        self.writer = Writer(connection, Ballast(folder / "ballast", 0), self.rng.choice([1, 8, 64]))

    async def live(self) -> None:
        """Some dozen captures and some work on them."""
        for burst in range(self.rng.randrange(3, 14)):
            size = self.rng.choice([1, 1, 4, 16])
            await asyncio.gather(*(self._capture(f"{burst}-{n}") for n in range(size)))
            if self.rng.random() < 0.5:
                await self._learn()

    async def _capture(self, key: str) -> None:
        now = self.clock.now()
        words = f"turn {key} " + self.rng.randbytes(self.rng.randrange(5, 400)).hex()
        event = Event(key, Scope(session_id=key[:1]), Role.USER, words)
        prepared = self.intake.prepare(event, now)
        await self.writer.write(lambda c: self.intake.take(c, prepared, now))
        self.acked.add(key)

    async def _learn(self) -> None:
        """One turn's effects, as the worker stores them."""
        now = self.clock.now()
        held = await self.writer.write(lambda c: queue.lease(c, "token", now, 60))
        if held is not None:
            self.learnt.add(await self.writer.write(lambda c: self._store(c, held, now)))

    def _store(self, connection: apsw.Connection, held: queue.Lease, now: int) -> str:
        from memory.store import resources

        turn = resources.by_key(connection, held.resource_key)
        assert turn is not None
        assert queue.finish(connection, held, now)
        items.insert(connection, _fact(turn), turn, self.new_id("m"))
        return turn.turn.event_key

    async def begin_what_is_never_acknowledged(self) -> None:
        """Half the time the cut comes in the middle of a transaction."""
        if self.rng.random() < 0.5:
            await self.writer.alone(_leave_open)


def _leave_open(connection: apsw.Connection) -> None:
    connection.execute("BEGIN IMMEDIATE")
    for n in range(30):
        connection.execute("INSERT INTO skipped_turns VALUES ('u', ?, ?, 1)", (str(n), "x" * 700))
    connection.cache_flush()


def _fact(turn: Resource) -> Fact:
    defaults = TYPE_DEFAULTS[MemoryType.GENERAL]
    return Fact(
        turn.turn.text, Kind.SEMANTIC, MemoryType.GENERAL, defaults.importance, defaults.half_life_days
    )


class Remains:
    """What is found after the cut."""

    def __init__(self, path: Path) -> None:
        connection = open_reader(path)
        try:
            self.check = connection.pragma("integrity_check")
            has_schema = connection.pragma("user_version") > 0
            self.turns = _keys(connection, "SELECT event_key FROM resources") if has_schema else set()
            self.facts = _keys(
                connection,
                "SELECT r.event_key FROM items AS i JOIN item_sources AS s ON s.item_id = i.id "
                "JOIN resources AS r ON r.id = s.resource_id",
            ) if has_schema else set()  # fmt: skip
            self.strange = _keys(connection, "SELECT reason FROM skipped_turns") if has_schema else set()
            if has_schema:
                _check_fulltext(path)
        finally:
            connection.close()


def _keys(connection: apsw.Connection, sql: str) -> set[str]:
    return {str(row[0]) for row in connection.execute(sql)}


def _check_fulltext(path: Path) -> None:
    connection = apsw.Connection(str(path))
    try:
        connection.execute("INSERT INTO fulltext (fulltext) VALUES ('integrity-check')")
    finally:
        connection.close()


async def _one_round(
    folder: Path, disk: PowerCutVFS, settings: Settings, synchronous: str, seed: int
) -> tuple[Life, Remains]:
    before, after = folder / f"{synchronous}{seed}", folder / f"{synchronous}{seed}-after"
    before.mkdir()
    after.mkdir()
    life = Life(before, disk, settings, synchronous, seed)
    await life.live()
    await life.begin_what_is_never_acknowledged()
    disk.cut(after, life.rng)
    await life.writer.alone(lambda c: c.in_transaction and c.execute("ROLLBACK"))
    life.writer.close()
    return life, Remains(after / "memud.db")


@pytest.mark.slow
async def test_what_was_acknowledged_survives_a_power_cut(
    tmp_path: Path, disk: PowerCutVFS, settings: Settings
) -> None:
    """synchronous=FULL: nothing lost, nothing damaged, nothing there that was never acknowledged."""
    turns = 0
    for seed in range(ROUNDS):
        life, remains = await _one_round(tmp_path, disk, settings, "FULL", seed)
        assert remains.check == "ok", seed
        assert remains.turns == life.acked, seed
        assert remains.facts == life.learnt, seed
        assert not remains.strange, seed
        turns += len(life.acked)
    sys.stdout.write(
        f"\npower cut, synchronous=FULL: {ROUNDS} rounds, {turns} acknowledged turns, 0 lost, 0 damaged\\n"
    )


@pytest.mark.slow
async def test_the_simulator_can_lose(tmp_path: Path, disk: PowerCutVFS, settings: Settings) -> None:
    """The control: with synchronous=NORMAL some rounds lose what was acknowledged, and none is damaged."""
    losing = 0
    for seed in range(CONTROL_ROUNDS):
        life, remains = await _one_round(tmp_path, disk, settings, "NORMAL", seed)
        assert remains.check == "ok", seed
        losing += bool(life.acked - remains.turns)
    sys.stdout.write(
        f"\npower cut, synchronous=NORMAL: {losing} of {CONTROL_ROUNDS} rounds lose acknowledged turns\\n"
    )
    assert losing > 0
