"""Summaries of categories: by the sentence, each with the facts it rests on. What is gone is never told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import msgspec

from memory.ages import local_day
from memory.dates.moment import zone_of
from memory.model import Item, Scope
from memory.store import items
from memory.store.category_names import TOLD_IN_PUBLIC
from memory.store.links import SUCCESSOR


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a summary; `date` is the day its latest fact was last stated, where that was."""

    text: str
    item_ids: tuple[str, ...]
    date: str = ""


@dataclass(frozen=True, slots=True)
class Category:
    """A group of facts. `items` counts the live ones, `summary` is its sentences with dates and ids."""

    name: str
    summary: str
    items: int
    sentences: tuple[Sentence, ...] = ()
    updated_at: int | None = None  # when something in it was last stated, Unix seconds


@dataclass(frozen=True, slots=True)
class Dirty:
    """A category whose summary is to be written."""

    id: str
    user_id: str
    name: str


# A fact that holds and may be seen; when it was last said there.
_VISIBLE = f"""
  FROM item_categories AS ic
  JOIN items AS i ON i.id = ic.item_id
  WHERE (NOT :public_only OR NOT i.private)
    AND (i.valid_until IS NULL OR i.valid_until >= :now)
    AND ({SUCCESSOR}) IS NULL
"""
_SAID_AT = """
  CASE WHEN :public_only THEN coalesce(
    (
      SELECT max(s.stated_at) FROM item_sources AS s JOIN resources AS r ON r.id = s.resource_id
      WHERE s.item_id = i.id AND NOT r.private
    ),
    i.created_at
  ) ELSE i.stated_at END
"""
_LISTED = f"""
  SELECT c.id, c.name, json_group_array(seen.item_id), max(seen.said_at)
  FROM categories AS c
  JOIN (SELECT ic.category_id, i.id AS item_id, {_SAID_AT} AS said_at {_VISIBLE}) AS seen
    ON seen.category_id = c.id
  WHERE c.user_id = :user AND (NOT :public_only OR {TOLD_IN_PUBLIC})
  GROUP BY c.id
  ORDER BY count(*) DESC, c.name
"""  # noqa: S608 - constants
_WEIGHTIEST = f"""
  SELECT i.key
  {_VISIBLE} AND ic.category_id = :category
  ORDER BY i.pinned DESC, i.importance DESC, i.stated_at DESC, i.key DESC
  LIMIT :limit
"""


def listed(connection: apsw.Connection, scope: Scope, now: int) -> list[Category]:
    """A user's categories with their summaries, largest first.

    A sentence is shown while all that it cites holds and may be seen; to a group, while nothing that its
    writer saw was private.
    """
    values = {"user": scope.user_id, "public_only": scope.public_only, "as_of": None, "now": now}
    rows: list[Any] = connection.execute(_LISTED, values).fetchall()
    return [
        _category(connection, scope, row[0], str(row[1]), set(msgspec.json.decode(row[2])), row[3])
        for row in rows
    ]


def dirty(connection: apsw.Connection, user_id: str | None, now: int, limit: int) -> list[Dirty]:
    """Categories whose facts have changed since their summary was written, or of which one has expired."""
    rows = connection.execute(
        """
        SELECT id, user_id, name FROM categories
        WHERE (dirty OR id IN (
            SELECT s.category_id FROM items AS i JOIN sentence_items AS s ON s.item_id = i.id
            WHERE i.valid_until IS NOT NULL AND i.valid_until < ?2
          ))
          AND (?1 IS NULL OR user_id = ?1)
        ORDER BY written_at IS NOT NULL, written_at, id
        LIMIT ?3
        """,
        (user_id, now, limit),
    )
    return [Dirty(*map(str, row)) for row in rows]


def facts(connection: apsw.Connection, category_id: str, now: int, limit: int) -> list[Item]:
    """The weightiest live facts of a category, the latest stated first."""
    values = {"category": category_id, "now": now, "limit": limit, "public_only": False, "as_of": None}
    keys = [key for (key,) in connection.execute(_WEIGHTIEST, values)]
    found = [fact.item for key in keys if (fact := items.by_key(connection, int(key)))]
    return sorted(found, key=lambda item: -item.stated_at)


def write(
    connection: apsw.Connection,
    category_id: str,
    sentences: Sequence[Sentence],
    *,
    by_model: bool,
    is_private: Mapping[str, bool],
    now: int,
) -> None:
    """Put a summary in the place of the one before; `is_private` is of every fact that its writer saw."""
    connection.execute("DELETE FROM category_sentences WHERE category_id = ?", (category_id,))
    saw_private = by_model and any(is_private.values())
    for position, sentence in enumerate(sentences):
        private = saw_private or any(is_private[item_id] for item_id in sentence.item_ids)
        connection.execute(
            "INSERT INTO category_sentences VALUES (?, ?, ?, ?, ?)",
            (category_id, position, sentence.text, by_model, private),
        )
        connection.executemany(
            "INSERT OR IGNORE INTO sentence_items VALUES (?, ?, ?)",
            [(category_id, position, item_id) for item_id in sentence.item_ids],
        )
    connection.execute("UPDATE categories SET dirty = 0, written_at = ? WHERE id = ?", (now, category_id))


def is_summed_up(connection: apsw.Connection, category_id: str) -> bool:
    """Whether a category has a summary, maybe an old one."""
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM category_sentences WHERE category_id = ?)", (category_id,)
    ).get
    return bool(row)


def is_fresh(connection: apsw.Connection, category_id: str, since: int) -> bool:
    """Whether what a model wrote at or after a moment still stands."""
    row = connection.execute(
        """
        SELECT EXISTS (
          SELECT 1 FROM category_sentences AS s JOIN categories AS c ON c.id = s.category_id
          WHERE c.id = ? AND s.by_model AND c.written_at >= ?
        )
        """,
        (category_id, since),
    ).get
    return bool(row)


def mark_dirty(connection: apsw.Connection, category_id: str) -> None:
    """Its summary is to be written again."""
    connection.execute("UPDATE categories SET dirty = 1 WHERE id = ?", (category_id,))


def count_dirty(connection: apsw.Connection, user_id: str | None) -> int:
    """How many summaries are to be written."""
    row = connection.execute(
        "SELECT count(*) FROM categories WHERE dirty AND (?1 IS NULL OR user_id = ?1)", (user_id,)
    ).get
    return int(row)


def _category(
    connection: apsw.Connection, scope: Scope, category_id: str, name: str, visible: set[str], said_at: int
) -> Category:
    rows: list[Any] = connection.execute(
        """
        SELECT text, (
          SELECT json_group_array(item_id) FROM sentence_items AS s
          WHERE s.category_id = c.category_id AND s.position = c.position
        )
        FROM category_sentences AS c
        WHERE category_id = ? AND NOT (? AND private) ORDER BY position
        """,
        (category_id, scope.public_only),
    ).fetchall()
    cited = [(str(text), tuple(msgspec.json.decode(ids))) for text, ids in rows]
    shown = tuple(
        Sentence(text, ids, _day(connection, scope, ids))
        for text, ids in cited
        if ids and visible.issuperset(ids)
    )
    return Category(name, "\n".join(map(_line, shown)), len(visible), shown, said_at)


def _line(sentence: Sentence) -> str:
    return f"{sentence.date} {sentence.text} [{', '.join(sentence.item_ids)}]".strip()


def _day(connection: apsw.Connection, scope: Scope, item_ids: Sequence[str]) -> str:
    """The day on which the latest of some facts was last stated, as this scope may know it."""
    cited = [stored.item for one in item_ids if (stored := items.by_id(connection, scope.user_id, one))]
    if scope.public_only:
        cited = [items.as_public(connection, item) for item in cited]
    latest = max(cited, key=lambda item: item.stated_at)
    zone = latest.sources[-1].tz if latest.sources else "UTC"
    return local_day(latest.stated_at, zone_of(zone)).isoformat()
