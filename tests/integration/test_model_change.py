"""While the model changes both generations answer, each in its own space, and nothing is lost on the way."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import apsw
import numpy as np
import pytest

from config.settings import Settings
from daemon.warmth import Warmth
from jobs.reindex import BATCH, Reindex
from memory.database import Database
from memory.errors import TemporaryError
from memory.ids import NewId
from memory.knowledge.curation import Statement
from memory.knowledge.settled import Action
from memory.model import Modality, Origin, Report, Role, Scope, Turn
from memory.ports import Matrix, Vector
from memory.recall.asking import Asker
from memory.recall.explanation import Explainer, Explanation
from memory.recall.finding import Finder
from memory.recall.offsets import Fit, Offsets
from memory.recall.query import Query, Recalled
from memory.recall.recall import Recall
from memory.recall.repeats import Repeats
from memory.recall.scored import Scorer
from memory.store import resources
from memory.testing import FakeExtractor, FrozenClock, RhymeEmbedder
from memory.turns import content_hash
from memory.vectors import loading
from memory.vectors.exact import ExactIndex
from memory.vectors.generations import Generation
from tests.world import World

# Not a word in common, only rhymes: what words can't find, vectors must have found.
PLANTED = {
    "My flarnolden keeps the trivasket": "Where is zarnolden plivasket?",
    "The gromwickle drinks bloffarmint": "Which pramwickle has chaffarmint?",
    "My quonterly grows shellibond": "Who has vanterly nillibond?",
    "The drastovane eats murkeldust": "Which pristovane has parkeldust?",
    "My sworntable hides cranfellow": "Where is hintable munfellow?",
    "The plumbering wears treskenwold": "Which cambering has larskenwold?",
}
FILLED = [f"entry {n} tells of {thing} {n}" for n in range(65) for thing in ("moss", "slate")]
ROWS = 2 * len(PLANTED) + len(FILLED)  # of what is planted a turn and a fact


class Model(RhymeEmbedder):
    """May be away for questions, or give out after some texts."""

    def __init__(self, name: str, dimension: int = 64, lasts: int = 10**6) -> None:
        super().__init__(name, dimension)
        self.lasts = lasts
        self.is_away = False

    async def query(self, text: str) -> Vector:
        """The vector, or an outage."""
        if self.is_away:
            raise TemporaryError("away")
        return await super().query(text)

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors, or an outage."""
        if self.lasts < len(texts):
            raise TemporaryError("away")
        self.lasts -= len(texts)
        return await super().passages(texts)


OLD, NEW, THIRD = ("old", 128), ("new", 96), ("third", 128)


@dataclass(frozen=True, slots=True)
class Life:
    """A store between two starts of the daemon."""

    world: World
    recall: Recall
    explainer: Explainer
    job: Reindex

    @property
    def model(self) -> Model:
        """The one in use."""
        assert isinstance(self.world.embedder, Model)
        return self.world.embedder

    async def add(self, text: str) -> Any:
        """A statement, settled."""
        return await self.world.curation.add(Scope(), Statement(text, infer=False))

    async def ask(self, question: str, **changes: Any) -> Recalled:
        """What is recalled."""
        return await self.recall.recall(replace(Query(question, Scope(), 10), **changes))

    async def explain(self, question: str, memory_id: str) -> Explanation:
        """Why."""
        return await self.explainer.explain(Query(question, Scope(), 10), memory_id)

    async def missed(self) -> list[str]:
        """The planted facts that their questions do not find."""
        return [
            fact
            for fact, question in PLANTED.items()
            if fact not in [result.memory for result in (await self.ask(question)).results]
        ]

    async def counts(self) -> dict[str, int]:
        """Vectors by model, in the store."""
        return dict((await self.world.database.read(loading.census)).by_model)

    def indexed(self) -> dict[str, int]:
        """Vectors by model, in the indexes."""
        return {one.name: len(one.index) for one in self.world.generations.oldest_first if len(one.index)}

    async def move(self, count: int) -> Report:
        """So many texts get a vector of the new model, then it gives out."""
        self.model.lasts = count
        report = await self.job.run()
        self.model.lasts = 10**6
        return report


@dataclass(frozen=True, slots=True)
class Lives:
    """Starts the store with a model."""

    database: Database
    settings: Settings
    clock: FrozenClock
    new_id: NewId

    async def start(self, model: Model, *older: Model) -> Life:
        """As the daemon does, with the indexes loaded from the store."""
        before = [Generation(one, ExactIndex(one.dimension)) for one in older]
        world = World.build(
            self.database, self.settings, self.clock, self.new_id,
            embedder=model, extractor=FakeExtractor(), older=before,
        )  # fmt: skip
        warmth = Warmth(self.database, world.generations, self.clock)
        await warmth.load()
        offsets, count = Offsets(model.name), self.settings.recall.candidates
        await self.database.read(offsets.load)
        asker = Asker(self.database, world.generations, self.clock, lambda: warmth.is_warm, count)
        scorer = Scorer(self.settings.recall, Finder(count), offsets)
        repeats = Repeats(world.generations)
        return Life(
            world,
            Recall(self.database, asker, scorer, repeats, self.settings.recall, lambda *_: ()),
            Explainer(self.database, asker, scorer, repeats, self.settings.recall),
            Reindex(self.database, world.generations, self.clock),
        )


def _fill(connection: apsw.Connection, new_id: NewId, texts: Sequence[str]) -> None:
    for text in texts:
        turn = Turn(
            text, Scope(session_id="s"), Role.USER, None, text, text, Modality.CHAT, 1,
            "UTC", Origin.USER, True, content_hash(text),
        )  # fmt: skip
        resources.insert(connection, turn, new_id("t"), 1)


@pytest.fixture
async def lives(database: Database, settings: Settings, clock: FrozenClock, new_id: NewId) -> Lives:
    """A store that the old model has filled."""
    made = Lives(database, settings, clock, new_id)
    life = await made.start(Model(*OLD))
    for half in (0, 1):  # of the planted facts some move on early, some late
        await database.write(lambda c: _fill(c, new_id, FILLED[half::2]))
        for text in list(PLANTED)[half::2]:
            await life.add(text)
    await life.job.run()
    assert await life.counts() == {"old": ROWS}
    return made


@pytest.mark.parametrize("moved", [0, BATCH, 2 * BATCH, 4 * BATCH])
async def test_both_generations_answer_meanwhile(lives: Lives, moved: int) -> None:
    """Wherever the change stands, what only vectors can find is found; each row is in one index."""
    life = await lives.start(Model(*NEW), Model(*OLD))
    await life.move(moved)
    wanted = {"old": ROWS - moved, "new": moved} if moved else {"old": ROWS}
    assert await life.counts() == life.indexed() == wanted
    assert await life.missed() == []


async def test_the_change_ends_with_the_old_model_let_go(lives: Lives) -> None:
    """Its index, its cohort and what was fitted for it are gone, and all is found by the new one."""
    closed: list[str] = []
    life = await lives.start(Model(*NEW), Model(*OLD))
    (old,) = life.world.generations.older

    async def close() -> None:
        closed.append(old.name)

    old.close = close
    offsets = Offsets("old")
    await lives.database.write(lambda c: offsets.keep(c, "default", "en", Fit(2.0, 300, 90), 1))
    report = await life.job.run()
    assert report.counts == {"embedded": ROWS, "pending": 0}
    assert (life.indexed(), life.world.generations.is_changing, closed) == ({"new": ROWS}, False, ["old"])
    kept = await life.world.rows("SELECT DISTINCT embedder FROM calibration")
    assert kept == [("new",)]
    assert await life.missed() == []


async def test_no_vector_meets_one_of_another_model(lives: Lives) -> None:
    """Even of the same dimension: each cosine is the one that a model finds in its own space."""
    life = await lives.start(Model(*THIRD), Model(*OLD))
    await life.move(BATCH)
    stamps = dict(await life.world.rows("SELECT id, embedder FROM items"))
    seen = set()
    for fact, question in PLANTED.items():
        result = next(one for one in (await life.ask(question)).results if one.memory == fact)
        model = Model(stamps[result.id], 128)
        (stored,) = await model.passages([fact])
        cosine = (await life.explain(question, result.id)).factors["cosine"]
        assert cosine == pytest.approx(float(np.dot(stored, await model.query(question))), abs=1e-3)
        seen.add(model.name)
    assert seen == {"old", "third"}


async def test_a_kill_at_any_moment_is_made_good_by_the_next_start(lives: Lives) -> None:
    """What is done stays done; the next life goes on from the store alone."""
    for moved in (BATCH, 2 * BATCH):
        life = await lives.start(Model(*NEW), Model(*OLD))
        await life.move(BATCH)  # and then the process is gone
        assert (await life.counts())["new"] == moved
    life = await lives.start(Model(*NEW), Model(*OLD))
    assert (await life.job.run()).counts == {"embedded": ROWS - 2 * BATCH, "pending": 0}
    assert await life.missed() == []


async def test_a_change_back_midway_embeds_what_had_moved(lives: Lives) -> None:
    """The model before is the one in use again, and most of its vectors are there."""
    life = await lives.start(Model(*NEW), Model(*OLD))
    await life.move(2 * BATCH)
    life = await lives.start(Model(*OLD), Model(*NEW))
    assert await life.missed() == []
    assert (await life.job.run()).counts == {"embedded": 2 * BATCH, "pending": 0}
    assert (await life.missed(), await life.counts()) == ([], {"old": ROWS})


async def test_a_third_model_midway_takes_over_from_both(lives: Lives) -> None:
    """Three generations answer side by side."""
    life = await lives.start(Model(*NEW), Model(*OLD))
    await life.move(2 * BATCH)
    life = await lives.start(Model(*THIRD), Model(*OLD), Model(*NEW))
    await life.move(BATCH)
    assert set(life.indexed()) == {"old", "new", "third"}
    assert await life.missed() == []
    await life.job.run()
    assert (await life.missed(), life.indexed()) == ([], {"third": ROWS})


async def test_a_model_that_is_away_costs_its_share_of_the_answer(lives: Lives) -> None:
    """The other generation answers, and what is missing is named."""
    life = await lives.start(Model(*NEW), Model(*OLD))
    await life.move(0)
    life.model.is_away = True
    assert await life.missed() == []  # all of them lie with the old one
    assert (await life.ask("Where is zarnolden plivasket?")).degraded == ("embedder away",)


async def test_what_a_lost_model_embedded_is_found_by_words(lives: Lives) -> None:
    """And by vectors once it is embedded again."""
    life = await lives.start(Model(*NEW))
    fact, *_ = PLANTED
    assert await life.missed() == list(PLANTED)
    assert fact in [
        one.memory for one in (await life.ask("Where does the flarnolden keep the trivasket?")).results
    ]
    await life.job.run()
    assert await life.missed() == []


async def test_what_is_forgotten_or_reworded_meanwhile_is_so_in_both_generations(lives: Lives) -> None:
    """No index keeps what the store has not."""
    life = await lives.start(Model(*NEW), Model(*OLD))
    await life.move(2 * BATCH)
    for fact in [item for item in await life.world.facts() if item.memory in PLANTED][:3]:
        await life.world.curation.forget(Scope(), fact.id, dry_run=False)
    (other, *_) = [item for item in await life.world.facts() if item.memory in PLANTED]
    await life.world.curation.update(Scope(), other.id, {"memory": "My stumbolian reads farlington"})
    assert life.indexed() == await life.counts()
    found = (await life.ask("Who has grubolian marlington?")).results
    assert "My stumbolian reads farlington" in [one.memory for one in found]
    assert life.world.generations.current is not None
    assert not np.isnan(
        life.world.generations.current.index.cosines(
            "default",
            [key for (key,) in await life.world.rows("SELECT key FROM items WHERE id = ?", other.id)],
            await life.model.query("any"),
        )
    ).any()


async def test_what_is_said_meanwhile_is_embedded_by_the_new_model_alone(lives: Lives) -> None:
    """It is compared with the facts of the old one by its words: the same fact is not stored twice."""
    life = await lives.start(Model(*NEW), Model(*OLD))
    fact, *_ = PLANTED
    assert (await life.add(fact)).action is Action.REINFORCED
    assert (await life.add("I live in Oslo")).action is Action.ADDED
    assert (await life.add("I moved to Rome")).action is Action.SUPERSEDED
    assert life.indexed() == await life.counts()


async def test_an_update_ends_a_fact_of_the_old_generation(lives: Lives) -> None:
    """Though the two have no vectors to compare, and no words in common."""
    life = await lives.start(Model(*OLD))
    await life.add("I live in Oslo")
    life = await lives.start(Model(*NEW), Model(*OLD))
    assert (await life.add("I moved to Rome")).action is Action.SUPERSEDED


async def test_the_same_words_in_two_generations_are_told_once(lives: Lives) -> None:
    """Vectors can't tell them to be the same, their words can."""
    life = await lives.start(Model(*OLD))
    await life.world.say("My flarnolden keeps the trivasket", "again")
    life = await lives.start(Model(*NEW), Model(*OLD))
    await life.move(BATCH)
    found = (await life.ask("Where is zarnolden plivasket?")).results
    assert [one.memory for one in found].count("My flarnolden keeps the trivasket") == 1
