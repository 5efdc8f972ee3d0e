"""Files a new fact among the known ones: added, reinforced, superseding or doubting. Nothing is deleted."""

from collections.abc import Sequence
from dataclasses import replace

import apsw

from memory.ids import NewId
from memory.knowledge import growing
from memory.knowledge.duplicates import is_duplicate, may_repeat
from memory.knowledge.filing import Filer
from memory.knowledge.neighbourhood import Near, Neighbourhood
from memory.knowledge.opinion import NONE, Opinion
from memory.knowledge.relating import Link, related, tempered
from memory.knowledge.restating import reinforced
from memory.knowledge.settled import Action, Embedded, Settled
from memory.lists import grown
from memory.model import Kind, Resource
from memory.ports import Vector
from memory.store import growth, items
from memory.store.items import StoredItem, Wording
from memory.store.speakers import Voice, voice
from memory.vectors.generations import Generations

MODEL = "model"  # the rule's name where a model said so


class Settler:
    """Decides in the writer's transaction, so that two facts settled at once see one another."""

    def __init__(self, generations: Generations, new_id: NewId, filer: Filer) -> None:
        self._neighbourhood = Neighbourhood(generations)
        self._new_id = new_id
        self._filer = filer

    def settle(
        self, connection: apsw.Connection, embedded: Embedded, source: Resource, opinion: Opinion = NONE
    ) -> Settled:
        """Store the fact of a turn beside what is known, and file it; the caller indexes its vector later.

        A model's opinion merges nothing that differs in something hard, and ends only what the rules might:
        the user's own earlier words, neither pinned nor edited.
        """
        settled = self._store(connection, embedded, source, opinion)
        self._filer.file(connection, settled.stored, embedded.vector, embedded.embedder, embedded.categories)
        return replace(settled, stored=items.by_key(connection, settled.stored.key) or settled.stored)

    def state(self, connection: apsw.Connection, embedded: Embedded, source: Resource) -> Settled:
        """Store a fact as it is stated: the same words again reinforce, nothing else is merged or ended."""
        same = None
        if embedded.fact.kind is Kind.SEMANTIC:
            same = items.by_hash(connection, source.turn.scope.user_id, embedded.fact.text)
        if same is not None and same.item.kind is Kind.SEMANTIC:
            return reinforced(connection, same, embedded, source)
        stored = items.insert(connection, embedded.fact, source, self._new_id("m"))
        if embedded.vector is not None:
            items.set_embedding(connection, stored.key, embedded.vector, embedded.embedder)
        self._filer.file(connection, stored, embedded.vector, embedded.embedder, embedded.categories)
        return Settled(items.by_key(connection, stored.key) or stored, Action.ADDED)

    def file(
        self, connection: apsw.Connection, stored: StoredItem, vector: Vector | None, embedder: str
    ) -> None:
        """File a fact whose words have changed; any other stays where it is."""
        self._filer.file(connection, stored, vector, embedder)

    def _store(
        self, connection: apsw.Connection, embedded: Embedded, source: Resource, opinion: Opinion
    ) -> Settled:
        near = self._neighbourhood.find(connection, embedded, source)
        if repeated := (
            _repeated(connection, embedded, source, near)
            or _thought_repeated(connection, embedded, source, opinion)
        ):
            return reinforced(connection, repeated, embedded, source)
        if longer := self._grown(connection, embedded, source, near):
            return longer
        near = self._parted(connection, embedded, source, near)
        stored = items.insert(connection, embedded.fact, source, self._new_id("m"))
        if embedded.vector is not None:
            items.set_embedding(connection, stored.key, embedded.vector, embedded.embedder)
        thought = _thought_replaced(connection, stored, source, opinion)
        return related(connection, stored, embedded, near, thought)

    def _grown(
        self, connection: apsw.Connection, embedded: Embedded, source: Resource, near: Sequence[Near]
    ) -> Settled | None:
        """The list that the fact adds to, longer by it; what the fact itself ends has ended."""
        own = [other.stored for other in near if other.is_open]
        shorter = growing.list_to_grow(embedded.fact, source, own)
        if shorter is None:
            return None
        fact = embedded.fact
        whole = replace(fact, text=grown(shorter.item.memory, fact.text) or fact.text)
        stored = items.insert(connection, whole, source, self._new_id("m"))
        growth.put_together(connection, stored, Wording(fact.text, source.id), shorter)
        said = replace(stored, item=replace(stored.item, memory=fact.text))
        related(connection, said, embedded, [one for one in near if one.stored.key != shorter.key], ())
        fresh = items.by_key(connection, stored.key) or stored
        return Settled(fresh, Action.GROWN, (shorter.item.id,))

    def _parted(
        self, connection: apsw.Connection, embedded: Embedded, source: Resource, near: Sequence[Near]
    ) -> list[Near]:
        """What is near, with the parts of lists that the fact ends as facts of their own."""
        found: list[Near] = []
        for one in near:
            known = one.stored
            parts: list[StoredItem] = []
            if one.is_open:
                parts = growing.part_off(connection, embedded.fact, source, known, self._new_id)
            whole = (items.by_key(connection, known.key) if parts else None) or known
            found += [replace(one, stored=each) for each in (whole, *parts)]
        return found


def _repeated(
    connection: apsw.Connection, embedded: Embedded, source: Resource, near: Sequence[Near]
) -> StoredItem | None:
    """The known fact that says the same. The same event on two days stays two."""
    if embedded.fact.kind is Kind.EPISODIC:
        return None
    user_id = source.turn.scope.user_id
    if same := items.by_hash(connection, user_id, embedded.fact.text):
        same = growth.holder(connection, same)
        is_own = voice(connection, same.item.id, source.turn.sender) is Voice.SAME
        return same if same.item.kind is Kind.SEMANTIC and is_own else None
    for other in near:
        item = other.stored.item
        if (
            item.kind is Kind.SEMANTIC
            and other.voice is Voice.SAME
            and (
                is_duplicate(embedded.fact.text, item.memory, other.cosine, embedded.embedder)
                or growing.is_told_already(embedded.fact, source, other.stored)
            )
        ):
            return other.stored
    return None


def _thought_repeated(
    connection: apsw.Connection, embedded: Embedded, source: Resource, opinion: Opinion
) -> StoredItem | None:
    """The fact that a model takes for the same, where nothing speaks against it."""
    if opinion.repeats is None or embedded.fact.kind is Kind.EPISODIC:
        return None
    known = items.by_id(connection, source.turn.scope.user_id, opinion.repeats)
    if known is None or known.item.kind is Kind.EPISODIC or known.item.superseded_by is not None:
        return None
    is_own = voice(connection, known.item.id, source.turn.sender) is Voice.SAME
    return known if is_own and may_repeat(embedded.fact.text, known.item.memory) else None


def _thought_replaced(
    connection: apsw.Connection, stored: StoredItem, source: Resource, opinion: Opinion
) -> list[Link]:
    """What a model says of the facts that the new one ends, tempered like any rule's word."""
    found = []
    for item_id in opinion.replaces:
        older = items.by_id(connection, source.turn.scope.user_id, item_id)
        if older is None or older.key == stored.key or older.item.superseded_by is not None:
            continue
        if older.item.stated_at > stored.item.stated_at:
            continue
        heard = voice(connection, item_id, source.turn.sender)
        found.append(Link(tempered("supersede", stored, older, heard), MODEL, stored, older))
    return found
