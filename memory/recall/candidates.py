"""Reads facts and turns as they stood at the moment asked about."""

from collections.abc import Sequence
from typing import Any

import apsw
import msgspec
from msgspec.structs import replace

from memory.model import Kind, Layer, MemoryType, Role, Source
from memory.recall import replacements
from memory.recall.candidate import Candidate
from memory.recall.exclusion import exclusion
from memory.recall.query import Query
from memory.recall.remainder import Replacement
from memory.recall.replacements import REPLACED_BY
from memory.store import links
from memory.store.category_names import TOLD_IN_PUBLIC
from memory.store.resources import latest_zone
from memory.turns import plain_text

_ROLES = {role.value: role for role in Role}
_KINDS = {kind.value: kind for kind in Kind}
_TYPES = {kind.value: kind for kind in MemoryType}
TURN_IMPORTANCE = 0.5
TURN_HALF_LIFE_DAYS = 30  # with the small decay weight of turns, age moves them little

# `+user_id`: the rows are looked up by their numbers, not by going through all that the user has.
# A turn whose every fact was replaced since says nothing that still holds.
# A fact that a person reworded (it has no turn's words any more) replaces the turns it came from.
_TURNS = f"""
  SELECT
    key, id, content, role, event_key, session_id, timestamp, tz, sender,
    (
      SELECT count(*) > 0 AND count(*) = count({REPLACED_BY})
      FROM item_sources AS s JOIN items AS i ON i.id = s.item_id
      WHERE s.resource_id = resources.id AND (:as_of IS NULL OR i.created_at <= :as_of)
    )
  FROM resources
  WHERE +user_id = :user
    AND key IN (SELECT value FROM json_each(:keys))
    AND (:as_of IS NULL OR timestamp <= :as_of)
    AND (NOT :public_only OR NOT private)
"""  # noqa: S608 - constants

_SAID_IN_PUBLIC = """
  FROM item_sources AS s JOIN resources AS r ON r.id = s.resource_id
  WHERE s.item_id = i.id AND NOT r.private
"""

# As of a moment, a fact is as old as its latest statement up to then, and superseded if it was by then.
# As of now `stated_at` tells, which also knows when a person restored it. Words that it had before an edit
# are shown to a group only where they were said in public; for a group it is as old as its public turns.
_FACTS = f"""
  WITH facts AS (
    SELECT
      i.key, i.id,
      coalesce(
        (
          SELECT v.content FROM item_versions AS v
          WHERE v.item_id = i.id AND v.cause = 'edited' AND v.replaced_at > :as_of
            AND (
              NOT :public_only
              OR EXISTS (SELECT 1 FROM resources AS r WHERE r.id = v.resource_id AND NOT r.private)
            )
          ORDER BY v.version
          LIMIT 1
        ),
        i.content
      ),
      i.kind, i.memory_type, i.importance, i.half_life_days,
      iif(:public_only, coalesce((SELECT min(s.stated_at) {_SAID_IN_PUBLIC}), i.created_at), i.created_at),
      coalesce(
        CASE
          WHEN :public_only THEN (
            SELECT max(s.stated_at) {_SAID_IN_PUBLIC} AND (:as_of IS NULL OR s.stated_at <= :as_of)
          )
          ELSE (
            SELECT max(s.stated_at) FROM item_sources AS s
            WHERE s.item_id = i.id AND s.stated_at <= :as_of
          )
        END,
        i.stated_at
      ),
      i.valid_until,
      {links.SUCCESSOR} AS superseded_by,
      i.pinned
    FROM items AS i
    WHERE +i.user_id = :user
      AND i.key IN (SELECT value FROM json_each(:keys))
      AND (:as_of IS NULL OR i.created_at <= :as_of)
      AND (NOT :public_only OR NOT i.private)
  )
  SELECT facts.*, n.content FROM facts LEFT JOIN items AS n ON n.id = facts.superseded_by
"""  # noqa: S608 - constants

_SOURCES = """
  SELECT s.item_id, r.id, r.event_key, r.session_id, r.timestamp, r.role, s.span_start, s.span_end, r.tz,
    r.sender
  FROM item_sources AS s
  JOIN resources AS r ON r.id = s.resource_id
  WHERE s.item_id IN (SELECT value FROM json_each(?1)) AND (?2 IS NULL OR s.stated_at <= ?2)
    AND (NOT ?3 OR NOT r.private)
  ORDER BY r.timestamp, r.key
"""

_CATEGORIES = f"""
  SELECT i.item_id, c.name
  FROM item_categories AS i
  JOIN categories AS c ON c.id = i.category_id
  WHERE i.item_id IN (SELECT value FROM json_each(?1))
    AND (NOT ?2 OR {TOLD_IN_PUBLIC})
  ORDER BY c.name
"""  # noqa: S608 - constants


def load(connection: apsw.Connection, keys: Sequence[int], query: Query, now: int) -> dict[int, Candidate]:
    """The rows with these numbers that the question's scope may see, by number."""
    wanted = msgspec.json.encode(list(keys)).decode()
    values = {
        "user": query.scope.user_id,
        "keys": wanted,
        "as_of": query.as_of,
        "public_only": query.scope.public_only,
    }
    turns = _turns(connection, connection.execute(_TURNS, values).fetchall(), query)
    facts = _facts(connection, connection.execute(_FACTS, values).fetchall(), query, now)
    return {candidate.key: _judged(candidate, query, now) for candidate in (*turns, *facts)}


def _judged(candidate: Candidate, query: Query, now: int) -> Candidate:
    reason = exclusion(candidate, query, now)
    return replace(candidate, excluded=reason) if reason else candidate


def _turns(connection: apsw.Connection, rows: Sequence[Sequence[Any]], query: Query) -> list[Candidate]:
    replaced_ids = [row[1] for row in rows if row[-1]]
    is_public = query.scope.public_only
    replaced = replacements.by_turn(connection, replaced_ids, query.as_of, public_only=is_public)
    return [_turn(row, replaced.get(row[1], ())) for row in rows]


def _turn(row: Sequence[Any], replaced: tuple[Replacement, ...]) -> Candidate:
    key, turn_id, content, role, event_key, session_id, timestamp, tz, sender = row[:-1]
    source = Source(turn_id, event_key, session_id, timestamp, _ROLES[role], tz=tz)
    return Candidate(
        key=key,
        id=turn_id,
        layer=Layer.RESOURCE,
        text=plain_text(msgspec.json.decode(content)),
        kind=Kind.EPISODIC,
        memory_type=MemoryType.GENERAL,
        importance=TURN_IMPORTANCE,
        half_life_days=TURN_HALF_LIFE_DAYS,
        created_at=timestamp,
        stated_at=timestamp,
        valid_until=None,
        superseded_by=replaced[0].by if replaced else None,
        pinned=False,
        role=_ROLES[role],
        source=source,
        sources=(source,),
        senders=frozenset() if sender is None or role != Role.USER else frozenset((sender,)),
        replacements=replaced,
    )


def _facts(
    connection: apsw.Connection, rows: Sequence[Sequence[Any]], query: Query, now: int
) -> list[Candidate]:
    item_ids = [row[1] for row in rows]
    ids = msgspec.json.encode(item_ids).decode()
    sources: dict[str, list[Source]] = {}
    senders: dict[str, list[str]] = {}
    for item_id, turn_id, key, session_id, timestamp, role, start, end, tz, sender in connection.execute(
        _SOURCES, (ids, query.as_of, query.scope.public_only)
    ):
        span = None if start is None else (start, end)
        source = Source(turn_id, key, session_id, timestamp, _ROLES[role], span, tz)
        sources.setdefault(item_id, []).append(source)
        if sender is not None:
            senders.setdefault(item_id, []).append(sender)
    categories: dict[str, list[str]] = {}
    for item_id, name in connection.execute(_CATEGORIES, (ids, query.scope.public_only)):
        categories.setdefault(item_id, []).append(name)
    is_orphaned = any(row[1] not in sources for row in rows)
    zone = latest_zone(connection, query.scope.user_id) if is_orphaned else ""
    maybe = links.maybe_partners(
        connection, item_ids, query.as_of, now=now, public_only=query.scope.public_only
    )
    return [
        _fact(
            row,
            zone,
            sources=tuple(sources.get(row[1], ())),
            categories=tuple(categories.get(row[1], ())),
            maybe=tuple(maybe.get(row[1], ())),
            senders=frozenset(senders.get(row[1], ())),
        )
        for row in rows
    ]


def _fact(
    row: Sequence[Any],
    zone: str,
    *,
    sources: tuple[Source, ...],
    categories: tuple[str, ...],
    maybe: tuple[str, ...],
    senders: frozenset[str],
) -> Candidate:
    """`zone` is for a fact whose turns are gone, or not to be shown."""
    key, item_id, text, kind, memory_type, importance, half_life = row[:7]
    created_at, stated_at, valid_until, superseded_by, pinned, successor = row[7:]
    return Candidate(
        key=key,
        id=item_id,
        layer=Layer.ITEM,
        text=text,
        kind=_KINDS[kind],
        memory_type=_TYPES[memory_type],
        importance=importance,
        half_life_days=None if pinned else half_life,
        created_at=created_at,
        stated_at=stated_at,
        valid_until=valid_until,
        superseded_by=superseded_by,
        pinned=bool(pinned),
        role=Role.USER,
        source=sources[0] if sources else Source(item_id, None, None, created_at, None, tz=zone),
        categories=categories,
        sources=sources,
        maybe=maybe,
        senders=senders,
        replacements=(Replacement(superseded_by, text, successor or ""),) if superseded_by else (),
    )
