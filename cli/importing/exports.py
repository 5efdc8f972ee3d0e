"""The conversation file of an export: as it is, or inside the archive it came in."""

import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from cli.importing.found import Fault, Found, Place, Wishes

_ZIP_MAGIC = b"PK\x03\x04"
_NAME = re.compile(r"(?:.*/)?conversations(?:[-_]\d+)?\.json")
_HEAD_CHARS = 65_536
DAMAGED = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError)


def head_of(path: Path, head: bytes) -> str:
    """The first words of the conversations; "" if there are none."""
    if not head.startswith(_ZIP_MAGIC):
        return head.decode("utf-8-sig", "replace")
    try:
        with zipfile.ZipFile(path) as archive, archive.open(_members(archive)[0]) as member:
            return member.read(_HEAD_CHARS).decode("utf-8-sig", "replace")
    except (*DAMAGED, IndexError):
        return ""


def recognises_damaged(path: Path, head: bytes) -> bool:
    """Whether it is an archive that can't be opened, such as half a download."""
    return path.suffix.lower() == ".zip" and head.startswith(_ZIP_MAGIC) and bool(_damage(path))


def read_damaged(path: Path, wishes: Wishes) -> Iterator[Found]:
    """Only what is wrong with it."""
    yield Fault(Place(str(path)), "import.broken_archive", {"cause": _damage(path)})


def _damage(path: Path) -> str:
    """Why the archive, or the conversations in it, can't be opened; "" where they can."""
    try:
        with zipfile.ZipFile(path) as archive:
            for name in _members(archive)[:1]:
                with archive.open(name) as member:
                    member.read(_HEAD_CHARS)
    except DAMAGED as error:
        return str(error) or type(error).__name__
    return ""


@contextmanager
def opened(path: Path, name: str | None) -> Iterator[TextIO]:
    """The text of a file, or of the archive's member of that name."""
    if name is None:
        with path.open(encoding="utf-8-sig", errors="replace") as stream:
            yield stream
        return
    with zipfile.ZipFile(path) as archive, archive.open(name) as member:
        yield io.TextIOWrapper(member, encoding="utf-8-sig", errors="replace")


def parts_of(path: Path) -> list[str | None]:
    """What is to be opened: the conversation files of an archive in order, or the file itself (None).

    Raises zipfile.BadZipFile for a damaged archive.
    """
    with path.open("rb") as stream:
        if stream.read(len(_ZIP_MAGIC)) != _ZIP_MAGIC:
            return [None]
    with zipfile.ZipFile(path) as archive:
        return list(_members(archive))


def _members(archive: zipfile.ZipFile) -> list[str]:
    return sorted(name for name in archive.namelist() if _NAME.fullmatch(name))
