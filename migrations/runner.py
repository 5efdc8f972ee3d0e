"""Brings a database to this schema: numbered files, forward only, each and its record in one transaction."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import apsw

APPLICATION_ID = 0x4D454D44  # "MEMD"
_NAME = re.compile(r"^(\d{4})_[a-z0-9_]+\.sql$")


class NewerSchemaError(Exception):
    """The database was written by a newer memud; it is left untouched."""


class ForeignDatabaseError(Exception):
    """The file is an SQLite database of another application; it is left untouched."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One file: its number and its SQL."""

    version: int
    name: str
    sql: str


def migrations() -> Sequence[Migration]:
    """All released migrations, in order."""
    found = [
        Migration(int(match[1]), entry.name, entry.read_text(encoding="utf-8"))
        for entry in files("migrations").iterdir()
        if (match := _NAME.match(entry.name))
    ]
    return sorted(found, key=lambda migration: migration.version)


def pending(connection: apsw.Connection) -> Sequence[Migration]:
    """What is still to be applied. Reads only.

    Raises ForeignDatabaseError or NewerSchemaError.
    """
    version = connection.pragma("user_version")
    if connection.pragma("application_id") != APPLICATION_ID and not _is_empty(connection):
        raise ForeignDatabaseError("the file belongs to another application")
    known = migrations()
    if version > known[-1].version:
        raise NewerSchemaError(f"schema {version}, this memud knows {known[-1].version}")
    return [migration for migration in known if migration.version > version]


def apply(connection: apsw.Connection) -> int:
    """Apply what is pending; the number applied. The caller has opened no transaction."""
    todo = pending(connection)
    for migration in todo:
        connection.execute("BEGIN IMMEDIATE")
        try:
            connection.execute(migration.sql)
            connection.pragma("application_id", APPLICATION_ID)
            connection.pragma("user_version", migration.version)
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
    return len(todo)


def _is_empty(connection: apsw.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) = 0 FROM sqlite_schema").get)
