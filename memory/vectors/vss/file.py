"""The SQLite file of sqlite-vss: made, opened, and looked through before it is believed."""

from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import apsw
import structlog

from memory.errors import LockedError
from memory.vectors.stamp import Stamp
from memory.vectors.vss.image import DamagedError, checksums
from memory.vectors.vss.library import Library

log = structlog.get_logger()

_APPLICATION = 0x6D767373  # "mvss"
_FORMAT = 1
_PAGE_BYTES = 65536  # the index is one BLOB that is written whole
_BROKEN = (apsw.CorruptError, apsw.NotADBError, apsw.SQLError, DamagedError)


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection that owns the file alone, and the CRC-32 of each vector that sqlite-vss holds, by key."""

    connection: apsw.Connection
    held: Mapping[int, int]


def open_file(path: Path, stamp: Stamp, library: Library) -> Opened:
    """The file as it is if it is whole and of this stamp, else a new one in its place, said in the log.

    A file that memud did not make is moved aside. Raises LockedError, UnavailableError, apsw.Error.
    """
    if path.exists():
        try:
            return _open(path, stamp, library)
        except _BROKEN as error:
            log.warning("index_rebuilt", file=path.name, reason=str(error))
        _clear(path)
    return _make(path, stamp, library)


def _open(path: Path, stamp: Stamp, library: Library) -> Opened:
    with ExitStack() as undo:
        connection = _connected(path)
        undo.callback(connection.close)
        if _application(connection, path) != _APPLICATION:
            raise DamagedError("not a file of memud")
        _take(connection, path)
        _check_stamp(connection, stamp)
        held = _held(connection, stamp.dimension)
        library.load_into(connection)
        undo.pop_all()
    return Opened(connection, held)


def _check_stamp(connection: apsw.Connection, stamp: Stamp) -> None:
    found = connection.execute("SELECT backend, model, dimension FROM stamp").fetchall()
    if connection.pragma("user_version") != _FORMAT or found != [
        (stamp.backend, stamp.model, stamp.dimension)
    ]:
        raise DamagedError("made by another version, or of another model")
    (sql,) = connection.execute("SELECT sql FROM sqlite_schema WHERE name = 'vectors'").fetchone() or ("",)
    if sql != _vectors(stamp.dimension):
        raise DamagedError("its table of vectors is another")


def _held(connection: apsw.Connection, dimension: int) -> dict[int, int]:
    """Three witnesses: memud's table, the one of sqlite-vss, and the vectors themselves."""
    with connection.blob_open("main", "vectors_index", "idx", 0, False) as blob:
        held = checksums(blob, dimension)
    noted: dict[object, object] = dict(connection.execute("SELECT key, crc FROM rows"))
    listed: set[object] = {key for (key,) in connection.execute("SELECT rowid FROM vectors_data")}
    if noted != held or listed != held.keys():
        raise DamagedError("its parts disagree about what it holds")
    return held


def _make(path: Path, stamp: Stamp, library: Library) -> Opened:
    with ExitStack() as undo:
        connection = _connected(path)
        undo.callback(connection.close)
        connection.pragma("page_size", _PAGE_BYTES)
        connection.pragma("auto_vacuum", "INCREMENTAL")
        # The first write: whatever follows is known as ours.
        connection.pragma("application_id", _APPLICATION)
        _take(connection, path)
        library.load_into(connection)
        connection.execute("BEGIN IMMEDIATE")
        connection.pragma("user_version", _FORMAT)
        connection.execute("CREATE TABLE stamp (backend TEXT, model TEXT, dimension INTEGER) STRICT")
        connection.execute(
            "INSERT INTO stamp VALUES (?, ?, ?)", (stamp.backend, stamp.model, stamp.dimension)
        )
        connection.execute("CREATE TABLE rows (key INTEGER PRIMARY KEY, crc INTEGER NOT NULL) STRICT")
        connection.execute(_vectors(stamp.dimension))
        connection.execute("COMMIT")
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        undo.pop_all()
    return Opened(connection, {})


def _vectors(dimension: int) -> str:
    # No value of a parameter can stand in the declaration; the dimension is a number.
    return (
        "CREATE VIRTUAL TABLE vectors"
        f' USING vss0(vector({int(dimension)}) factory="Flat,IDMap2" metric_type=INNER_PRODUCT)'
    )


def _connected(path: Path) -> apsw.Connection:
    path.touch(mode=0o600)
    connection = apsw.Connection(str(path))
    connection.pragma("locking_mode", "EXCLUSIVE")
    connection.pragma("trusted_schema", "OFF")
    connection.pragma("cell_size_check", "ON")
    connection.pragma("mmap_size", 0)  # an I/O error under mmap is a SIGBUS
    connection.pragma("temp_store", "MEMORY")
    connection.pragma("secure_delete", "FAST")  # else what left stays in the unused part of a page
    return connection


def _application(connection: apsw.Connection, path: Path) -> int:
    try:
        return int(connection.pragma("application_id"))
    except apsw.BusyError as error:
        raise _in_use(path) from error


def _take(connection: apsw.Connection, path: Path) -> None:
    """A second writer of sqlite-vss erases what the first one wrote: one connection owns the file."""
    try:
        connection.pragma("journal_mode", "WAL")
        connection.pragma("synchronous", "NORMAL")  # a power cut takes whole batches, which come again
        connection.pragma("wal_autocheckpoint", 0)  # each batch empties the log itself
        connection.execute("BEGIN EXCLUSIVE; COMMIT")
    except apsw.BusyError as error:
        raise _in_use(path) from error


def _in_use(path: Path) -> LockedError:
    return LockedError(f"another index has {path} open", hint="close that one first")


def _clear(path: Path) -> None:
    """Make room. The last file of somebody else's is kept beside; ours comes again from the BLOBs."""
    is_ours = _is_ours(path)
    for ending in ("", "-wal", "-shm", "-journal"):
        one = path.with_name(path.name + ending)
        if is_ours:
            one.unlink(missing_ok=True)
        elif one.exists():
            one.replace(path.with_name(path.name + ".aside" + ending))


def _is_ours(path: Path) -> bool:
    with suppress(OSError), path.open("rb") as file:
        head = file.read(72)
        return not head or head[68:72] == _APPLICATION.to_bytes(4, "big")
    return False
