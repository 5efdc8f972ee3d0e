"""Links a new fact with those it ends, is ended by, or may contradict."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from memory.knowledge.neighbourhood import Near
from memory.knowledge.settled import Action, Embedded, Settled
from memory.knowledge.standing import may_end
from memory.knowledge.updates import relation
from memory.store import items, links
from memory.store.items import StoredItem
from memory.store.speakers import Voice

MAX_SUPERSEDED = 2  # one fact never ends three: then something is wrong, and both sides stay


@dataclass(frozen=True, slots=True)
class Link:
    """How two facts stand to one another, and the rule that says so."""

    word: str
    rule: str
    newer: StoredItem
    older: StoredItem

    def other(self, one: StoredItem) -> StoredItem:
        """The one that is not `one`."""
        return self.older if self.newer.key == one.key else self.newer


def related(
    connection: apsw.Connection,
    stored: StoredItem,
    embedded: Embedded,
    near: Sequence[Near],
    thought: Sequence[Link],
) -> Settled:
    """Link the fact with those it ends, is ended by, or may contradict.

    The time of the statement decides, not of its arrival: an import may tell the older after the newer.
    """
    by_word: dict[str, list[Link]] = {"supersede": [], "maybe": [], "related": []}
    found = {one.older.key: one for one in thought}
    for other in near:
        link = _between(stored, other, embedded.embedder)
        if link.word == "supersede" or other.stored.key not in found:
            found[other.stored.key] = link
    for link in found.values():
        if link.word in by_word:
            by_word[link.word].append(link)
    ended = [one for one in by_word["supersede"] if one.newer.key == stored.key]
    ending = [one for one in by_word["supersede"] if one.newer.key != stored.key]
    if max(len(ended), len(ending)) > MAX_SUPERSEDED:
        by_word["maybe"] += by_word["supersede"]
        by_word["supersede"] = []
    else:  # a fact that arrives late ended when the first of the newer ones was said
        by_word["supersede"] = ended + sorted(ending, key=lambda one: one.newer.item.stated_at)[:1]
    return _kept(connection, stored, by_word)


def _between(stored: StoredItem, other: Near, embedder: str) -> Link:
    is_later = stored.item.stated_at >= other.stored.item.stated_at
    newer, older = (stored, other.stored) if is_later else (other.stored, stored)
    stands = relation(newer.item.memory, older.item.memory, cosine=other.cosine, embedder=embedder)
    return Link(tempered(stands.verdict, newer, older, other.voice), stands.rule, newer, older)


def tempered(verdict: str, newer: StoredItem, older: StoredItem, voice: Voice) -> str:
    """What is pinned, edited, put right, not said earlier, or perhaps by another, is at most doubted."""
    return "maybe" if verdict == "supersede" and not may_end(newer, older, voice) else verdict


def _kept(connection: apsw.Connection, stored: StoredItem, by_word: dict[str, list[Link]]) -> Settled:
    for one in by_word["supersede"]:
        at = one.newer.item.stated_at
        links.supersede(connection, one.newer.item.id, one.older.item.id, one.rule, at)
    for relation_name in ("maybe", "related"):
        for one in by_word[relation_name][: None if relation_name == "maybe" else 1]:
            at = one.newer.item.stated_at
            links.relate(connection, one.newer.item.id, one.older.item.id, relation_name, one.rule, at)
    fresh = items.by_key(connection, stored.key) or stored
    for word, action in (("supersede", Action.SUPERSEDED), ("maybe", Action.MAYBE)):
        if by_word[word]:
            return Settled(fresh, action, tuple(one.other(stored).item.id for one in by_word[word]))
    return Settled(fresh, Action.ADDED)
