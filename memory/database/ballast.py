"""Room kept on disk, given up when the disk is full so that forgetting and checkpoints still work."""

import os
import shutil
from contextlib import suppress
from pathlib import Path

_MIN_FREE_BYTES = 2**20
_CHUNK = bytes(2**20)


class Ballast:
    """A file of `size` bytes beside the database: spent on a full disk, restored when twice that is free.

    No fault of the disk is raised from here: without its ballast the daemon only has less room to tidy up in.
    """

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
        with suppress(OSError):
            if self._is_laid() or shutil.disk_usage(self._path.parent).free < 2 * self._size:
                return
            self._fill()

    def spend(self) -> None:
        """Give the room up."""
        self._spent = True
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def restore(self) -> bool:
        """Whether the disk has room again; if so the file is put back."""
        try:
            disk = shutil.disk_usage(self._path.parent)
        except OSError:
            return False
        # A small disk never has twice the ballast free; there a tenth of it is room enough.
        if disk.free < min(max(2 * self._size, _MIN_FREE_BYTES), disk.total // 10):
            return False
        self.lay()
        self._spent = False
        return True

    def _is_laid(self) -> bool:
        return self._path.exists() and self._path.stat().st_size == self._size

    def _fill(self) -> None:
        """Allocated blocks, not a hole; a file that could not be filled is taken away again."""
        try:
            with self._path.open("wb") as file:
                if hasattr(os, "posix_fallocate") and self._size:
                    os.posix_fallocate(file.fileno(), 0, self._size)
                else:  # macOS has none
                    for start in range(0, self._size, len(_CHUNK)):
                        file.write(_CHUNK[: self._size - start])
        except OSError:
            self._path.unlink(missing_ok=True)
            raise
