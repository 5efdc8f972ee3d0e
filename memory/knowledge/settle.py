"""Files a new fact among the known ones: added, reinforced, superseding, or maybe contradicting. Nothing is deleted."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import apsw

from memory import fulltext
from memory.ids import NewId
from memory.knowledge.duplicates import is_duplicate
from memory.knowledge.updates import relation
from memory.model import Fact, Kind, Resource
from memory.ports import Filter, Vector, VectorIndex
from memory.store import items, links
from memory.store.items import StoredItem
from memory.terms import query_terms

NEIGHBOURS = 8
MAX_SUPERSEDED = 2  # one fact never ends three: then something is wrong, and both sides stay


class Action(StrEnum):
    """What became of a fact."""

    ADDED = "added"
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    MAYBE = "maybe"


@dataclass(frozen=True, slots=True)
class Settled:
    """The fact as it is stored now; `related_ids` are those it repeats, ends or may contradict."""

    stored: StoredItem
    action: Action
    related_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Embedded:
    """A fact with its vector, None where the embedder is away, and the embedder's name."""

    fact: Fact
    vector: Vector | None
    embedder: str


@dataclass(frozen=True, slots=True)
class _Near:
    stored: StoredItem
    cosine: float | None


@dataclass(frozen=True, slots=True)
class _Verdict:
    """How two facts stand to one another."""

    word: str
    rule: str
    newer: StoredItem
    older: StoredItem

    def other(self, one: StoredItem) -> StoredItem:
        """The one that is not `one`."""
        return self.older if self.newer.key == one.key else self.newer


class Settler:
    """Decides in the writer's transaction, so that two facts settled at once see one another."""

    def __init__(self, index: VectorIndex, new_id: NewId) -> None:
        self._index = index
        self._new_id = new_id

    def settle(
        self, connection: apsw.Connection, embedded: Embedded, source: Resource, trust: str = "user"
    ) -> Settled:
        """Store the fact of a turn beside what is known. The caller puts the vector into the index after commit."""
        near = self._near(connection, embedded, source)
        if repeated := _repeated(connection, embedded, source, near):
            return _reinforce(connection, repeated, embedded.fact, source)
        stored = items.insert(connection, embedded.fact, source, self._new_id("m"), trust)
        if embedded.vector is not None:
            items.set_embedding(connection, stored.key, embedded.vector, embedded.embedder)
        return _relate(connection, stored, embedded, near)

    def _near(self, connection: apsw.Connection, embedded: Embedded, source: Resource) -> list[_Near]:
        """The live facts of the user that are nearest, by vector and, lest one has no vector yet, by words."""
        user_id = source.turn.scope.user_id
        cosines: dict[int, float | None] = {}
        if embedded.vector is not None:
            found = self._index.search(user_id, embedded.vector, 4 * NEIGHBOURS, Filter())
            cosines = dict(zip(found.keys.tolist(), found.cosines.tolist(), strict=True))
        for match in fulltext.search(connection, user_id, query_terms(embedded.fact.text), NEIGHBOURS):
            cosines.setdefault(match.key, None)
        stored = (items.by_key(connection, key) for key in cosines)
        live = [fact for fact in stored if fact is not None and fact.item.superseded_by is None]
        return [_Near(fact, cosines[fact.key]) for fact in live[: 2 * NEIGHBOURS]]


def _repeated(
    connection: apsw.Connection, embedded: Embedded, source: Resource, near: Sequence[_Near]
) -> StoredItem | None:
    """The known fact that says the same. The same event on two days stays two."""
    if embedded.fact.kind is Kind.EPISODIC:
        return None
    user_id = source.turn.scope.user_id
    if same := items.by_hash(connection, user_id, embedded.fact.text):
        return same if same.item.kind is Kind.SEMANTIC else None
    for other in near:
        item = other.stored.item
        if item.kind is Kind.SEMANTIC and is_duplicate(
            embedded.fact.text, item.memory, other.cosine, embedded.embedder
        ):
            return other.stored
    return None


def _reinforce(connection: apsw.Connection, known: StoredItem, fact: Fact, source: Resource) -> Settled:
    """Restating a fact freshens it; restating a superseded one turns the supersession round."""
    newer = known.item.superseded_by
    items.reinforce(connection, known, fact, source)
    if newer is not None and source.turn.timestamp >= known.item.stated_at:
        links.revive(connection, known.item.id, source.turn.timestamp)
        links.supersede(connection, known.item.id, newer, "restated", source.turn.timestamp)
    fresh = items.by_key(connection, known.key)
    assert fresh is not None  # noqa: S101 - it was updated above, in this transaction
    return Settled(fresh, Action.REINFORCED, (newer,) if newer else (known.item.id,))


def _relate(
    connection: apsw.Connection, stored: StoredItem, embedded: Embedded, near: Sequence[_Near]
) -> Settled:
    """Link the fact with those it ends, is ended by, or may contradict.

    The time of the statement decides, not of its arrival: an import may tell the older after the newer.
    """
    verdicts: dict[str, list[_Verdict]] = {"supersede": [], "maybe": [], "related": []}
    for other in near:
        verdict = _verdict(stored, other, embedded.embedder)
        if verdict.word in verdicts:
            verdicts[verdict.word].append(verdict)
    if len(verdicts["supersede"]) > MAX_SUPERSEDED:
        verdicts["maybe"] += verdicts["supersede"]
        verdicts["supersede"] = []
    return _link(connection, stored, verdicts)


def _verdict(stored: StoredItem, other: _Near, embedder: str) -> _Verdict:
    is_later = stored.item.stated_at >= other.stored.item.stated_at
    newer, older = (stored, other.stored) if is_later else (other.stored, stored)
    stands = relation(newer.item.memory, older.item.memory, cosine=other.cosine, embedder=embedder)
    return _Verdict(_tempered(stands.verdict, newer, older), stands.rule, newer, older)


def _tempered(verdict: str, newer: StoredItem, older: StoredItem) -> str:
    """What the user pinned or edited, and what was not said earlier, is at most doubted."""
    is_protected = older.item.pinned or older.item.trust == "edited"
    is_older = older.item.stated_at < newer.item.stated_at
    if verdict == "supersede" and (is_protected or not is_older or newer.item.trust == "assistant"):
        return "maybe"
    return verdict


def _link(connection: apsw.Connection, stored: StoredItem, verdicts: dict[str, list[_Verdict]]) -> Settled:
    for one in verdicts["supersede"]:
        at = one.newer.item.stated_at
        links.supersede(connection, one.newer.item.id, one.older.item.id, one.rule, at)
    for relation_name in ("maybe", "related"):
        for one in verdicts[relation_name][: None if relation_name == "maybe" else 1]:
            at = one.newer.item.stated_at
            links.relate(connection, one.newer.item.id, one.older.item.id, relation_name, one.rule, at)
    fresh = items.by_key(connection, stored.key) or stored
    for word, action in (("supersede", Action.SUPERSEDED), ("maybe", Action.MAYBE)):
        if verdicts[word]:
            return Settled(fresh, action, tuple(one.other(stored).item.id for one in verdicts[word]))
    return Settled(fresh, Action.ADDED)
