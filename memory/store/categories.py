"""The categories of a user, and which facts stand in them. Dirtiness is kept by the schema's triggers."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import msgspec

from memory.ids import NewId
from memory.ports import Vector
from memory.store import filings
from memory.store.category_names import fold
from memory.store.items import StoredItem
from memory.terms import Language, index_terms, language

_LATEST = 20  # so many facts tell which language a user writes


@dataclass(frozen=True, slots=True)
class Named:
    """A category as the filing sees it."""

    id: str
    name: str
    everyday: str | None
    embedding: bytes | None = None
    embedder: str | None = None


_NAMED = "SELECT id, name, everyday, embedding, embedder FROM categories AS c "
_EVERYDAY = f"""{_NAMED}
  WHERE user_id = ? AND (everyday = ? OR everyday IS NULL AND folded IN (SELECT value FROM json_each(?)))
  ORDER BY everyday IS NULL, name
  LIMIT 1
"""  # noqa: S608 - constants
_OPEN_ENDED = f"""{_NAMED}
  WHERE user_id = ? AND everyday IS NULL
  ORDER BY (SELECT count(*) FROM item_categories WHERE category_id = c.id) DESC, name
  LIMIT ?
"""  # noqa: S608 - constants


def find(connection: apsw.Connection, user_id: str, name: str) -> Named | None:
    """The category of that name, letter case and number of the word aside."""
    return _first(
        connection,
        _NAMED + "WHERE user_id = ? AND folded = ? ORDER BY name <> ?, name LIMIT 1",
        (user_id, fold(name), name),
    )


def find_everyday(
    connection: apsw.Connection, user_id: str, key: str, aliases: Iterable[str]
) -> Named | None:
    """The user's category that is this everyday one, or has one of its names, folded."""
    return _first(
        connection,
        _EVERYDAY,
        (user_id, key, _json(aliases)),
    )


def make(
    connection: apsw.Connection,
    user_id: str,
    name: str,
    made_by: str,
    new_id: NewId,
    everyday: str | None = None,
) -> Named:
    """A category of that very name; the one there is, if there is one."""
    connection.execute(
        """
        INSERT OR IGNORE INTO categories (id, user_id, name, folded, made_by, everyday)
        VALUES (?, ?, ?, ?, ?, ?)
        """,
        (new_id("c"), user_id, name, fold(name), made_by, everyday),
    )
    made = _first(connection, _NAMED + "WHERE user_id = ? AND name = ?", (user_id, name))
    assert made is not None  # noqa: S101 - it was inserted above, in this transaction
    return made


def open_ended(connection: apsw.Connection, user_id: str, limit: int) -> list[Named]:
    """The categories that are no everyday ones, the largest first."""
    rows: list[Any] = connection.execute(
        _OPEN_ENDED,
        (user_id, limit),
    ).fetchall()
    return [Named(*row) for row in rows]


def set_embedding(connection: apsw.Connection, category_id: str, vector: Vector, embedder: str) -> None:
    """Give a category the vector of its name."""
    connection.execute(
        "UPDATE categories SET embedding = ?, embedder = ? WHERE id = ?",
        (vector.tobytes(), embedder, category_id),
    )


def file(connection: apsw.Connection, item: str, category_ids: Sequence[str], state: str) -> None:
    """Let a fact stand in these categories and no others; what stays is not touched."""
    wanted = _json(category_ids)
    connection.execute(
        "INSERT OR IGNORE INTO item_categories SELECT ?, value FROM json_each(?)", (item, wanted)
    )
    connection.execute(
        """
        DELETE FROM item_categories
        WHERE item_id = ? AND category_id NOT IN (SELECT value FROM json_each(?))
        """,
        (item, wanted),
    )
    filings.mark(connection, item, state)


def choose(connection: apsw.Connection, stored: StoredItem, names: Sequence[str], new_id: NewId) -> None:
    """File a fact as a person says; from then on nothing else files it."""
    user_id = stored.item.user_id
    chosen = [
        find(connection, user_id, name) or make(connection, user_id, name, "person", new_id) for name in names
    ]
    file(connection, stored.item.id, [category.id for category in chosen], "chosen")
    filings.reopen(connection, user_id)


def nameless(connection: apsw.Connection, user_id: str | None, embedder: str, limit: int) -> list[Named]:
    """Categories whose name has no vector of this embedder."""
    rows: list[Any] = connection.execute(
        _NAMED + "WHERE (?1 IS NULL OR user_id = ?1) AND embedder IS NOT ?2 ORDER BY id LIMIT ?3",
        (user_id, embedder, limit),
    ).fetchall()
    return [Named(*row) for row in rows]


def every(connection: apsw.Connection, user_id: str) -> list[Named]:
    """All categories of a user, the everyday ones first."""
    rows: list[Any] = connection.execute(
        _NAMED + "WHERE user_id = ? ORDER BY everyday IS NULL, name", (user_id,)
    ).fetchall()
    return [Named(*row) for row in rows]


def propose(connection: apsw.Connection, item_id: str, names: Iterable[str]) -> None:
    """Keep names that a model gave a fact, until another fact gets them too."""
    connection.executemany(
        "INSERT OR IGNORE INTO proposed_categories VALUES (?, ?, ?)",
        [(item_id, fold(name), name) for name in names],
    )


def proposed(
    connection: apsw.Connection, user_id: str | None, least: int
) -> list[tuple[str, str, list[str]]]:
    """(whose, the name, the facts) of every name that so many facts were given."""
    rows: list[Any] = connection.execute(
        """
        SELECT i.user_id, min(p.name), json_group_array(p.item_id ORDER BY i.key)
        FROM proposed_categories AS p JOIN items AS i ON i.id = p.item_id
        WHERE ?1 IS NULL OR i.user_id = ?1
        GROUP BY i.user_id, p.folded HAVING count(*) >= ?2
        ORDER BY i.user_id, p.folded
        """,
        (user_id, least),
    ).fetchall()
    return [(owner, name, msgspec.json.decode(ids)) for owner, name, ids in rows]


def settle_proposal(connection: apsw.Connection, name: str, item_ids: Iterable[str]) -> None:
    """The name is decided on."""
    connection.execute(
        """
        DELETE FROM proposed_categories
        WHERE folded = ? AND item_id IN (SELECT value FROM json_each(?))
        """,
        (fold(name), _json(item_ids)),
    )


def dissolve(connection: apsw.Connection, user_id: str, words: Collection[str]) -> None:
    """Take categories away that are named by one of these terms, which no fact in them has any more.

    Not those that a person named. Their facts are filed again.
    """
    rows: list[Any] = connection.execute(
        "SELECT id, name FROM categories WHERE user_id = ? AND made_by IN ('model', 'facts')", (user_id,)
    ).fetchall()
    for category_id, name in rows:
        terms = set(index_terms(name)).intersection(words)
        if terms and not _is_told(connection, category_id, terms):
            _take_away(connection, category_id)


def _is_told(connection: apsw.Connection, category_id: str, terms: set[str]) -> bool:
    contents = connection.execute(
        "SELECT content FROM items WHERE id IN (SELECT item_id FROM item_categories WHERE category_id = ?)",
        (category_id,),
    )
    return any(terms <= set(index_terms(content)) for (content,) in contents)


def _take_away(connection: apsw.Connection, category_id: str) -> None:
    connection.execute(
        """
        UPDATE item_filings SET state = 'waiting'
        WHERE state = 'filed'
          AND item_id IN (SELECT item_id FROM item_categories WHERE category_id = ?)
        """,
        (category_id,),
    )
    connection.execute("DELETE FROM categories WHERE id = ?", (category_id,))


def of_item(connection: apsw.Connection, item_id: str) -> list[str]:
    """The ids of the categories that a fact stands in."""
    rows = connection.execute("SELECT category_id FROM item_categories WHERE item_id = ?", (item_id,))
    return [str(category_id) for (category_id,) in rows]


def language_of(connection: apsw.Connection, user_id: str) -> Language:
    """The language that a user's latest facts have."""
    rows = connection.execute(
        "SELECT content FROM items WHERE user_id = ? ORDER BY stated_at DESC LIMIT ?", (user_id, _LATEST)
    )
    told = [language(content) for (content,) in rows]
    return "zh" if 2 * told.count("zh") > len(told) else "en"


def _first(connection: apsw.Connection, sql: str, values: Sequence[Any]) -> Named | None:
    row: Any = next(iter(connection.execute(sql, tuple(values)).fetchall()), None)
    return None if row is None else Named(*row)


def _json(values: Iterable[str]) -> str:
    return msgspec.json.encode(list(values)).decode()
