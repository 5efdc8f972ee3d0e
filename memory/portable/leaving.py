"""A user's memory as records, page by page, in an order that only what they say decides."""

from collections.abc import Callable, Sequence
from typing import Any

import apsw
import msgspec

from memory.errors import InvalidError
from memory.portable.records import (
    AnyRecord,
    CategoryRecord,
    ItemRecord,
    LinkRecord,
    SourceRecord,
    TurnRecord,
    VersionRecord,
)
from memory.store import filings, items

_TURNS = """
  SELECT
    timestamp, id, event_key, agent_id, session_id, role, sender, content, modality, tz, origin, private
  FROM resources AS r
  WHERE user_id = :user AND (timestamp, id) > (:at, :id)
    AND (:all OR EXISTS (SELECT 1 FROM item_sources WHERE resource_id = r.id))
  ORDER BY timestamp, id
  LIMIT :limit
"""
_ITEMS = """
  SELECT
    created_at, id, agent_id, session_id, resource_id, kind, memory_type, content, importance, half_life_days,
    updated_at, stated_at, reinforced, valid_from, valid_until, superseded_by, superseded_at, pinned, private,
    trust
  FROM items
  WHERE user_id = :user AND (created_at, id) > (:at, :id)
  ORDER BY created_at, id
  LIMIT :limit
"""
_LINKS = """
  SELECT
    l.created_at, l.from_id || ' ' || l.to_id || ' ' || l.relation, l.from_id, l.to_id, l.relation, l.rule
  FROM item_links AS l JOIN items AS i ON i.id = l.from_id
  WHERE i.user_id = :user AND (l.created_at, l.from_id || ' ' || l.to_id || ' ' || l.relation) > (:at, :id)
  ORDER BY 1, 2
  LIMIT :limit
"""
_CATEGORIES = """
  SELECT 0, name, made_by, everyday
  FROM categories
  WHERE user_id = :user AND name > :id
  ORDER BY name
  LIMIT :limit
"""


def page(
    connection: apsw.Connection, user_id: str, cursor: str | None, limit: int, *, everything: bool
) -> tuple[list[AnyRecord], str | None]:
    """The next records and where the rest begins; None: that was all. `everything`: turns without facts, too.

    Categories come first, then turns, then facts, then links: each after what it rests on.
    Raises InvalidError for a cursor that is none.
    """
    stage, at, after = _place(cursor)
    values = {"user": user_id, "at": at, "id": after, "limit": limit, "all": everything}
    query, build = _STAGES[stage]
    rows: list[Any] = connection.execute(query, {**values}).fetchall()
    records = [build(connection, row) for row in rows]
    if len(rows) == limit:
        return records, _cursor(stage, rows[-1][0], rows[-1][1])
    return records, _cursor(stage + 1, -1, "") if stage + 1 < len(_STAGES) else None


def _category(connection: apsw.Connection, row: Sequence[Any]) -> CategoryRecord:
    _, name, made_by, everyday = row
    return CategoryRecord(name=name, made_by=made_by, everyday=everyday)


def _turn(connection: apsw.Connection, row: Sequence[Any]) -> TurnRecord:
    timestamp, turn_id, key, agent_id, session_id, role, sender, content, modality, tz, origin, private = row
    return TurnRecord(
        id=turn_id,
        key=key,
        agent_id=agent_id,
        session_id=session_id,
        role=role,
        sender=sender,
        content=msgspec.json.decode(content),
        modality=modality,
        timestamp=timestamp,
        tz=tz,
        origin=origin,
        private=bool(private),
    )


def _item(connection: apsw.Connection, row: Sequence[Any]) -> ItemRecord:
    created, item_id, agent_id, session_id, said_in, kind, memory_type, content, importance, half_life = row[
        :10
    ]
    updated, stated, reinforced, valid_from, valid_until, by, by_at, pinned, private, trust = row[10:]
    return ItemRecord(
        id=item_id,
        agent_id=agent_id,
        session_id=session_id,
        said_in=said_in,
        kind=kind,
        memory_type=memory_type,
        memory=content,
        importance=importance,
        half_life_days=half_life,
        created_at=created,
        updated_at=updated,
        stated_at=stated,
        reinforced=reinforced,
        valid_from=valid_from,
        valid_until=valid_until,
        superseded_by=by,
        superseded_at=by_at,
        pinned=bool(pinned),
        private=bool(private),
        trust=trust,
        filed=filings.state(connection, item_id),  # type: ignore[arg-type]
        categories=list(items.categories(connection, item_id)),
        sources=_sources(connection, item_id),
        versions=_versions(connection, item_id),
    )


def _sources(connection: apsw.Connection, item_id: str) -> list[SourceRecord]:
    rows: list[Any] = connection.execute(
        """
        SELECT s.resource_id, r.event_key, s.span_start, s.span_end, s.stated_at
        FROM item_sources AS s JOIN resources AS r ON r.id = s.resource_id
        WHERE s.item_id = ?
        ORDER BY s.stated_at, s.resource_id
        """,
        (item_id,),
    ).fetchall()
    return [
        SourceRecord(resource_id=turn, key=key, span=None if start is None else (start, end), stated_at=at)
        for turn, key, start, end, at in rows
    ]


def _versions(connection: apsw.Connection, item_id: str) -> list[VersionRecord]:
    rows: list[Any] = connection.execute(
        """
        SELECT content, replaced_at, cause, resource_id FROM item_versions
        WHERE item_id = ?
        ORDER BY version
        """,
        (item_id,),
    ).fetchall()
    return [
        VersionRecord(memory=words, replaced_at=at, cause=cause, resource_id=turn)
        for words, at, cause, turn in rows
    ]


def _link(connection: apsw.Connection, row: Sequence[Any]) -> LinkRecord:
    at, _, newer, older, relation, rule = row
    return LinkRecord(from_id=newer, to_id=older, relation=relation, rule=rule, created_at=at)


_Build = Callable[[apsw.Connection, Sequence[Any]], AnyRecord]
_STAGES: Sequence[tuple[str, _Build]] = (
    (_CATEGORIES, _category),
    (_TURNS, _turn),
    (_ITEMS, _item),
    (_LINKS, _link),
)


def _cursor(stage: int, at: int, after: str) -> str:
    return msgspec.json.encode([stage, at, after]).decode()


def _place(cursor: str | None) -> tuple[int, int, str]:
    if cursor is None:
        return 0, -1, ""
    try:
        stage, at, after = msgspec.json.decode(cursor, type=tuple[int, int, str])
    except msgspec.DecodeError as error:
        raise InvalidError("this is no cursor of an export", hint="begin without one") from error
    if not 0 <= stage < len(_STAGES):
        raise InvalidError("this is no cursor of an export", hint="begin without one")
    return stage, at, after
