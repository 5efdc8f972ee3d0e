"""Facts by page, the latest learnt first: an order that no later statement changes."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw
import msgspec

from memory.errors import InvalidError
from memory.model import Item, Kind, MemoryType, Scope
from memory.store import items
from memory.store.category_names import TOLD_IN_PUBLIC, fold
from memory.store.links import SUCCESSOR

_MAX_KEY = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Listing:
    """Which facts; None means no bound. Live ones only, unless `include_superseded`.

    `since` and `until` ask for what was said in between; of what has no turns left only the ends are known.
    """

    scope: Scope
    kinds: Sequence[Kind] | None = None
    memory_types: Sequence[MemoryType] | None = None
    categories: Sequence[str] | None = None
    since: int | None = None
    until: int | None = None
    pinned: bool | None = None
    include_superseded: bool = False
    as_of: int | None = None
    limit: int = 100
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """`cursor` asks for the next page; None on the last."""

    items: tuple[Item, ...]
    cursor: str | None


_SAID = """
        FROM item_sources AS s JOIN resources AS r ON r.id = s.resource_id
        WHERE s.item_id = i.id
          AND (NOT :public_only OR NOT r.private)
          AND (:as_of IS NULL OR s.stated_at <= :as_of)
"""

_PAGE = f"""
  SELECT i.key
  FROM items AS i
  WHERE i.user_id = :user
    AND (:cursor = 0 OR i.key < :cursor)
    AND (NOT :public_only OR NOT i.private)
    AND (:agent IS NULL OR i.agent_id = :agent)
    AND (:session IS NULL OR i.session_id = :session)
    AND (:kinds IS NULL OR i.kind IN (SELECT value FROM json_each(:kinds)))
    AND (:types IS NULL OR i.memory_type IN (SELECT value FROM json_each(:types)))
    AND (:since IS NULL OR i.stated_at >= :since)
    AND (:until IS NULL OR i.created_at <= :until)
    AND (
      (:since IS NULL AND :until IS NULL)
      OR NOT EXISTS (SELECT 1 {_SAID})
      OR EXISTS (
        SELECT 1 {_SAID}
          AND s.stated_at >= coalesce(:since, s.stated_at)
          AND s.stated_at <= coalesce(:until, s.stated_at)
      )
    )
    AND (:pinned IS NULL OR i.pinned = :pinned)
    AND (:as_of IS NULL OR i.created_at <= :as_of)
    AND (
      :superseded
      OR (
        ({SUCCESSOR}) IS NULL
        AND (i.valid_until IS NULL OR i.valid_until >= :now)
      )
    )
    AND (
      :categories IS NULL
      OR EXISTS (
        SELECT 1 FROM item_categories AS ic
        JOIN categories AS c ON c.id = ic.category_id
        WHERE ic.item_id = i.id AND c.folded IN (SELECT value FROM json_each(:categories))
          AND (NOT :public_only OR {TOLD_IN_PUBLIC})
      )
    )
  ORDER BY i.key DESC
  LIMIT :limit
"""  # noqa: S608 - constants


def page(connection: apsw.Connection, listing: Listing, now: int) -> Page:
    """One page. Raises InvalidError for a cursor that no page gave."""
    values = {
        "user": listing.scope.user_id,
        "agent": listing.scope.agent_id,
        "session": listing.scope.session_id,
        "public_only": listing.scope.public_only,
        "cursor": page_key(listing.cursor),
        "kinds": _json(listing.kinds),
        "types": _json(listing.memory_types),
        "categories": _json(listing.categories and [fold(name) for name in listing.categories]),
        "since": listing.since,
        "until": listing.until,
        "pinned": listing.pinned,
        "as_of": listing.as_of,
        "superseded": listing.include_superseded,
        "now": now if listing.as_of is None else listing.as_of,
        "limit": listing.limit + 1,
    }
    keys = [key for (key,) in connection.execute(_PAGE, values)]
    shown = keys[: listing.limit]
    stored = [fact.item for key in shown if (fact := items.by_key(connection, int(key)))]
    if listing.scope.public_only:
        stored = [items.as_public(connection, item) for item in stored]
    return Page(tuple(stored), str(shown[-1]) if len(keys) > len(shown) else None)


def page_key(cursor: str | None) -> int:
    """The number that a page ended with; 0 for none. Raises InvalidError for a cursor that no page gave."""
    if cursor is None:
        return 0
    if not cursor.isascii() or not cursor.isdecimal() or int(cursor) > _MAX_KEY:
        raise InvalidError(f"{cursor!r} is no cursor", hint="give the cursor of the page before")
    return int(cursor)


def _json(values: Sequence[str] | None) -> str | None:
    return None if values is None else msgspec.json.encode(list(values)).decode()
