"""Puts the lines of a file in step with the store, part by part, each within a transaction of the writer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import apsw

from memory import archive
from memory.ids import NewId
from memory.knowledge.settle import Settler
from memory.knowledge.settled import Action, Embedded
from memory.knowledge.standing import is_protected
from memory.model import Resource
from memory.notes.comparison import Comparison, compare
from memory.notes.entry import Entry, Shelf
from memory.ports import Vector
from memory.store import items, links, notebooks, resources, rewording, tombstones
from memory.store.items import StoredItem
from memory.store.notebooks import NoteFile, NoteLine

EDITED = "note_edited"  # the rule by which a line's new words hold in place of its old ones


@dataclass(slots=True)
class Outcome:
    """What became of the lines. `keys` are to be looked at anew by the vector index."""

    added: int = 0
    known: int = 0
    edited: int = 0
    ended: int = 0
    forgotten: list[int] = field(default_factory=list)  # lines that the user had forgotten
    keys: list[int] = field(default_factory=list)

    def add(self, other: "Outcome") -> None:
        """Count what became of other lines too."""
        self.added += other.added
        self.known += other.known
        self.edited += other.edited
        self.ended += other.ended
        self.forgotten += other.forgotten
        self.keys += other.keys


@dataclass(frozen=True, slots=True)
class Part:
    """What is done at once: lines by hash that go, entries that come, some in the place of an old line."""

    gone: Sequence[str]
    fresh: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a file says, and what is to be done for it. `edited` leads from new words to old ones, by hash."""

    wanted: Sequence[Entry]
    whole: Part
    edited: Mapping[str, str]
    known: int

    def parts(self, most: int) -> Iterator[Part]:
        """The work in its order, at most so many lines at once; a part even where there is nothing to do."""
        gone, fresh = self.whole.gone, self.whole.fresh
        for start in range(0, max(1, len(gone) + len(fresh)), most):
            end = start + most
            yield Part(gone[start:end], fresh[max(0, start - len(gone)) : max(0, end - len(gone))])

    def in_order(self, lines: Mapping[str, NoteLine]) -> list[NoteLine]:
        """The lines as the file has them; what is to be edited yet in its place, what is to go at the end."""
        places: dict[str, None] = {}
        for entry in self.wanted:
            places[entry.hash] = None
            places.setdefault(self.edited.get(entry.hash, entry.hash))
        ordered = [lines[one] for one in places if one in lines]
        return ordered + [line for one, line in lines.items() if one not in places]


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors of the entries' words; not whole where the embedder was away."""

    by_text: Mapping[str, Vector]
    embedder: str
    is_whole: bool = True


class Shelving:
    """Each line has one fact; none is merged with another, and what a person corrected or pinned stays."""

    def __init__(self, settler: Settler, new_id: NewId) -> None:
        self._settler = settler
        self._new_id = new_id

    def put_in_step(
        self,
        connection: apsw.Connection,
        file: NoteFile,
        shelf: Shelf,
        plan: Plan,
        part: Part,
        vectors: Vectors,
        now: int,
    ) -> Outcome:
        """Add what is new, let an edited line's fact end its old one, archive what is gone; of this part.

        After each part the store holds a file as it might have been read: what a crash between two leaves
        undone is in the next plan.
        """
        outcome = Outcome()
        lines = {line.content_hash: line for line in notebooks.lines(connection, file.id)}
        for old in part.gone:
            if (line := lines.pop(old, None)) is not None:
                self._take_away(connection, file, line, now, outcome)
        for entry in part.fresh:
            if entry.hash not in lines:
                line = lines.pop(plan.edited.get(entry.hash, ""), None)
                lines[entry.hash] = self._take_in(connection, shelf, entry, line, vectors, now, outcome)
        notebooks.set_lines(connection, file.id, plan.in_order(lines))
        _stand_together(connection, file.user_id, now)
        return outcome

    def _take_in(
        self,
        connection: apsw.Connection,
        shelf: Shelf,
        entry: Entry,
        old: NoteLine | None,
        vectors: Vectors,
        now: int,
        outcome: Outcome,
    ) -> NoteLine:
        if tombstones.is_forgotten(connection, shelf.user_id, entry.hash):
            outcome.forgotten.append(entry.note.number)
            if old is not None:
                self._take_away_of(connection, shelf.user_id, old, now, outcome)
            return NoteLine(entry.hash, None, None)
        source, stored, action = self._store(connection, shelf, entry, vectors, now)
        outcome.keys += [source.key, stored.key]
        outcome.added += action is Action.ADDED and old is None
        outcome.known += action is not Action.ADDED and old is None
        if old is not None:
            outcome.edited += 1
            self._end(connection, shelf.user_id, old, stored, source, outcome, now)
        return NoteLine(entry.hash, source.id, stored.item.id)

    def _store(
        self, connection: apsw.Connection, shelf: Shelf, entry: Entry, vectors: Vectors, now: int
    ) -> tuple[Resource, StoredItem, Action]:
        key, times = shelf.key(entry), 1
        while resources.has_event(connection, shelf.user_id, key):
            times += 1
            key = f"{shelf.key(entry)}:{times}"
        source = resources.insert(connection, shelf.turn(entry, key), self._new_id("t"), now)
        vector = vectors.by_text.get(entry.text)
        if vector is not None:
            resources.set_embedding(connection, source.key, vector, vectors.embedder)
        names = (entry.note.category,) if entry.note.category else ()
        embedded = Embedded(shelf.fact(entry), vector, vectors.embedder, names)
        settled = self._settler.state(connection, embedded, source)
        return source, settled.stored, settled.action

    def _end(
        self,
        connection: apsw.Connection,
        user_id: str,
        old: NoteLine,
        stored: StoredItem,
        source: Resource,
        outcome: Outcome,
        now: int,
    ) -> None:
        """The old words hold no longer, unless somebody else says them too."""
        known = items.by_id(connection, user_id, old.item_id) if old.item_id else None
        if known is None or known.key == stored.key or known.item.superseded_by is not None:
            return
        if _others(connection, known, old.resource_id):
            self._take_away_of(connection, user_id, old, now, outcome)
            return
        at = max(source.turn.timestamp, known.item.stated_at)
        if is_protected(known):
            links.relate(connection, stored.item.id, known.item.id, "maybe", EDITED, at)
        else:
            links.supersede(connection, stored.item.id, known.item.id, EDITED, at)
        outcome.keys.append(known.key)

    def _take_away(
        self, connection: apsw.Connection, file: NoteFile, line: NoteLine, now: int, outcome: Outcome
    ) -> None:
        outcome.ended += line.item_id is not None
        self._take_away_of(connection, file.user_id, line, now, outcome)

    def _take_away_of(
        self, connection: apsw.Connection, user_id: str, line: NoteLine, now: int, outcome: Outcome
    ) -> None:
        """The line's turn goes, and with it the fact that nothing else states; the archive keeps that."""
        turn = resources.by_id(connection, user_id, line.resource_id) if line.resource_id else None
        if turn is None:
            return
        kept, gone = [], [turn]
        for fact in items.stated_in(connection, turn.id):
            outcome.keys.append(fact.key)
            if _others(connection, fact, turn.id):
                kept.append(fact)
            elif not is_protected(fact):
                gone += _turns_of(connection, fact, turn.id)
                archive.put(connection, fact, "note", now)
                items.delete(connection, [fact])
        resources.delete(connection, gone)
        outcome.keys += [one.key for one in gone]
        for fact in kept:
            rewording.unsay(connection, fact, [turn.id], now)


def _others(connection: apsw.Connection, fact: StoredItem, turn_id: str | None) -> set[str]:
    """What else states a fact: talks, and lines that still stand in a file."""
    said_in = {source.resource_id for source in fact.item.sources} - {turn_id}
    return said_in - notebooks.left_behind(connection, said_in)


def _turns_of(connection: apsw.Connection, fact: StoredItem, turn_id: str) -> list[Resource]:
    """The other turns of a fact."""
    others = (source.resource_id for source in fact.item.sources if source.resource_id != turn_id)
    found = (resources.by_id(connection, fact.item.user_id, other) for other in others)
    return [turn for turn in found if turn is not None]


def plan(connection: apsw.Connection, file: NoteFile | None, wanted: Sequence[Entry]) -> Plan:
    """What has to be done, by what was taken in of the file so far. Only reads."""
    before = (
        {} if file is None else {line.content_hash: line for line in notebooks.lines(connection, file.id)}
    )
    changes = _changes(connection, before, wanted)
    fresh = [entry for entry in wanted if entry.hash not in before]
    return Plan(wanted, Part(changes.gone, fresh), changes.edited, len(wanted) - len(fresh))


def _changes(
    connection: apsw.Connection, before: Mapping[str, NoteLine], wanted: Sequence[Entry]
) -> Comparison:
    words = {entry.hash: entry.text for entry in wanted}
    for line in before.values():
        if line.resource_id and line.content_hash not in words:
            words[line.content_hash] = connection.execute(
                "SELECT content ->> '$' FROM resources WHERE id = ?", (line.resource_id,)
            ).get
    return compare(list(before), [entry.hash for entry in wanted], words)


def _stand_together(connection: apsw.Connection, user_id: str, now: int) -> None:
    """What the user's files say side by side holds side by side, whatever took whose place before."""
    for item_id in notebooks.ended_by_one_another(connection, user_id):
        links.hold_again(connection, item_id, now)
