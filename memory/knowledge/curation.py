"""What a person does with facts: add, look, correct, forget, restore, pin. Each takes effect at once."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

import apsw

from memory import archive, forgetting
from memory.database import Database
from memory.dates import absolute
from memory.envelope import clean
from memory.errors import InvalidError, NotFoundError, TemporaryError
from memory.forgetting import Purge
from memory.ids import NewId
from memory.knowledge.learning import Learning
from memory.knowledge.settled import Action, Embedded, Settled
from memory.model import (
    TYPE_DEFAULTS,
    Fact,
    Item,
    Kind,
    MemoryType,
    Modality,
    Origin,
    Resource,
    Role,
    Scope,
    Source,
    Turn,
)
from memory.ports import Clock, Vector
from memory.redact import redact
from memory.store import editing, growth, items, links, lookup, resources, tombstones
from memory.store.items import StoredItem
from memory.store.listing import Listing, Page, page
from memory.turns import content_hash


@dataclass(frozen=True, slots=True)
class Statement:
    """What a person asks to remember; None is found out, or the type's default."""

    text: str
    kind: Kind | None = None
    memory_type: MemoryType | None = None
    importance: float | None = None
    valid_until: int | None = None
    timestamp: int | None = None
    private: bool = True
    infer: bool = True
    key: str | None = None  # of what is brought in from elsewhere


class Changes(TypedDict, total=False):
    """What an update changes; absent fields stay."""

    memory: str
    kind: Kind
    memory_type: MemoryType
    importance: float
    half_life_days: int | None
    valid_until: int | None
    private: bool
    categories: list[str]


@dataclass(frozen=True, slots=True)
class History:
    """`versions` newest first, with what they replaced; `sources` oldest first."""

    versions: tuple[Item, ...]
    sources: tuple[Source, ...]


class Curation:
    """The verbs of a person over single facts. Ids may be short prefixes."""

    def __init__(
        self,
        database: Database,
        learning: Learning,
        clock: Clock,
        new_id: NewId,
        local_zone: str = "UTC",
    ) -> None:
        self._database = database
        self._embedder = learning.embedder
        self._extractor = learning.extractor
        self._settler = learning.settler
        self._generations = learning.generations
        self._clock = clock
        self._new_id = new_id
        self._local_zone = local_zone

    async def add(self, scope: Scope, statement: Statement) -> Settled:
        """Store a statement as a turn and as a fact, beside what is known.

        Who adds in public is told nothing of the private facts that it repeats, ends or may contradict.
        A statement whose key is known changes nothing. Raises InvalidError when nothing is left of it once
        envelopes are stripped, NotFoundError when a statement with a key was forgotten.
        """
        turn = self._turn(scope, statement)
        if statement.key is not None and (known := await self._database.read(lambda c: _known(c, turn))):
            return known
        fact = await self._fact(turn, statement)
        vectors = await self._vectors([turn.text, fact.text])
        name = self._embedder.name if self._embedder else ""

        def store(connection: apsw.Connection) -> tuple[Settled, int]:
            if statement.key is not None and (known := _known(connection, turn)):
                return known, known.stored.key
            source = resources.insert(connection, turn, self._new_id("t"), self._clock.now())
            if (said := vectors.get(turn.text)) is not None:
                resources.set_embedding(connection, source.key, said, name)
            settled = self._settler.settle(connection, Embedded(fact, vectors.get(fact.text), name), source)
            return settled if statement.private else _as_public(connection, settled), source.key

        settled, turn_key = await self._database.write(store)
        await self._index_rows([settled.stored.key, turn_key])
        return settled

    async def list(self, listing: Listing) -> Page:
        """One page of facts."""
        return await self._database.read(lambda c: page(c, listing, self._clock.now()))

    async def get(self, scope: Scope, typed: str) -> Item:
        """One fact. Raises NotFoundError."""
        return (await self._database.read(lambda c: _find(c, scope, typed))).item

    async def history(self, scope: Scope, typed: str) -> History:
        """How a fact came to be: its wordings, what it replaced, and where it was said."""
        return await self._database.read(lambda c: _history(c, scope, _find(c, scope, typed)))

    async def update(self, scope: Scope, typed: str, changes: Changes) -> Item:
        """Correct a fact; the old wording stays in its history. An edited fact is never superseded by itself.

        Raises NotFoundError, and InvalidError for words of which nothing is left.
        """
        if "memory" in changes:
            changes = {**changes, "memory": _own_words(changes["memory"])}
        if "categories" in changes:
            changes = {**changes, "categories": [redact(name).text for name in changes["categories"]]}
        vector = await self._embed(changes["memory"]) if "memory" in changes else None
        now = self._clock.now()

        def store(connection: apsw.Connection) -> StoredItem:
            stored = _find(connection, scope, typed)
            editing.apply(connection, stored, dict(changes), now, self._new_id)
            if vector is not None and self._embedder is not None:
                items.set_embedding(connection, stored.key, vector, self._embedder.name)
            name = self._embedder.name if self._embedder else ""
            self._settler.file(connection, _again(connection, stored.key), vector, name)
            return _again(connection, stored.key)

        stored = await self._database.write(store)
        await self._index_rows([stored.key])  # a vector of the old words must not answer for the new ones
        return stored.item

    async def forget(self, scope: Scope, typed: str, *, dry_run: bool) -> Purge:
        """Purge a fact or turn, its sources, and what came of them alone; from the log and the index too."""
        now = self._clock.now()

        def purge(connection: apsw.Connection) -> Purge:
            memory_id = lookup.resolve(connection, scope, typed)
            return forgetting.forget(connection, scope.user_id, memory_id, now)

        def preview(connection: apsw.Connection) -> Purge:
            memory_id = lookup.resolve(connection, scope, typed)
            return forgetting.preview(connection, scope.user_id, memory_id)

        if dry_run:
            return await self._database.read(preview)
        done = await self._database.write(purge, frees_space=True)
        await self._index_rows(done.keys)  # facts that others state too are still here
        await self._database.truncate_wal()
        return done

    async def restore(self, scope: Scope, typed: str) -> Item:
        """Undo a supersession or a cleanup. Raises InvalidError when there is neither."""
        now = self._clock.now()

        def bring_back(connection: apsw.Connection) -> StoredItem:
            item_id = lookup.resolve(connection, scope, typed)
            if not archive.take_back(connection, scope.user_id, item_id, now, self._new_id):
                stored = items.by_id(connection, scope.user_id, item_id)
                if stored is None:
                    raise NotFoundError(f"no fact has the id {item_id}", hint="`memud list` shows ids")
                growth.undo(connection, stored)
                if not links.revive(connection, item_id, now):
                    raise InvalidError(f"{item_id} holds already: it is neither superseded nor cleaned up")
            return _find(connection, scope, item_id)

        stored = await self._database.write(bring_back)
        vector = await self._embed(stored.item.memory)
        if vector is not None and self._embedder is not None:
            name = self._embedder.name
            await self._database.write(lambda c: items.set_embedding(c, stored.key, vector, name))
        await self._index_rows([stored.key])
        return stored.item

    async def pin(self, scope: Scope, typed: str, *, pinned: bool) -> Item:
        """A pinned fact never fades and is never superseded by itself."""

        def store(connection: apsw.Connection) -> StoredItem:
            stored = _find(connection, scope, typed)
            editing.pin(connection, stored, pinned, self._clock.now())
            return _again(connection, stored.key)

        return (await self._database.write(store)).item

    def _turn(self, scope: Scope, statement: Statement) -> Turn:
        text = _own_words(statement.text)
        now = self._clock.now()
        timestamp = now if statement.timestamp is None else max(0, min(statement.timestamp, now))
        return Turn(
            event_key=statement.key or self._new_id("add"),
            scope=scope,
            role=Role.USER,
            sender=None,
            content=text,
            text=text,
            modality=Modality.CHAT,
            timestamp=timestamp,
            tz=self._local_zone,
            origin=Origin.USER,
            private=statement.private,
            content_hash=content_hash(text),
        )

    async def _fact(self, turn: Turn, statement: Statement) -> Fact:
        """The statement as one fact; what the person left open is what the extractor sees in it."""
        seen = await self._seen(turn) if statement.infer else None
        memory_type = statement.memory_type or (seen.memory_type if seen else MemoryType.GENERAL)
        defaults = TYPE_DEFAULTS[memory_type]
        is_same_type = seen is not None and seen.memory_type is memory_type
        importance = seen.importance if seen and is_same_type else defaults.importance
        return Fact(
            text=seen.text if seen else await _dated(turn, statement),
            kind=statement.kind or (seen.kind if seen else Kind.SEMANTIC),
            memory_type=memory_type,
            importance=importance if statement.importance is None else statement.importance,
            half_life_days=seen.half_life_days if seen and is_same_type else defaults.half_life_days,
            span=seen.span if seen else (0, len(turn.text)),
            valid_until=seen.valid_until if seen and statement.valid_until is None else statement.valid_until,
        )

    async def _seen(self, turn: Turn) -> Fact | None:
        """The one fact of a statement; several in one statement are kept together in its own words."""
        try:
            found = await self._extractor.extract([Resource(0, "", turn)], ())
        except TemporaryError:
            return None
        facts = [proposal.fact for proposal in found]
        if not facts:
            return None
        best = max(facts, key=lambda fact: fact.importance)
        if len(facts) == 1:
            return best
        is_dated = any(fact.kind is Kind.EPISODIC for fact in facts)
        words = await _with_dates(turn) if is_dated else turn.text
        return replace(best, text=words, span=(0, len(turn.text)))

    async def _embed(self, text: str) -> Vector | None:
        return (await self._vectors([text])).get(text)

    async def _vectors(self, texts: Sequence[str]) -> dict[str, Vector]:
        """By text; none while they can't be had: they follow, and full text finds the fact meanwhile."""
        if self._embedder is None:
            return {}
        texts = list(dict.fromkeys(texts))
        try:
            return dict(zip(texts, await self._embedder.passages(texts), strict=True))
        except TemporaryError:
            return {}

    async def _index_rows(self, keys: Sequence[int]) -> None:
        await self._database.read(lambda c: self._generations.refresh(c, keys))


async def _dated(turn: Turn, statement: Statement) -> str:
    """The words of a statement in which no fact was seen, their relative dates with the absolute ones.

    Not those that are to be kept verbatim, nor of what holds for long: its "Friday" is every Friday.
    """
    is_lasting = statement.memory_type is MemoryType.PREFERENCE or statement.kind is Kind.SEMANTIC
    return turn.text if is_lasting or not statement.infer else await _with_dates(turn)


async def _with_dates(turn: Turn) -> str:
    # The first date of a language loads its library.
    return await asyncio.to_thread(absolute, turn.text, turn.timestamp, turn.tz)


def _own_words(text: str) -> str:
    words = redact(clean(text)).text
    if not words.strip():
        raise InvalidError("the statement is empty", hint="say what to remember")
    return words


def _known(connection: apsw.Connection, turn: Turn) -> Settled | None:
    """What was stated with this key before. Raises NotFoundError if it was forgotten."""
    user_id = turn.scope.user_id
    is_known = resources.has_event(connection, user_id, turn.event_key)
    if not is_known and not tombstones.is_forgotten(connection, user_id, turn.content_hash):
        return None
    source_id = resources.id_of_event(connection, user_id, turn.event_key)
    stated = items.stated_in(connection, source_id) if source_id else []
    if not stated:
        raise NotFoundError("it was forgotten; its key does not bring it back")
    return Settled(stated[0], Action.KNOWN)


def _find(connection: apsw.Connection, scope: Scope, typed: str) -> StoredItem:
    item_id = lookup.resolve(connection, scope, typed)
    stored = items.by_id(connection, scope.user_id, item_id)
    if stored is None or (scope.public_only and stored.item.private):
        raise NotFoundError(f"no fact has the id {typed}", hint="`memud list` shows ids")
    return replace(stored, item=items.as_public(connection, stored.item)) if scope.public_only else stored


def _as_public(connection: apsw.Connection, settled: Settled) -> Settled:
    """As a group may see it."""
    stored = settled.stored
    related = (items.by_id(connection, stored.item.user_id, other) for other in settled.related_ids)
    return replace(
        settled,
        stored=replace(stored, item=items.as_public(connection, stored.item)),
        related_ids=tuple(other.item.id for other in related if other and not other.item.private),
    )


def _again(connection: apsw.Connection, key: int) -> StoredItem:
    stored = items.by_key(connection, key)
    assert stored is not None  # noqa: S101 - it was found above, in this transaction
    return stored


def _history(connection: apsw.Connection, scope: Scope, stored: StoredItem) -> History:
    wordings = [
        replace(stored.item, memory=content, updated_at=at, sources=())
        for content, at in editing.versions(connection, stored.item.id)
    ]
    older = [
        fact.item
        for link in links.links(connection, stored.item.id)
        if link.relation == "supersedes" and link.from_id == stored.item.id
        if (fact := items.by_id(connection, stored.item.user_id, link.to_id))
    ]
    if scope.public_only:  # what the fact said before, or took the place of, may have been private
        wordings = []
        older = [items.as_public(connection, item) for item in older if not item.private]
    return History((stored.item, *wordings, *older), stored.item.sources)
