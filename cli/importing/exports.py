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
