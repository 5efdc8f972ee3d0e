"""The SQLite file: locked, opened in a safe order, written by one thread, read by others."""

from memory.database.file import Database

__all__ = ["Database"]
