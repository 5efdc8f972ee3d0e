"""Brings a database to this version's schema: numbered files, forward only, each with its record in one transaction."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Protocol

APPLICATION_ID = 0x4D454D44  # "MEMD"
_NAME = re.compile(r"^(\d{4})_[a-z0-9_]+\.sql$")


class Connection(Protocol):
    """The little of an SQLite connection that is needed here."""

    def execute(self, sql: str) -> object:
        """Run statements."""
        ...

    def pragma(self, name: str, value: int | None = None) -> object:
        """Read or set a pragma."""
        ...


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
    found = []
    for entry in files("migrations").iterdir():
        if match := _NAME.match(entry.name):
            found.append(Migration(int(match[1]), entry.name, entry.read_text(encoding="utf-8")))
    return sorted(found, key=lambda migration: migration.version)


def pending(connection: Connection) -> Sequence[Migration]:
    """What is still to be applied. Reads only.

    Raises ForeignDatabaseError or NewerSchemaError.
    """
    application = connection.pragma("application_id")
    version = _as_int(connection.pragma("user_version"))
    if application not in (0, APPLICATION_ID) or (application == 0 and version):
        raise ForeignDatabaseError("the file belongs to another application")
    known = migrations()
    if version > known[-1].version:
        raise NewerSchemaError(f"schema {version}, this memud knows {known[-1].version}")
    return [migration for migration in known if migration.version > version]


def apply(connection: Connection) -> int:
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


def _as_int(value: object) -> int:
    assert isinstance(value, int)  # noqa: S101 - both pragmas answer an integer
    return value
