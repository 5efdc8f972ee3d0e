"""What took the place of the statements of a turn, as of the moment asked about."""

from collections.abc import Sequence
from typing import Any

import apsw
import msgspec

from memory.recall.remainder import Replacement
from memory.store import links

# What holds in the place of a turn's fact `i`: its successor, or the fact itself where a person worded it.
REPLACED_BY = f"""
  coalesce(
    {links.SUCCESSOR},
    CASE
      WHEN i.resource_id IS NULL
        AND (NOT :public_only OR NOT i.private)
        AND (
          :as_of IS NULL
          OR :as_of >= coalesce(
            (SELECT min(v.replaced_at) FROM item_versions AS v WHERE v.item_id = i.id AND v.cause = 'edited'),
            i.updated_at
          )
        )
        THEN i.id
    END
  )
"""  # noqa: S608 - constants

_BY_TURN = f"""
  WITH replaced AS (
    SELECT s.resource_id AS turn_id, i.content AS before, {REPLACED_BY} AS replaced_by
    FROM item_sources AS s JOIN items AS i ON i.id = s.item_id
    WHERE s.resource_id IN (SELECT value FROM json_each(:turns))
      AND (:as_of IS NULL OR i.created_at <= :as_of)
  )
  SELECT turn_id, replaced_by, before, n.content
  FROM replaced LEFT JOIN items AS n ON n.id = replaced_by
  WHERE replaced_by IS NOT NULL
  ORDER BY n.stated_at DESC, n.key DESC
"""  # noqa: S608 - constants


def by_turn(
    connection: apsw.Connection, turn_ids: Sequence[str], as_of: int | None, *, public_only: bool
) -> dict[str, tuple[Replacement, ...]]:
    """For each turn, what took the place of its facts, the latest stated first; others are left out."""
    values = {
        "turns": msgspec.json.encode(list(turn_ids)).decode(),
        "as_of": as_of,
        "public_only": public_only,
    }
    found: dict[str, list[Replacement]] = {}
    rows: list[Any] = connection.execute(_BY_TURN, values).fetchall() if turn_ids else []
    for turn_id, replaced_by, before, after in rows:
        found.setdefault(turn_id, []).append(Replacement(replaced_by, before, after or ""))
    return {turn_id: tuple(replaced) for turn_id, replaced in found.items()}
