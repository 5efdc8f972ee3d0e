"""What was measured of each embedder and kept: its cohort, and the offsets of its stores."""

from collections.abc import Collection

import apsw
import msgspec

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
