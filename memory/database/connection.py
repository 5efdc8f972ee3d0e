"""SQLite connections as memud wants them: one that writes, some that can only read."""

from pathlib import Path
from typing import Any

import apsw
import numpy as np

from memory.errors import SchemaError

# Older ones can corrupt a write-ahead log that is reset while another connection writes.
MIN_SQLITE = (3, 51, 3)


def check_sqlite() -> None:
    """Raise SchemaError when the SQLite that apsw brings is too old to be trusted."""
    version = apsw.sqlite_lib_version()
    if tuple(int(part) for part in version.split(".")) < MIN_SQLITE:
        raise SchemaError(
            f"SQLite {version} has a corruption fault in WAL mode that 3.51.3 mended",
            hint="install a newer apsw from a wheel: pip install --upgrade apsw",
        )


def open_writer(path: Path, checkpoint_pages: int) -> apsw.Connection:
    """The one connection that writes and checkpoints; commits survive a power cut (synchronous=FULL)."""
    connection = apsw.Connection(str(path))
    try:
        return _as_writer(connection, path, checkpoint_pages)
    except BaseException:
        connection.close()
        raise


def _as_writer(connection: apsw.Connection, path: Path, checkpoint_pages: int) -> apsw.Connection:
    _harden(connection)
    connection.pragma("auto_vacuum", "INCREMENTAL")  # counts only before the first table
    mode = connection.pragma("journal_mode", "WAL")
    if mode != "wal":
        raise SchemaError(
            f"{path}: the file system can't do write-ahead logging (journal mode {mode})",
            hint="put the state folder on a local disk",
        )
    connection.pragma("synchronous", "FULL")
    connection.pragma("foreign_keys", "ON")
    connection.pragma("secure_delete", "FAST")
    connection.pragma("journal_size_limit", 64 * 2**20)
    connection.pragma("wal_autocheckpoint", checkpoint_pages)
    return connection


def open_reader(path: Path) -> apsw.Connection:
    """A connection that can't write and never checkpoints, so the writer alone resets the log."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    _harden(connection)
    connection.pragma("wal_autocheckpoint", 0)
    connection.pragma("query_only", "ON")
    return connection


def _harden(connection: apsw.Connection) -> None:
    connection.set_busy_timeout(5_000)
    connection.pragma("trusted_schema", "OFF")
    connection.pragma("cell_size_check", "ON")
    connection.pragma("mmap_size", 0)  # an I/O error under mmap is a SIGBUS
    connection.pragma("temp_store", "MEMORY")
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DML, 0)
    connection.config(apsw.SQLITE_DBCONFIG_DQS_DDL, 0)
    connection.create_scalar_function("cosine_similarity", _cosine_similarity, 2, deterministic=True)


def _cosine_similarity(*vectors: Any) -> float | None:
    """The cosine of two stored vectors, for the literal formula in SQL; NULL where one is missing."""
    one, other = vectors
    if one is None or other is None or len(one) != len(other):
        return None
    return float(np.frombuffer(one, np.float32) @ np.frombuffer(other, np.float32))
