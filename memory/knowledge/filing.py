"""Decides in which one or two categories a fact stands: by what a model says, else by meaning and words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import apsw
import numpy as np

from memory.ids import NewId
from memory.knowledge.everyday import MAX_HITS, Everyday, by_alias, everyday, hits
from memory.knowledge.yardstick import Words, Yardstick
from memory.ports import Vector
from memory.redact import redact
from memory.simplified import simplified
from memory.store import categories, filings
from memory.store.categories import Named
from memory.store.category_names import fold, tidy
from memory.store.items import StoredItem
from memory.terms import index_terms

MAX_CATEGORIES: Final = 2
# What these were measured on: tests/categorised_facts.py, figures in docs/ARCHITECTURE.md.
WORD_WEIGHT: Final = 1.5  # deviations that one word of a category is worth
FLOOR: Final = 3.0  # less near, and it fits nothing: no place is better than a wrong one
NAME_FLOOR: Final = 4.4  # a bare name is a vaguer thing than sentences
SYNONYM_FLOOR: Final = 5.8  # two names that mean the same; piano and guitar, cats and dogs stay under it
SECOND: Final = 0.8  # a second category is nearly as near, and its own words stand in the fact
_MAX_OWN = 40  # categories of a user beside the everyday ones that are compared: some 0.1 ms each


@dataclass(frozen=True, slots=True)
class _Fit:
    """How well a fact fits a category, everyday or the user's own."""

    score: float
    hits: int
    shelf: Everyday | Named


class Filer:
    """Files in the writer's transaction. Without a yardstick for a fact's vector it leaves the fact waiting.

    What a person has filed is never touched, and what is filed only on a model's word.
    """

    def __init__(self, new_id: NewId) -> None:
        self._new_id = new_id
        self.yardstick: Yardstick | None = None

    def file(
        self,
        connection: apsw.Connection,
        stored: StoredItem,
        vector: Vector | None,
        embedder: str,
        names: Sequence[str] = (),
    ) -> None:
        """File one fact. `embedder` is "" where there is none: then words alone decide."""
        state = filings.state(connection, stored.item.id)
        if state == "chosen" or (state == "filed" and not names):
            return
        known = self._named(connection, stored, names)
        if known:
            categories.file(connection, stored.item.id, [one.id for one in known], "filed")
        elif state != "filed" and self._can_judge(vector, embedder):
            self._fit(connection, stored, vector)

    def gather(
        self,
        connection: apsw.Connection,
        user_id: str,
        name: str,
        vector: Vector | None,
        item_ids: Sequence[str],
        made_by: str,
    ) -> bool:
        """Let facts stand under a name, or under the category there is that means the same.

        `vector` is that of the name. Whether a category was made. What a person filed stays where it is.
        """
        known = categories.find(connection, user_id, name) or self._synonym(connection, user_id, name, vector)
        category = known or categories.make(connection, user_id, name, made_by, self._new_id)
        if known is None and vector is not None and self.yardstick is not None:
            categories.set_embedding(connection, category.id, vector, self.yardstick.embedder)
        for item_id in item_ids:
            before = categories.of_item(connection, item_id)
            if filings.state(connection, item_id) != "chosen" and len(before) < MAX_CATEGORIES:
                both = list(dict.fromkeys([*before, category.id]))
                categories.file(connection, item_id, both, "filed")
        return known is None

    def _synonym(
        self, connection: apsw.Connection, user_id: str, name: str, vector: Vector | None
    ) -> Named | None:
        """The category whose name means the same, as 观鸟 and 看鸟 do."""
        if vector is None or self.yardstick is None:
            return None
        near = [
            (self.yardstick.of_names(Words(name, vector), words), one)
            for one in categories.every(connection, user_id)
            if (words := self._words_of(one)) is not None
        ]
        score, best = max(near, key=lambda pair: pair[0], default=(0.0, None))
        return best if score >= SYNONYM_FLOOR else None

    def place(self, connection: apsw.Connection, user_id: str, one: Everyday) -> Named:
        """The user's own category for an everyday one; made on first use, in the user's language."""
        found = categories.find_everyday(connection, user_id, one.key, one.aliases)
        if found is not None:
            return found
        name = one.names[categories.language_of(connection, user_id)]
        return categories.make(connection, user_id, name, "everyday", self._new_id, one.key)

    def _can_judge(self, vector: Vector | None, embedder: str) -> bool:
        is_measured = self.yardstick is not None and self.yardstick.embedder == embedder
        return not embedder or (vector is not None and is_measured)

    def _named(self, connection: apsw.Connection, stored: StoredItem, names: Sequence[str]) -> list[Named]:
        """The categories that a model's names mean; what is none yet is kept as proposed."""
        user_id, found, unknown = stored.item.user_id, list[Named](), list[str]()
        for name in _plain(names):
            known = categories.find(connection, user_id, name)
            if known is None and (shipped := by_alias(name)) is not None:
                known = self.place(connection, user_id, shipped)
            if known is None:
                unknown.append(name)
            elif known not in found:
                found.append(known)
        categories.propose(connection, stored.item.id, unknown)
        return found

    def _fit(self, connection: apsw.Connection, stored: StoredItem, vector: Vector | None) -> None:
        user_id = stored.item.user_id
        own = categories.open_ended(connection, user_id, _MAX_OWN)
        best = _best(self._everyday_fits(stored, vector) + self._own_fits(stored, vector, own), vector)
        chosen = [
            self.place(connection, user_id, fit.shelf) if isinstance(fit.shelf, Everyday) else fit.shelf
            for fit in best
        ]
        state = "filed" if chosen else "loose"
        categories.file(connection, stored.item.id, list(dict.fromkeys(one.id for one in chosen)), state)

    def _everyday_fits(self, stored: StoredItem, vector: Vector | None) -> list[_Fit]:
        found = hits(stored.item.memory)
        near = np.zeros(len(found))
        if vector is not None and self.yardstick is not None:
            near = self.yardstick.everyday(Words(stored.item.memory, vector))
        return [
            _Fit(float(z) + WORD_WEIGHT * count, count, one)
            for z, count, one in zip(near, found, everyday(), strict=True)
        ]

    def _own_fits(self, stored: StoredItem, vector: Vector | None, own: Sequence[Named]) -> list[_Fit]:
        """A category of the user's own is meant by its name, in words or in sense."""
        terms = set(index_terms(simplified(stored.item.memory)))
        fits = []
        for one in own:
            is_said = set(index_terms(simplified(one.name))) <= terms
            near = self._near_name(stored.item.memory, vector, one)
            if is_said or near >= NAME_FLOOR:
                fits.append(_Fit(max(near, 0.0) + WORD_WEIGHT * MAX_HITS * is_said, MAX_HITS * is_said, one))
        return fits

    def _near_name(self, fact: str, vector: Vector | None, one: Named) -> float:
        name = self._words_of(one)
        if vector is None or self.yardstick is None or name is None:
            return 0.0
        return self.yardstick.of_name(Words(fact, vector), name)

    def _words_of(self, one: Named) -> Words | None:
        """A category's name with its vector, where that is one of the yardstick's embedder."""
        if one.embedding is None or self.yardstick is None or one.embedder != self.yardstick.embedder:
            return None
        return Words(one.name, np.frombuffer(one.embedding, np.float32))


def _best(fits: Sequence[_Fit], vector: Vector | None) -> list[_Fit]:
    """One or two, or none; ties go to the one that stands first."""
    floor = WORD_WEIGHT if vector is None else FLOOR
    ranked = sorted(fits, key=lambda fit: -fit.score)
    if not ranked or ranked[0].score < floor:
        return []
    first = ranked[0]
    also = [
        fit
        for fit in ranked[1:]
        if fit.hits and fit.score >= max(floor, SECOND * first.score, 2 * WORD_WEIGHT)
    ]
    return [first, *also[: MAX_CATEGORIES - 1]]


def _plain(names: Sequence[str]) -> list[str]:
    """Names fit to be shown, without secrets, each once; a model that names everything is cut short."""
    plain = [tidy(redact(name[:256]).text) for name in names[: 4 * MAX_CATEGORIES]]
    distinct = {fold(simplified(name)): name for name in reversed(plain) if name and "redacted" not in name}
    return list(reversed(distinct.values()))[:MAX_CATEGORIES]
