"""A disk that can lose its power: an SQLite VFS that remembers what was synced and what was only written.

After a cut each file is what was synced, plus any part of the later writes, sector by sector: there, not
there, or half written. It models sectors and the order of fsync, not a disk that lies about them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import apsw

SECTOR_BYTES = 512
_NAME = "powercut"


@dataclass
class _Write:
    """Bytes at an offset, or a new size for the file."""

    offset: int
    data: bytes | None


@dataclass
class _Disk:
    """One file: what is safe, and what may be lost."""

    safe: bytearray = field(default_factory=bytearray)
    unsafe: list[_Write] = field(default_factory=list)

    def sync(self) -> None:
        """All that was written is safe now."""
        for write in self.unsafe:
            _apply(self.safe, write)
        self.unsafe.clear()

    def after_cut(self, rng: Random) -> bytes:
        """What a cut may leave: mostly a random part of what was not safe, sometimes nothing of it."""
        left = bytearray(self.safe)
        if rng.random() < 0.7:
            for write in self.unsafe:
                for piece in _pieces(write, rng):
                    _apply(left, piece)
        return bytes(left)


class PowerCutVFS(apsw.VFS):
    """Keeps the files as SQLite expects them, and beside them a model of what a cut would leave."""

    def __init__(self) -> None:
        super().__init__(_NAME, "")
        self._disks: dict[str, _Disk] = {}

    @property
    def name(self) -> str:
        """By which a connection asks for it."""
        return _NAME

    def xOpen(self, name: Any, flags: list[int]) -> apsw.VFSFile:
        """A file that is watched."""
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        return _WatchedFile(name, flags, self._disks.setdefault(str(path), _Disk()))

    def xDelete(self, name: str, sync_dir: bool) -> None:
        """What is deleted is gone after a cut, too."""
        super().xDelete(name, sync_dir)
        self._disks.pop(name, None)

    def cut(self, folder: Path, rng: Random) -> None:
        """Write what is left of each file into another folder."""
        for path, disk in self._disks.items():
            (folder / Path(path).name).write_bytes(disk.after_cut(rng))


class _WatchedFile(apsw.VFSFile):
    def __init__(self, name: Any, flags: list[int], disk: _Disk) -> None:
        super().__init__("", name, flags)
        self._disk = disk

    def xWrite(self, data: bytes, offset: int) -> None:
        super().xWrite(data, offset)
        self._disk.unsafe.append(_Write(offset, bytes(data)))

    def xTruncate(self, size: int) -> None:
        super().xTruncate(size)
        self._disk.unsafe.append(_Write(size, None))

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self._disk.sync()


@contextmanager
def power_cut_disk() -> Iterator[PowerCutVFS]:
    """The VFS, registered as long as it is used."""
    vfs = PowerCutVFS()
    try:
        yield vfs
    finally:
        vfs.unregister()


def _pieces(write: _Write, rng: Random) -> Iterator[_Write]:
    """The sectors of a write that reached the disk, some of them as garbage."""
    if write.data is None:
        if rng.random() < 0.5:
            yield write
        return
    for start in range(0, len(write.data), SECTOR_BYTES):
        sector = write.data[start : start + SECTOR_BYTES]
        fate = rng.random()
        if fate < 0.5:
            yield _Write(write.offset + start, sector)
        elif fate < 0.55:
            yield _Write(write.offset + start, rng.randbytes(len(sector)))


def _apply(content: bytearray, write: _Write) -> None:
    if write.data is None:
        del content[write.offset :]
        return
    content.extend(bytes(max(0, write.offset - len(content))))
    content[write.offset : write.offset + len(write.data)] = write.data
