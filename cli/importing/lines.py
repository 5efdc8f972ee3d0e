"""The lines of a file, plain or compressed, one at a time, whatever their length."""

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_BOM = b"\xef\xbb\xbf"
_MAX_LINE_BYTES = 33_554_432  # a message may hold pictures; a longer line is no message

Line = tuple[int, bytes | None]


class BrokenArchiveError(Exception):
    """A compressed file that ends early or is no archive: what came before has been read."""


def lines_of(path: Path) -> Iterator[Line]:
    """Each line with its number; None stands for one that is longer than 32 MiB.

    Raises BrokenArchiveError where a compressed file breaks off, OSError where reading fails.
    """
    with path.open("rb") as opened:
        packed = opened.read(len(ZSTD_MAGIC)) == ZSTD_MAGIC
        opened.seek(0)
        if packed:
            yield from unpacked(opened)
        else:
            yield from _cut(opened)


def _cut(stream: IO[bytes] | io.BufferedIOBase) -> Iterator[Line]:
    """The lines of an open file."""
    number, too_long = 1, False
    while chunk := stream.readline(_MAX_LINE_BYTES):
        ends = chunk.endswith(b"\n")
        too_long = too_long or (not ends and len(chunk) == _MAX_LINE_BYTES)
        if ends or len(chunk) < _MAX_LINE_BYTES:
            yield number, None if too_long else chunk.removeprefix(_BOM if number == 1 else b"")
            number, too_long = number + 1, False


def unpacked_head(head: bytes) -> bytes:
    """What the first bytes of a file say, unpacked if they are packed."""
    if not head.startswith(ZSTD_MAGIC):
        return head
    try:
        return zstd.ZstdDecompressor().decompress(head, max_length=len(head))
    except zstd.ZstdError:
        return b""


def until_broken(lines: Iterator[Line]) -> Iterator[Line]:
    """The lines up to where an archive breaks off, for a look ahead: it is told when the file is read."""
    try:
        yield from lines
    except BrokenArchiveError:
        return


def unpack(packed: bytes) -> bytes | None:
    """What was packed by itself; None if it is damaged."""
    try:
        return zstd.decompress(packed)
    except zstd.ZstdError:
        return None


def unpacked(opened: IO[bytes]) -> Iterator[Line]:
    """The lines of a packed file. Raises BrokenArchiveError where it breaks off."""
    try:
        with zstd.ZstdFile(opened, "r") as stream:
            yield from _cut(stream)
    except (zstd.ZstdError, EOFError) as error:
        raise BrokenArchiveError(str(error)) from error
