"""The database file: opening, writing, reading, closing."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import apsw
import pytest

from config.settings import StoreSettings, load
from memory.database import Database
from memory.errors import ClosedError, LockedError, SchemaError
from migrations import runner


@pytest.fixture
def settings() -> StoreSettings:
    return load().store.model_copy(update={"ballast_bytes": 4096})


@pytest.fixture
async def database(tmp_path: Path, settings: StoreSettings) -> AsyncIterator[Database]:
    opened = Database.open(tmp_path / "memud.db", settings)
    yield opened
    opened.close()


def _skip(connection: apsw.Connection, reason: str) -> None:
    connection.execute("INSERT INTO skipped_turns VALUES ('u', 'd', ?, 1)", (reason,))


async def test_a_write_is_seen_by_the_next_read(database: Database) -> None:
    """What write returned for is there for every reader."""
    await database.write(lambda c: _skip(c, "cron"))
    assert await database.read(lambda c: c.execute("SELECT reason FROM skipped_turns").get) == "cron"


async def test_a_failing_write_takes_no_other_with_it(database: Database) -> None:
    """Writes that share a commit fail alone."""

    def fail(connection: apsw.Connection) -> None:
        _skip(connection, "lost")
        raise ValueError("no")

    outcomes = await asyncio.gather(
        database.write(lambda c: _skip(c, "a")),
        database.write(fail),
        database.write(lambda c: _skip(c, "b")),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), ValueError, type(None)]
    rows = await database.read(lambda c: c.execute("SELECT reason FROM skipped_turns ORDER BY 1").fetchall())
    assert rows == [("a",), ("b",)]


async def test_a_reader_can_not_write(database: Database) -> None:
    """Only the writer writes."""
    with pytest.raises(apsw.ReadOnlyError):
        await database.read(lambda c: _skip(c, "sneaky"))


async def test_many_writers_share_commits_and_none_is_lost(database: Database) -> None:
    """Two hundred concurrent writes are all there."""
    await asyncio.gather(*(database.write(partial(_skip, reason=str(n))) for n in range(200)))
    assert await database.read(lambda c: c.execute("SELECT count(*) FROM skipped_turns").get) == 200


async def test_what_is_written_at_once_is_one_transaction(database: Database) -> None:
    """A hundred writes that one round of the loop brings are one commit, and one sync of the disk."""
    commits: list[None] = []

    def note() -> bool:
        commits.append(None)
        return False

    await database.write(lambda connection: connection.set_commit_hook(note))
    commits.clear()
    await asyncio.gather(*(database.write(partial(_skip, reason=str(n))) for n in range(100)))
    assert len(commits) == 1


async def test_a_write_that_a_close_finds_waiting_is_stored(tmp_path: Path, settings: StoreSettings) -> None:
    """What was accepted in the very round of the loop that closes is durable all the same."""
    database = Database.open(tmp_path / "memud.db", settings)
    writing = asyncio.ensure_future(database.write(partial(_skip, reason="last")))
    await asyncio.sleep(0)
    database.close()
    await writing
    again = Database.open(tmp_path / "memud.db", settings)
    assert await again.read(lambda c: c.execute("SELECT reason FROM skipped_turns").get) == "last"
    again.close()


async def test_a_second_daemon_is_refused(database: Database, settings: StoreSettings) -> None:
    """One database, one owner."""
    with pytest.raises(LockedError, match=f"process {os.getpid()}"):
        Database.open(database.path, settings)


async def test_use_after_close_says_so(database: Database) -> None:
    """A closed database raises instead of hanging, and closing twice is fine."""
    database.close()
    database.close()
    with pytest.raises(ClosedError):
        await database.write(lambda c: _skip(c, "late"))
    with pytest.raises(ClosedError):
        await database.read(lambda c: None)


async def test_a_clean_stop_leaves_an_empty_log(database: Database) -> None:
    """After close everything is in the one file."""
    await database.write(lambda c: _skip(c, "a"))
    database.close()
    assert database.bytes_on_disk()[1] == 0


@pytest.mark.parametrize(
    ("pragma", "value", "hint"), [("user_version", 9999, "update"), ("application_id", 7, "--state-dir")]
)
def test_a_file_that_is_not_ours_is_left_untouched(
    tmp_path: Path, settings: StoreSettings, pragma: str, value: int, hint: str
) -> None:
    """A newer schema or another application's file is refused, byte for byte the same."""
    path = tmp_path / "memud.db"
    Database.open(path, settings).close()
    connection = apsw.Connection(str(path))
    connection.pragma(pragma, value)
    connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    connection.close()
    before = path.read_bytes()
    with pytest.raises(SchemaError) as caught:
        Database.open(path, settings)
    assert hint in caught.value.hint
    assert path.read_bytes() == before


def test_the_files_belong_to_the_user_alone(tmp_path: Path, settings: StoreSettings) -> None:
    """Nobody else can read the database."""
    database = Database.open(tmp_path / "state" / "memud.db", settings)
    try:
        assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700
        assert database.path.stat().st_mode & 0o077 == 0
    finally:
        database.close()


def test_every_migration_is_recorded_with_its_change(tmp_path: Path) -> None:
    """Applying twice changes nothing, and the versions are numbered without a gap."""
    connection = apsw.Connection(str(tmp_path / "m.db"))
    known = runner.migrations()
    assert [m.version for m in known] == list(range(1, len(known) + 1))
    assert runner.apply(connection) == len(known)
    assert runner.apply(connection) == 0


async def test_a_fault_between_transactions_does_not_end_the_writer(database: Database) -> None:
    """Whatever a function raises belongs to who gave it; the next write goes on."""

    def fail(_: apsw.Connection) -> None:
        raise LookupError("mine")

    with pytest.raises(apsw.Error):
        await database.copy_to(database.path)  # it exists
    with pytest.raises(LookupError):
        await database.write(fail)
    with pytest.raises(LookupError):
        await database.read(fail)
    await database.write(lambda c: _skip(c, "next"))
    assert await database.is_writing()


async def test_a_reader_whose_transaction_ended_comes_back(database: Database) -> None:
    """SQLite ends a transaction by itself after some faults; no reader is lost to that."""

    def end(connection: apsw.Connection) -> None:
        connection.execute("ROLLBACK")
        raise apsw.IOError("disk fault")

    for _ in range(6):
        with pytest.raises(apsw.IOError):
            await database.read(end)
    assert await database.read(lambda c: c.execute("SELECT 1").get) == 1


async def test_a_write_whose_caller_left_stands_all_the_same(database: Database) -> None:
    """A caller that is cancelled while it waits may find its write stored; nobody else is disturbed."""
    leaving = asyncio.ensure_future(database.write(lambda c: _skip(c, "left")))
    await asyncio.sleep(0)
    leaving.cancel()
    await database.write(lambda c: _skip(c, "stayed"))
    rows = await database.read(lambda c: c.execute("SELECT reason FROM skipped_turns ORDER BY 1").fetchall())
    assert rows == [("left",), ("stayed",)]


async def test_a_reader_sees_one_moment(database: Database) -> None:
    """All statements of one read see the same snapshot, whatever is written meanwhile."""
    begun, written = threading.Event(), threading.Event()

    def look_twice(connection: apsw.Connection) -> tuple[object, object]:
        first = connection.execute("SELECT count(*) FROM skipped_turns").get
        begun.set()
        assert written.wait(10)
        return first, connection.execute("SELECT count(*) FROM skipped_turns").get

    looking = asyncio.ensure_future(database.read(look_twice))
    await asyncio.to_thread(begun.wait, 10)
    await database.write(lambda c: _skip(c, "meanwhile"))
    written.set()
    assert await looking == (0, 0)


async def test_the_log_is_emptied_once_the_readers_let_go(database: Database) -> None:
    """Emptying waits for a reader; afterwards no byte is left in the log."""
    begun, done = threading.Event(), threading.Event()

    def hold(connection: apsw.Connection) -> None:
        connection.execute("SELECT count(*) FROM skipped_turns").fetchall()
        begun.set()
        assert done.wait(10)

    await database.write(lambda c: _skip(c, "a"))
    holding = asyncio.ensure_future(database.read(hold))
    await asyncio.to_thread(begun.wait, 10)
    await database.write(lambda c: _skip(c, "b"))
    emptying = asyncio.ensure_future(database.truncate_wal())
    await asyncio.sleep(0)
    done.set()
    await holding
    assert await emptying
    assert database.bytes_on_disk()[1] == 0


def test_a_damaged_file_is_refused_and_kept(tmp_path: Path, settings: StoreSettings) -> None:
    """What quick_check finds is told, with what to do; the file stays as it is."""
    path = tmp_path / "memud.db"
    Database.open(path, settings).close()
    damaged = bytearray(path.read_bytes())
    damaged[8192 : 8192 + 200] = b"\xff" * 200
    path.write_bytes(damaged)
    with pytest.raises(SchemaError) as caught:
        Database.open(path, settings)
    assert "aside" in caught.value.hint
    assert path.read_bytes() == bytes(damaged)
