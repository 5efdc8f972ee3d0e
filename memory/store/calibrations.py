"""What was measured of each embedder and kept: its cohort, its categories, and the offsets of its stores."""

from collections.abc import Collection

import apsw
import msgspec
import numpy as np

from memory.ports import Embedder, Matrix

# Of "" are the offsets of words alone, which belong to no model.
_ANY_OTHERS = """
  SELECT EXISTS (
    SELECT 1 FROM calibration
    WHERE embedder <> '' AND embedder NOT IN (SELECT value FROM json_each(?))
  )
"""
_DROP_OTHERS = """
  DELETE FROM calibration
  WHERE embedder <> '' AND embedder NOT IN (SELECT value FROM json_each(?))
"""


def rows(connection: apsw.Connection, embedder: Embedder, name: str) -> Matrix | None:
    """The vectors kept of this embedder under this name; None where there are none."""
    blob = connection.execute(
        "SELECT value FROM calibration WHERE embedder = ? AND name = ?", (embedder.name, name)
    ).get
    return None if blob is None else np.frombuffer(blob, np.float32).reshape(-1, embedder.dimension)


def keep(connection: apsw.Connection, embedder: str, name: str, value: bytes, now: int) -> None:
    """Keep what was measured of this embedder under this name, in place of what was kept before."""
    connection.execute("INSERT OR REPLACE INTO calibration VALUES (?, ?, ?, ?)", (embedder, name, value, now))


def are_stale(connection: apsw.Connection, wanted: Collection[str]) -> bool:
    """Whether something is kept for an embedder that is not `wanted`."""
    return bool(connection.execute(_ANY_OTHERS, (_json(wanted),)).get)


def drop_others(connection: apsw.Connection, wanted: Collection[str]) -> None:
    """Forget what was measured of embedders that are not `wanted`."""
    connection.execute(_DROP_OTHERS, (_json(wanted),))


def drop(connection: apsw.Connection, embedder: str) -> None:
    """Forget what was measured of this one."""
    connection.execute("DELETE FROM calibration WHERE embedder = ?", (embedder,))


def _json(names: Collection[str]) -> str:
    return msgspec.json.encode(sorted(names)).decode()
