"""Other programs' SQLite files: looked at, never changed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

SQLITE_MAGIC = b"SQLite format 3\x00"


def open_readonly(path: Path) -> apsw.Connection:
    """A connection that can't write. Raises apsw.Error where the file is no database.

    Without a write-ahead log nothing is created beside the file, either; with one it is read through
    SQLite's own lock, as its owner may be at work.
    """
    log = path.with_name(path.name + "-wal")
    has_log = log.exists() and log.stat().st_size > 0
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    address = f"file:{quote(str(path.resolve()))}"
    if has_log:
        try:
            connection = apsw.Connection(f"{address}?mode=ro", flags=flags)
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
            return connection
        except apsw.CantOpenError:
            pass  # in a folder that can't be written to the log can't be read: what was checkpointed can
    return apsw.Connection(f"{address}?immutable=1", flags=flags)


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
