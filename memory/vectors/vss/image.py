"""What FAISS wrote into SQLite: one BLOB of keys and vectors, read before sqlite-vss is let near it.

FAISS ends the process on an image that it can't read, and believes any other.
"""

import struct
import zlib
from collections.abc import Iterator

import apsw
import numpy as np

_HEADER = struct.Struct("<4siqqq?i")  # kind, dimension, count, two unused, is trained, metric
_COUNT = struct.Struct("<q")
_INNER_PRODUCT = 0
_ROWS_A_READ = 1024


class DamagedError(Exception):
    """The file does not hold what was written."""


def size_bytes(count: int, dimension: int) -> int:
    """How large the image of so many vectors is."""
    return 2 * (_HEADER.size + _COUNT.size) + count * (4 * dimension + 8)


def checksums(blob: apsw.Blob, dimension: int) -> dict[int, int]:
    """The CRC-32 of each vector by its key. Raises DamagedError."""
    count = _header(blob, b"IxM2", dimension)
    if _header(blob, b"IxFI", dimension) != count or blob.length() != size_bytes(count, dimension):
        raise DamagedError("the index has another length than its header says")
    _counted(blob, count * dimension)
    sums = list(_sums(blob, count, dimension))
    _counted(blob, count)
    keys = np.frombuffer(blob.read(8 * count), np.int64).tolist()
    found = dict(zip(keys, sums, strict=True))
    if len(found) != count:
        raise DamagedError("the index holds a key twice")
    return found


def _header(blob: apsw.Blob, kind: bytes, dimension: int) -> int:
    raw = blob.read(_HEADER.size)
    if len(raw) != _HEADER.size:
        raise DamagedError("the index is cut short")
    found, d, count, _, _, is_trained, metric = _HEADER.unpack(raw)
    if (found, d, is_trained, metric) != (kind, dimension, True, _INNER_PRODUCT) or count < 0:
        raise DamagedError("the index is of another kind")
    return int(count)


def _counted(blob: apsw.Blob, expected: int) -> None:
    if blob.read(_COUNT.size) != _COUNT.pack(expected):
        raise DamagedError("the index has another length than its header says")


def _sums(blob: apsw.Blob, count: int, dimension: int) -> Iterator[int]:
    row_bytes = 4 * dimension
    for start in range(0, count, _ROWS_A_READ):
        rows = memoryview(blob.read(row_bytes * min(_ROWS_A_READ, count - start)))
        for row in range(0, len(rows), row_bytes):
            yield zlib.crc32(rows[row : row + row_bytes])
