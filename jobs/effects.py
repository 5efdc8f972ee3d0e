"""What turns give: their vectors and facts, computed outside any transaction and stored in one."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import apsw
import numpy as np

from memory import queue
from memory.database import Database
from memory.knowledge.learning import Learning
from memory.knowledge.opinion import Opinion, opinion
from memory.knowledge.settled import Embedded
from memory.model import Item, Origin, Resource
from memory.ports import Extractor, Filter, Proposal, Vector
from memory.queue import Lease
from memory.store import extractions, items, resources, tombstones
from memory.turns import content_hash

KNOWN_FACTS = 8


@dataclass(frozen=True, slots=True)
class Learnt:
    """A fact, the turn that it was drawn from, and what its extractor thinks of the known ones."""

    source: Resource
    fact: Embedded
    opinion: Opinion


@dataclass(frozen=True, slots=True)
class Effects:
    """What the turns of a lease give; `vectors` are those that the turns did not have yet, by number.

    `known` are the facts that the extractor was shown.
    """

    turns: Sequence[Resource]
    vectors: dict[int, Vector]
    facts: Sequence[Learnt]
    known: Sequence[Item]


class Learner:
    """Learns from turns of one session. Holds no transaction while a model thinks."""

    def __init__(self, database: Database, learning: Learning) -> None:
        self._database = database
        self._learning = learning

    async def effects(self, turns: Sequence[Resource], extractor: Extractor) -> Effects:
        """Vectors and facts; the slow part. Raises what embedder and extractor raise."""
        had = await self._had(turns)
        lacking = [turn for turn in turns if turn.key not in had]
        embedded = await self._embed([turn.turn.text for turn in lacking])
        made = {turn.key: vector for turn, vector in zip(lacking, embedded, strict=False)}
        vectors = had | made
        known = await self._database.read(lambda c: self._known(c, turns, vectors))
        proposals = await extractor.extract(turns, known)
        return Effects(turns, made, await self._learnt(turns, proposals, known, vectors), known)

    async def show(self, keys: Sequence[int]) -> None:
        """Let the index know the vectors that were stored."""
        await self._database.read(lambda c: self._learning.generations.refresh(c, keys))

    def apply(self, connection: apsw.Connection, held: Lease, effects: Effects, now: int) -> list[int]:
        """All effects of the turns, and that they are done; the numbers of what has a vector now.

        Nothing at all when the lease was lost. Where one of the turns was forgotten meanwhile, or a fact that
        the extractor was shown, the turns left are put back: what a model made of all may hold its words.
        """
        if not queue.is_whole(connection, held) or not _may_be_told(connection, effects):
            queue.retry(connection, held, now, now, None, counted=False)
            return []
        queue.finish(connection, held, now)
        if (embedder := self._learning.embedder) is not None:
            for key, vector in effects.vectors.items():
                resources.set_embedding(connection, key, vector, embedder.name)
        extractions.note_used(connection, [turn.id for turn in effects.turns])
        facts = [one for one in effects.facts if not _is_forgotten(connection, one)]
        settled = [
            self._learning.settler.settle(connection, one.fact, one.source, one.opinion) for one in facts
        ]
        return [*effects.vectors, *(fact.stored.key for fact in settled)]

    async def _had(self, turns: Sequence[Resource]) -> dict[int, Vector]:
        """The vectors that turns have already."""
        if self._learning.embedder is None:
            return {}
        user_id, keys = turns[0].turn.scope.user_id, [turn.key for turn in turns]
        rows = await asyncio.to_thread(self._learning.generations.index.vectors, user_id, keys)
        return {key: row for key, row in zip(keys, rows, strict=True) if not np.isnan(row).any()}

    async def _learnt(
        self,
        turns: Sequence[Resource],
        proposals: Sequence[Proposal],
        known: Sequence[Item],
        vectors: dict[int, Vector],
    ) -> list[Learnt]:
        sources = {turn.id: turn for turn in turns}
        proposals = [proposal for proposal in proposals if proposal.resource_id in sources]
        by_text = {turn.turn.text: vectors[turn.key] for turn in turns if turn.key in vectors}
        others = list(dict.fromkeys(one.fact.text for one in proposals if one.fact.text not in by_text))
        by_text |= dict(zip(others, await self._embed(others), strict=False))
        name = self._learning.embedder.name if self._learning.embedder else ""
        ids = frozenset(item.id for item in known)
        return [
            Learnt(
                sources[one.resource_id],
                Embedded(one.fact, by_text.get(one.fact.text), name, one.categories),
                opinion(one, ids),
            )
            for one in proposals
        ]

    async def _embed(self, texts: Sequence[str]) -> list[Vector]:
        if self._learning.embedder is None or not texts:
            return []
        return list(await self._learning.embedder.passages(texts))

    def _known(
        self, connection: apsw.Connection, turns: Sequence[Resource], vectors: dict[int, Vector]
    ) -> list[Item]:
        """The facts nearest to any of the turns, the nearest first; none more private than they are."""
        user_id = turns[0].turn.scope.user_id
        private = turns[0].turn.private
        allowed = Filter(public_only=not private)
        nearest: dict[int, float] = {}
        for vector in vectors.values():
            near = self._learning.generations.index.search(user_id, vector, 4 * KNOWN_FACTS, allowed)
            for key, cosine in zip(near.keys.tolist(), near.cosines.tolist(), strict=True):
                nearest[key] = max(cosine, nearest.get(key, -1.0))
        ranked = sorted(nearest, key=lambda key: (-nearest[key], key))
        stored = (items.by_key(connection, key) for key in ranked)
        live = (fact.item for fact in stored if fact and fact.item.superseded_by is None)
        seen = (item for item in live if item.private <= private)  # the index may lag behind an edit
        return [item for _, item in zip(range(KNOWN_FACTS), seen, strict=False)]


def _may_be_told(connection: apsw.Connection, effects: Effects) -> bool:
    """Whether the facts that were shown are there still, and none was made private."""
    shown = effects.known if effects.facts else ()
    current = [(item, items.by_id(connection, item.user_id, item.id)) for item in shown]
    return all(now is not None and now.item.private <= item.private for item, now in current)


def _is_forgotten(connection: apsw.Connection, learnt: Learnt) -> bool:
    """Whether an import would bring back what the user had forgotten, in a sentence of another shape."""
    turn, fact_hash = learnt.source.turn, content_hash(learnt.fact.fact.text)
    is_import = turn.origin is Origin.IMPORT
    return is_import and tombstones.is_forgotten(connection, turn.scope.user_id, fact_hash)
