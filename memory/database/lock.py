"""One daemon a database: an flock on a file beside it, held as long as the process lives."""

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from memory.errors import LockedError, SchemaError

_PID_CHARS = 20


class DatabaseLock:
    """Owns DATABASE.lock. The kernel frees it when the process dies, however it dies."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + ".lock")
        self._fd = -1

    def acquire(self) -> None:
        """Take the lock or raise LockedError at once. SchemaError: the folder can't be used."""
        try:
            fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise SchemaError(
                f"{self._path.parent} can't be written to: {error.strerror}",
                hint="choose another --state-dir",
            ) from error
        try:
            # flock, not fcntl on the database itself: closing any descriptor of it would drop SQLite's locks.
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(fd, _PID_CHARS, 0).decode(errors="replace").strip()
            os.close(fd)
            raise LockedError(
                f"another memud already uses {self._path.parent}" + (f", process {holder}" if holder else ""),
                hint="stop it (systemctl --user stop memud), or give this one its own --state-dir",
            ) from error
        self._fd = fd
        self._sign()

    def _sign(self) -> None:
        """Leave the process number for whoever comes second."""
        with suppress(OSError):  # a full disk: the lock holds without it
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Give the lock back; safe to call twice."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
