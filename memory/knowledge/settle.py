"""Files a new fact among the known ones: added, reinforced, superseding or doubting. Nothing is deleted."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import isnan

import apsw

from memory import fulltext
from memory.ids import NewId
from memory.knowledge import growing
from memory.knowledge.duplicates import is_duplicate, may_repeat
from memory.knowledge.filing import Filer
from memory.knowledge.opinion import NONE, Opinion
from memory.knowledge.standing import is_protected, may_end, outweighs
from memory.knowledge.updates import relation
from memory.lists import grown
from memory.model import Fact, Kind, Resource, Turn
from memory.ports import Filter, Vector
from memory.store import growth, items, links, rewording
from memory.store.items import StoredItem, Wording
from memory.store.speakers import Voice, voice
from memory.terms import query_terms
from memory.vectors.generations import Generations

NEIGHBOURS = 8
LATEST = 30  # where vectors are missing, so many of the latest facts are compared
MODEL = "model"  # the rule's name where a model said so
MAX_SUPERSEDED = 2  # one fact never ends three: then something is wrong, and both sides stay


class Action(StrEnum):
    """What became of a fact."""

    ADDED = "added"
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    MAYBE = "maybe"
    GROWN = "grown"


@dataclass(frozen=True, slots=True)
class Settled:
    """The fact as it is stored now; `related_ids` are those it repeats, ends or may contradict."""

    stored: StoredItem
    action: Action
    related_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Embedded:
    """A fact with its vector, None where the embedder is away, the embedder's name, a model's categories."""

    fact: Fact
    vector: Vector | None
    embedder: str
    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Near:
    stored: StoredItem
    cosine: float | None
    voice: Voice

    @property
    def is_open(self) -> bool:
        """Whether it is the speaker's own to go on with, neither pinned nor edited."""
        return self.voice is Voice.SAME and not is_protected(self.stored)


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

    def __init__(self, generations: Generations, new_id: NewId, filer: Filer) -> None:
        self._generations = generations
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

    def file(
        self, connection: apsw.Connection, stored: StoredItem, vector: Vector | None, embedder: str
    ) -> None:
        """File a fact whose words have changed; any other stays where it is."""
        self._filer.file(connection, stored, vector, embedder)

    def _store(
        self, connection: apsw.Connection, embedded: Embedded, source: Resource, opinion: Opinion
    ) -> Settled:
        near = self._near(connection, embedded, source)
        if repeated := (
            _repeated(connection, embedded, source, near)
            or _thought_repeated(connection, embedded, source, opinion)
        ):
            return _reinforce(connection, repeated, embedded, source)
        if longer := self._grown(connection, embedded, source, near):
            return longer
        near = self._parted(connection, embedded, source, near)
        stored = items.insert(connection, embedded.fact, source, self._new_id("m"))
        if embedded.vector is not None:
            items.set_embedding(connection, stored.key, embedded.vector, embedded.embedder)
        thought = _thought_replaced(connection, stored, source, opinion)
        return _relate(connection, stored, embedded, near, thought)

    def _grown(
        self, connection: apsw.Connection, embedded: Embedded, source: Resource, near: Sequence[_Near]
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
        _relate(connection, said, embedded, [one for one in near if one.stored.key != shorter.key], ())
        fresh = items.by_key(connection, stored.key) or stored
        return Settled(fresh, Action.GROWN, (shorter.item.id,))

    def _parted(
        self, connection: apsw.Connection, embedded: Embedded, source: Resource, near: Sequence[_Near]
    ) -> list[_Near]:
        """What is near, with the parts of lists that the fact ends as facts of their own."""
        found: list[_Near] = []
        for one in near:
            known = one.stored
            parts: list[StoredItem] = []
            if one.is_open:
                parts = growing.part_off(connection, embedded.fact, source, known, self._new_id)
            whole = (items.by_key(connection, known.key) if parts else None) or known
            found += [replace(one, stored=each) for each in (whole, *parts)]
        return found

    def _near(self, connection: apsw.Connection, embedded: Embedded, source: Resource) -> list[_Near]:
        """The nearest facts that held when it was said: by vector, and by words lest one has none yet."""
        at = source.turn.timestamp
        cosines = self._cosines(connection, embedded, source.turn)
        stored = (items.by_key(connection, key) for key in cosines)
        live = [fact for fact in stored if fact is not None and _held(connection, fact, at)]
        heard = [
            _Near(fact, cosines[fact.key], voice(connection, fact.item.id, source.turn.sender))
            for fact in live
        ]
        has_all = embedded.vector is not None and not self._generations.is_changing
        return [near for near in heard if near.voice is not Voice.OTHER][
            : 2 * NEIGHBOURS if has_all else LATEST
        ]

    def _cosines(
        self, connection: apsw.Connection, embedded: Embedded, turn: Turn
    ) -> dict[int, float | None]:
        """What is near, by number, with its cosine; None where there is no vector of the same model."""
        user_id, index = turn.scope.user_id, self._generations.index
        words = query_terms(embedded.fact.text)
        others = [match.key for match in fulltext.search(connection, user_id, words, NEIGHBOURS)]
        if embedded.vector is None or self._generations.is_changing:
            # "I moved to Rome" shares no word with "I live in Oslo"
            others += items.latest_keys(connection, user_id, turn.timestamp, LATEST)
        if embedded.vector is None:
            return dict.fromkeys(others)
        found = index.search(user_id, embedded.vector, 4 * NEIGHBOURS, Filter())  # turns among them
        keys = list(dict.fromkeys([*found.keys.tolist(), *others]))
        cosines = index.cosines(user_id, keys, embedded.vector).tolist()
        return {key: None if isnan(cosine) else cosine for key, cosine in zip(keys, cosines, strict=True)}


def _held(connection: apsw.Connection, fact: StoredItem, at: int) -> bool:
    """Whether a fact holds, or held at that moment: what arrives late finds its place among what was said."""
    if fact.item.superseded_by is None:
        return True
    ended_at = links.superseded_at(connection, fact.item.id)
    return ended_at is not None and fact.item.stated_at <= at < ended_at


def _repeated(
    connection: apsw.Connection, embedded: Embedded, source: Resource, near: Sequence[_Near]
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
) -> "list[_Verdict]":
    """What a model says of the facts that the new one ends, tempered like any rule's word."""
    verdicts = []
    for item_id in opinion.replaces:
        older = items.by_id(connection, source.turn.scope.user_id, item_id)
        if older is None or older.key == stored.key or older.item.superseded_by is not None:
            continue
        if older.item.stated_at > stored.item.stated_at:
            continue
        heard = voice(connection, item_id, source.turn.sender)
        verdicts.append(_Verdict(_tempered("supersede", stored, older, heard), MODEL, stored, older))
    return verdicts


def _reinforce(
    connection: apsw.Connection, known: StoredItem, embedded: Embedded, source: Resource
) -> Settled:
    """Restating a fact freshens it; restating a superseded one turns the supersession round.

    An assistant that repeats what the user said makes it neither fresher nor truer.
    """
    newer = _live_successor(connection, known)
    if items.trust(source.turn) == "assistant" != known.item.trust:
        return Settled(known, Action.REINFORCED, (known.item.id,))
    items.reinforce(connection, known, embedded.fact, source)
    _publish(connection, known, embedded, source)
    if known.item.superseded_by is not None:
        _turn_round(connection, known, newer, source.turn)
    fresh = items.by_key(connection, known.key)
    assert fresh is not None  # noqa: S101 - it was updated above, in this transaction
    return Settled(fresh, Action.REINFORCED, (newer.item.id,) if newer else (known.item.id,))


def _publish(connection: apsw.Connection, known: StoredItem, embedded: Embedded, source: Resource) -> None:
    """A group that hears of it for the first time does not read how it was said in private."""
    is_reworded = known.item.memory != embedded.fact.text and known.item.trust != "edited"
    if not (known.item.private and not source.turn.private and is_reworded):
        return
    said = Wording(embedded.fact.text, source.id)
    rewording.say_in_public(connection, known, said, source.turn.timestamp)
    if embedded.vector is not None:
        items.set_embedding(connection, known.key, embedded.vector, embedded.embedder)


def _live_successor(connection: apsw.Connection, known: StoredItem) -> StoredItem | None:
    """The fact that holds now in place of a superseded one; None if none is left."""
    seen = {known.item.id}
    current = known
    while (newer := current.item.superseded_by) is not None:
        found = items.by_id(connection, known.item.user_id, newer)
        if found is None or found.item.id in seen:
            return None
        seen.add(newer)
        current = found
    return None if current is known else current


def _turn_round(connection: apsw.Connection, known: StoredItem, newer: StoredItem | None, turn: Turn) -> None:
    """The restated fact holds again, unless its successor was said later or rests on weightier words.

    A protected successor stays beside it.
    """
    at = turn.timestamp
    if newer is not None and (at < newer.item.stated_at or not outweighs(items.trust(turn), newer)):
        return
    if newer is None:
        links.revive(connection, known.item.id, at)
        return
    links.hold_again(connection, known.item.id, at)
    if is_protected(newer):
        links.relate(connection, known.item.id, newer.item.id, "maybe", links.RESTATED, at)
    else:
        links.supersede(connection, known.item.id, newer.item.id, links.RESTATED, at)


def _relate(
    connection: apsw.Connection,
    stored: StoredItem,
    embedded: Embedded,
    near: Sequence[_Near],
    thought: Sequence[_Verdict],
) -> Settled:
    """Link the fact with those it ends, is ended by, or may contradict.

    The time of the statement decides, not of its arrival: an import may tell the older after the newer.
    """
    verdicts: dict[str, list[_Verdict]] = {"supersede": [], "maybe": [], "related": []}
    found = {one.older.key: one for one in thought}
    for other in near:
        verdict = _verdict(stored, other, embedded.embedder)
        if verdict.word == "supersede" or other.stored.key not in found:
            found[other.stored.key] = verdict
    for verdict in found.values():
        if verdict.word in verdicts:
            verdicts[verdict.word].append(verdict)
    ended = [one for one in verdicts["supersede"] if one.newer.key == stored.key]
    ending = [one for one in verdicts["supersede"] if one.newer.key != stored.key]
    if max(len(ended), len(ending)) > MAX_SUPERSEDED:
        verdicts["maybe"] += verdicts["supersede"]
        verdicts["supersede"] = []
    else:  # a fact that arrives late ended when the first of the newer ones was said
        verdicts["supersede"] = ended + sorted(ending, key=lambda one: one.newer.item.stated_at)[:1]
    return _link(connection, stored, verdicts)


def _verdict(stored: StoredItem, other: _Near, embedder: str) -> _Verdict:
    is_later = stored.item.stated_at >= other.stored.item.stated_at
    newer, older = (stored, other.stored) if is_later else (other.stored, stored)
    stands = relation(newer.item.memory, older.item.memory, cosine=other.cosine, embedder=embedder)
    return _Verdict(_tempered(stands.verdict, newer, older, other.voice), stands.rule, newer, older)


def _tempered(verdict: str, newer: StoredItem, older: StoredItem, voice: Voice) -> str:
    """What is pinned, edited, put right, not said earlier, or perhaps by another, is at most doubted."""
    return "maybe" if verdict == "supersede" and not may_end(newer, older, voice) else verdict


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
