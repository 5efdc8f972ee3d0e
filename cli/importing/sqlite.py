"""Other programs' SQLite files: looked at, never changed."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

import apsw

SQLITE_MAGIC = b"SQLite format 3\x00"


@contextmanager
def reading(path: Path) -> Iterator[apsw.Connection]:
    """A connection that changes and creates nothing. Raises apsw.Error where the file is no database.

    Where its owner may be at work, it is read through SQLite's own locks. A copy with a write-ahead log
    that nobody has open could not be read without files being made beside it: it is read from a copy.
    """
    log, memory = (path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))
    if memory.exists():
        with closing(_beside_its_owner(path)) as connection:
            yield connection
    elif log.exists() and log.stat().st_size:
        with TemporaryDirectory(prefix="memud-import-") as folder:
            for file in (path, log):
                shutil.copyfile(file, Path(folder) / file.name)
            with closing(apsw.Connection(str(Path(folder) / path.name))) as connection:
                yield connection
    else:
        with closing(_open(path, "immutable=1")) as connection:
            yield connection


def tables_of(connection: apsw.Connection) -> set[str]:
    """The names of the tables."""
    return {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


def rows_of(
    connection: apsw.Connection, query: str, values: tuple[Any, ...] = ()
) -> Iterator[dict[str, Any]]:
    """Rows by column name, as other versions of the program may have more or fewer columns."""
    cursor = connection.execute(query, values)
    for row in cursor:
        yield dict(zip([column[0] for column in cursor.description], row, strict=True))


def _beside_its_owner(path: Path) -> apsw.Connection:
    connection = _open(path, "mode=ro")
    try:
        tables_of(connection)
    except apsw.CantOpenError:
        # In a folder that can't be written to the log can't be read: what was checkpointed can.
        connection.close()
        return _open(path, "immutable=1")
    return connection


def _open(path: Path, how: str) -> apsw.Connection:
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    return apsw.Connection(f"file:{quote(str(path.resolve()))}?{how}", flags=flags)
