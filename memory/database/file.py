"""The SQLite file: opened in a safe order, one writer, some readers, none of them on the event loop."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import TypeVar

import apsw

from config.settings import StoreSettings
from memory.database.ballast import Ballast
from memory.database.connection import check_sqlite, open_reader, open_writer
from memory.database.filesystem import check_local
from memory.database.lock import DatabaseLock
from memory.database.writer import DISK_FAULTS, Writer
from memory.errors import ClosedError, SchemaError, StorageFullError
from migrations import runner

T = TypeVar("T")
Read = Callable[[apsw.Connection], T]


class Database:
    """Acknowledged means committed with synchronous=FULL: it survives kill -9 and a power cut.

    `write` and `read` take a function over a connection; it runs in another thread, so it must not touch
    the event loop and must not keep the connection.
    """

    def __init__(
        self, path: Path, lock: DatabaseLock, writer: Writer, readers: list[apsw.Connection]
    ) -> None:
        self._path = path
        self._lock = lock
        self._writer = writer
        self._readers: SimpleQueue[apsw.Connection] = SimpleQueue()
        for reader in readers:
            self._readers.put(reader)
        self._reader_count = len(readers)
        self._pool = ThreadPoolExecutor(len(readers), "memud-reader")
        self._closed = False

    @classmethod
    def open(cls, path: Path, settings: StoreSettings) -> "Database":
        """Lock, look, check, migrate, open - in this order; nothing is written before the checks have passed.

        On a full disk the ballast makes room. Raises LockedError, SchemaError, StorageFullError.
        """
        check_sqlite()
        _make_folder(path.parent)
        ballast = Ballast(path.with_name("ballast"), settings.ballast_bytes)
        with ExitStack() as undo:
            lock = DatabaseLock(path)
            lock.acquire()
            undo.callback(lock.release)
            check_local(path.parent, allowed=settings.allow_network_filesystem)
            _check_file(path)
            connection = _open_writer(path, settings, ballast)
            undo.callback(connection.close)
            readers = [open_reader(path) for _ in range(settings.readers)]
            ballast.lay()
            undo.pop_all()
        return cls(path, lock, Writer(connection, ballast, settings.group_commit_max), readers)

    @property
    def path(self) -> Path:
        """The database file."""
        return self._path

    @property
    def is_full(self) -> bool:
        """Whether the disk was found full; recall goes on."""
        return self._writer.is_full

    async def write(self, function: Callable[[apsw.Connection], T], *, frees_space: bool = False) -> T:
        """The result of `function`, once it is durable. One transaction an intent.

        Raises what `function` raises, StorageFullError on a full disk, ClosedError after `close`.
        """
        return await self._writer.write(function, frees_space=frees_space)

    async def read(self, function: Read[T]) -> T:
        """The result of `function` over a read-only connection, in one snapshot."""
        if self._closed:
            raise ClosedError("the database is closed")
        return await asyncio.get_running_loop().run_in_executor(self._pool, self._read, function)

    async def is_writing(self) -> bool:
        """True as soon as the writer's thread comes round; a stuck one never answers."""
        return await self._writer.alone(lambda _: True)

    def bytes_on_disk(self) -> tuple[int, int]:
        """(database, write-ahead log) in bytes."""
        return _size(self._path), _size(self._path.with_name(self._path.name + "-wal"))

    async def truncate_wal(self) -> bool:
        """Empty the write-ahead log; False: a reader holds on to it, or the disk is full."""
        try:
            await self._writer.alone(
                lambda connection: connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            )
        except (apsw.BusyError, StorageFullError):
            return False
        return True

    async def copy_to(self, path: Path) -> None:
        """A compact, consistent copy in a file that does not exist yet."""
        await self._writer.alone(lambda connection: connection.execute("VACUUM INTO ?", (str(path),)))

    def close(self) -> None:
        """Finish accepted writes, empty the log, let go of the lock. Safe to call twice; blocks shortly."""
        if self._closed:
            return
        self._closed = True
        self._pool.shutdown(wait=True)
        for _ in range(self._reader_count):
            self._readers.get().close()
        self._writer.close()
        self._lock.release()

    def _read(self, function: Read[T]) -> T:
        connection = self._readers.get()
        try:
            connection.execute("BEGIN")  # all statements see one snapshot
            return function(connection)
        finally:
            # A fault of the disk ends the transaction by itself; the connection must come back in any case.
            with suppress(apsw.Error):
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            self._readers.put(connection)


def _check_file(path: Path) -> None:
    """Look at an existing file without writing to it: whose it is, whether it is whole."""
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_CLOEXEC, 0o600))
        return
    connection = open_reader(path)
    try:
        runner.pending(connection)
        if connection.pragma("quick_check", 1) != "ok":
            raise _damaged(path)
    except runner.NewerSchemaError as error:
        raise SchemaError(f"{path}: {error}; nothing was changed", hint="update memud") from error
    except (runner.ForeignDatabaseError, apsw.NotADBError) as error:
        raise SchemaError(
            f"{path} is not a memud database; nothing was changed", hint="choose another --state-dir"
        ) from error
    except apsw.CorruptError as error:
        raise _damaged(path) from error
    finally:
        connection.close()


def _damaged(path: Path) -> SchemaError:
    return SchemaError(
        f"{path} is damaged; nothing was changed",
        hint=f"move {path}, {path}-wal and {path}-shm aside together and restore a backup",
    )


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SchemaError(
            f"{folder} can't be made: {error.strerror}", hint="choose another --state-dir"
        ) from error


def _open_writer(path: Path, settings: StoreSettings, ballast: Ballast) -> apsw.Connection:
    """The migrated database. Even to open it SQLite needs a little room."""
    try:
        return _migrated(path, settings)
    except DISK_FAULTS:
        ballast.spend()
    try:
        return _migrated(path, settings)
    except DISK_FAULTS as error:
        raise StorageFullError(f"{path} can't be opened: the disk is full", hint="free some space") from error


def _migrated(path: Path, settings: StoreSettings) -> apsw.Connection:
    with ExitStack() as undo:
        connection = open_writer(path, settings.wal_checkpoint_pages)
        undo.callback(connection.close)
        _migrate(connection, path)
        undo.pop_all()
    return connection


def _migrate(connection: apsw.Connection, path: Path) -> None:
    version = connection.pragma("user_version")
    if version and runner.pending(connection):
        copy = path.with_name(f"{path.name}.before-{version}")
        copy.unlink(missing_ok=True)
        connection.execute("VACUUM INTO ?", (str(copy),))
    runner.apply(connection)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
