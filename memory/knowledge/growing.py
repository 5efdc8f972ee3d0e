"""Which list a fact adds to, and which part of a list it ends."""

from collections.abc import Sequence

import apsw

from memory.ids import NewId
from memory.knowledge.updates import relation
from memory.lists import grown
from memory.model import Fact, Kind, Resource
from memory.store import growth, items, resources
from memory.store.items import StoredItem


def list_to_grow(fact: Fact, source: Resource, known: Sequence[StoredItem]) -> StoredItem | None:
    """The one list that the fact can mean: the only one of its kind, or the one just spoken of.

    None where that is not sure, or the list is another's, was told later, or in private where this is public.
    """
    lists = [one for one in known if _may_grow(one, fact, source) and grown(one.item.memory, fact.text)]
    if len(lists) < 2:
        return lists[0] if lists else None
    last = max(lists, key=lambda one: (one.item.stated_at, one.key))
    is_spoken_of = source.turn.scope.session_id is not None
    return last if is_spoken_of and last.item.session_id == source.turn.scope.session_id else None


def is_told_already(fact: Fact, source: Resource, known: StoredItem) -> bool:
    """Whether a known list has all that the fact names."""
    is_shown_alike = known.item.private == source.turn.private
    return is_shown_alike and grown(known.item.memory, fact.text) == known.item.memory


def part_off(
    connection: apsw.Connection, fact: Fact, source: Resource, known: StoredItem, new_id: NewId
) -> list[StoredItem]:
    """Make facts of their own of the parts of a list that the fact ends, where others hold.

    So that "I hate blues" ends blues, and leaves jazz. Empty where nothing is parted.
    """
    if known.item.superseded_by is not None or known.item.stated_at >= source.turn.timestamp:
        return []
    parts = growth.parts(connection, known)
    ended = [(turn_id, words) for turn_id, words in parts if _ends(fact.text, words)]
    if not 0 < len(ended) < len(parts):
        return []
    own = [_as_fact(connection, known, turn_id, words, new_id) for turn_id, words in ended]
    growth.take_out(connection, known, [turn_id for turn_id, _ in ended])
    return own


def _may_grow(known: StoredItem, fact: Fact, source: Resource) -> bool:
    item, turn = known.item, source.turn
    is_same_kind = item.kind is fact.kind is Kind.SEMANTIC and item.memory_type is fact.memory_type
    is_lasting = item.valid_until is None and fact.valid_until is None
    is_own = item.trust == items.trust(turn) != "assistant" and item.private == turn.private
    is_other_turn = all(one.resource_id != source.id for one in item.sources)
    is_earlier = item.superseded_by is None and item.stated_at <= turn.timestamp and is_other_turn
    return is_same_kind and is_lasting and is_own and is_earlier


def _ends(new: str, old: str) -> bool:
    return relation(new, old, cosine=None, embedder="").verdict == "supersede"


def _as_fact(
    connection: apsw.Connection, known: StoredItem, turn_id: str, words: str, new_id: NewId
) -> StoredItem:
    item = known.item
    turn = resources.by_id(connection, item.user_id, turn_id)
    assert turn is not None  # noqa: S101 - a source of a fact is stored
    span = next(source.span for source in item.sources if source.resource_id == turn_id)
    fact = Fact(words, item.kind, item.memory_type, item.importance, item.half_life_days, span)
    return items.insert(connection, fact, turn, new_id("m"))
