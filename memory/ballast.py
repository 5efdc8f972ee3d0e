"""Room kept on disk, given up when the disk is full so that forgetting and checkpoints still work."""

import os
import shutil
from pathlib import Path


class Ballast:
    """A file of `size` bytes beside the database. Spent when the disk is full, restored when twice its size is free."""

    def __init__(self, path: Path, size: int) -> None:
        self._path = path
        self._size = size
        self._spent = False

    @property
    def is_spent(self) -> bool:
        """Whether the disk was found full and has not been seen free since."""
        return self._spent

    def lay(self) -> None:
        """Put the file in place where there is room for it; a full disk is no reason not to start."""
        if self._path.exists() and self._path.stat().st_size == self._size:
            return
        if shutil.disk_usage(self._path.parent).free < 2 * self._size:
            return
        with self._path.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, self._size) if self._size else None

    def spend(self) -> None:
        """Give the room up."""
        self._spent = True
        self._path.unlink(missing_ok=True)

    def restore(self) -> bool:
        """Whether the disk has room again; if so the file is put back."""
        if shutil.disk_usage(self._path.parent).free < max(2 * self._size, 2**20):
            return False
        self.lay()
        self._spent = False
        return True
