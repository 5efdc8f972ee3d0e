"""How facts stand to one another: superseded, maybe, related. Links can be undone; nothing is deleted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import msgspec

RESTATED = "restated"  # the rule by which a fact that was said again holds again


def _next_of(item: str) -> str:
    """SQL for what held in the place of a row of `items` at `:as_of` (NULL: now); NULL: itself.

    The row knows its last end. It ended before that only if it was said again since: then it had ended by
    `:as_of` where a successor had been said later than the fact itself.
    """
    return f"""
      CASE
        WHEN :as_of IS NULL OR {item}.superseded_at <= :as_of THEN {item}.superseded_by
        WHEN {item}.stated_at > :as_of THEN (
          SELECT later.from_id
          FROM (
            SELECT
              l.from_id,
              max(
                iif(l.created_at <= :as_of, l.created_at, 0),
                coalesce(({_said_by("l.from_id")}), 0)
              ) AS ended_at
            FROM item_links AS l
            WHERE l.to_id = {item}.id AND l.relation = 'supersedes'
          ) AS later
          WHERE later.ended_at > coalesce(({_said_by(f"{item}.id")}), {item}.created_at)
          ORDER BY later.ended_at DESC
          LIMIT 1
        )
      END
    """  # noqa: S608 - constants


def _said_by(item_id: str) -> str:
    return f"SELECT max(stated_at) FROM item_sources WHERE item_id = {item_id} AND stated_at <= :as_of"  # noqa: S608


# What holds in the place of the fact `i` at `:as_of`. For a group that is the next public statement: what was
# said in private ends nothing there. A successor that is gone for good is taken for a public one.
SUCCESSOR = f"""
  CASE
    WHEN NOT :public_only THEN {_next_of("i")}
    ELSE (
      WITH RECURSIVE later (id, is_private, next_id) AS (
        SELECT i.id, 1, {_next_of("i")}
        UNION
        SELECT
          later.next_id,
          coalesce(n.private, (SELECT body ->> '$.fields.private' FROM archive WHERE id = later.next_id), 0),
          {_next_of("n")}
        FROM later LEFT JOIN items AS n ON n.id = later.next_id
        WHERE later.is_private AND later.next_id IS NOT NULL
      )
      SELECT id FROM later WHERE NOT is_private
    )
  END
"""  # noqa: S608 - constants

_MAYBE = f"""
  WITH asked AS (SELECT value AS id FROM json_each(:ids)),
  pairs AS (
    SELECT l.from_id AS id, l.to_id AS partner
    FROM asked JOIN item_links AS l ON l.from_id = asked.id AND l.relation = 'maybe'
    UNION
    SELECT l.to_id, l.from_id
    FROM asked JOIN item_links AS l ON l.to_id = asked.id AND l.relation = 'maybe'
  )
  SELECT pairs.id, pairs.partner
  FROM pairs JOIN items AS i ON i.id = pairs.partner
  WHERE (:as_of IS NULL OR i.created_at <= :as_of)
    AND (NOT :public_only OR NOT i.private)
    AND ({SUCCESSOR}) IS NULL
    AND (:now IS NULL OR i.valid_until IS NULL OR i.valid_until >= :now)
  ORDER BY i.stated_at DESC, i.key DESC
"""  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class Link:
    """A link from the newer fact to the older."""

    from_id: str
    to_id: str
    relation: str
    rule: str
    created_at: int


def supersede(connection: apsw.Connection, newer: str, older: str, rule: str, at: int) -> None:
    """The newer fact takes the older one's place from `at` on, in the events' own time."""
    connection.execute(
        "UPDATE items SET superseded_by = ?, superseded_at = ?, updated_at = ? WHERE id = ?",
        (newer, at, at, older),
    )
    relate(connection, newer, older, "supersedes", rule, at)


def superseded_at(connection: apsw.Connection, item_id: str) -> int | None:
    """Since when another fact holds in its place, in the events' own time; None if it holds."""
    moment: int | None = connection.execute("SELECT superseded_at FROM items WHERE id = ?", (item_id,)).get
    return moment


def public_successor(connection: apsw.Connection, item_id: str) -> str | None:
    """The id of what a group is told in a fact's place; None: there it still holds."""
    successor: str | None = connection.execute(
        f"SELECT {SUCCESSOR} FROM items AS i WHERE i.id = :id",  # noqa: S608 - constants
        {"id": item_id, "public_only": True, "as_of": None},
    ).get
    return successor


def relate(connection: apsw.Connection, newer: str, older: str, relation: str, rule: str, at: int) -> None:
    """Note how two facts stand to one another."""
    connection.execute(
        "INSERT OR REPLACE INTO item_links VALUES (?, ?, ?, ?, ?)", (newer, older, relation, rule, at)
    )


def settle_doubt(connection: apsw.Connection, newer: str, older: str, rule: str) -> None:
    """Two facts that seemed to contradict one another hold both."""
    connection.execute(
        """
        UPDATE OR REPLACE item_links SET relation = 'related', rule = ?
        WHERE from_id = ? AND to_id = ? AND relation = 'maybe'
        """,
        (rule, newer, older),
    )


def revive(connection: apsw.Connection, item_id: str, at: int) -> bool:
    """Undo a supersession, as if it had never been; whether there was one.

    Facts that this one superseded stay as they are.
    """
    row = connection.execute("SELECT superseded_by FROM items WHERE id = ?", (item_id,)).get
    if row is None:
        return False
    hold_again(connection, item_id, at)
    connection.execute(  # that the other one was said again stays true
        """
        UPDATE OR REPLACE item_links SET relation = 'related'
        WHERE to_id = ? AND relation = 'supersedes' AND rule = ?
        """,
        (item_id, RESTATED),
    )
    connection.execute("DELETE FROM item_links WHERE to_id = ? AND relation = 'supersedes'", (item_id,))
    return True


def hold_again(connection: apsw.Connection, item_id: str, at: int) -> None:
    """A superseded fact holds from `at` on; the links still say what held in between."""
    connection.execute(
        "UPDATE items SET superseded_by = NULL, superseded_at = NULL, updated_at = ? WHERE id = ?",
        (at, item_id),
    )


def unsay_again(connection: apsw.Connection, item_id: str, stated_at: int, at: int) -> None:
    """Take back what a fact did by being said again after `stated_at`, its latest statement that is left."""
    undone: list[Any] = connection.execute(
        "DELETE FROM item_links WHERE from_id = ? AND rule = ? AND created_at > ? RETURNING to_id",
        (item_id, RESTATED, stated_at),
    ).fetchall()
    for (other_id,) in undone:
        connection.execute(
            """
            UPDATE items SET superseded_by = NULL, superseded_at = NULL, updated_at = ?
            WHERE id = ? AND superseded_by = ?
            """,
            (at, other_id, item_id),
        )
    if undone:
        _end_again(connection, item_id, at)


def _end_again(connection: apsw.Connection, item_id: str, at: int) -> None:
    """What ended a fact before it was said again ends it once more."""
    ended: list[Any] = connection.execute(
        """
        SELECT l.from_id, l.created_at FROM item_links AS l
        WHERE l.to_id = ?1 AND l.relation = 'supersedes'
          AND NOT EXISTS (
            SELECT 1 FROM item_links AS r
            WHERE r.from_id = ?1 AND r.rule = ?2 AND r.created_at >= l.created_at
          )
        ORDER BY l.created_at DESC
        LIMIT 1
        """,
        (item_id, RESTATED),
    ).fetchall()
    for newer_id, ended_at in ended:
        connection.execute(
            """
            UPDATE items SET superseded_by = ?, superseded_at = ?, updated_at = ?
            WHERE id = ? AND superseded_by IS NULL
            """,
            (newer_id, ended_at, at, item_id),
        )


def hand_on(connection: apsw.Connection, item_id: str, at: int) -> None:
    """Give what a fact superseded to the fact that superseded it; where there is none, it holds again.

    For a fact that goes for good.
    """
    ended: list[Any] = connection.execute(
        "SELECT superseded_by, superseded_at FROM items WHERE id = ?", (item_id,)
    ).fetchall()
    successor, ended_at = ended[0] if ended else (None, 0)
    older: list[Any] = connection.execute(
        """
        UPDATE items SET superseded_by = ?, superseded_at = ?, updated_at = ? WHERE superseded_by = ?
        RETURNING id
        """,
        (successor, ended_at if successor else None, at, item_id),
    ).fetchall()
    if successor is not None:
        rule = RESTATED if _was_restated(connection, successor, item_id) else "handed_on"
        for (older_id,) in older:
            relate(connection, successor, older_id, "supersedes", rule, ended_at)


def _was_restated(connection: apsw.Connection, newer: str, older: str) -> bool:
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM item_links WHERE from_id = ? AND to_id = ? AND rule = ?)",
        (newer, older, RESTATED),
    ).get
    return bool(row)


def links(connection: apsw.Connection, item_id: str) -> list[Link]:
    """All links of a fact, in both directions."""
    rows = connection.execute(
        """
        SELECT from_id, to_id, relation, rule, created_at
        FROM item_links
        WHERE from_id = ?1 OR to_id = ?1
        ORDER BY created_at
        """,
        (item_id,),
    )
    return [Link(*row) for row in rows]


def maybe_partners(
    connection: apsw.Connection,
    item_ids: Sequence[str],
    as_of: int | None,
    *,
    now: int | None = None,
    public_only: bool = False,
) -> dict[str, list[str]]:
    """For each fact that may contradict others: those others, the latest stated first.

    Live ones only: known by `as_of` (None: by now) and not superseded then; not expired at `now`, or at
    `as_of` where no `now` is given; nothing private if `public_only`. Facts without a partner are left out.
    """
    values = {
        "ids": msgspec.json.encode(list(item_ids)).decode(),
        "as_of": as_of,
        "now": as_of if now is None else now,
        "public_only": public_only,
    }
    found: dict[str, list[str]] = {}
    for item_id, partner in connection.execute(_MAYBE, values):
        found.setdefault(item_id, []).append(partner)
    return found
