"""A relevance that fits the store: measured by its own prompts, kept in numbers, served to its user alone."""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import apsw
import pytest
from memud_client import Client

from config.settings import Settings
from jobs.recalibrate import Recalibrate
from memory.database import Database
from memory.embed.cohort import open_cohort
from memory.errors import TemporaryError
from memory.model import Modality, Origin, Resource, Role, Scope, Turn
from memory.ports import Matrix, Vector
from memory.recall.asking import Asker
from memory.recall.explanation import Explainer
from memory.recall.finding import Finder
from memory.recall.offsets import Offsets
from memory.recall.query import Query
from memory.recall.recalibration import Recalibration, prompts
from memory.recall.recall import Recall
from memory.recall.repeats import Repeats
from memory.recall.scored import Scorer
from memory.scoring.background import LEXICAL_OFFSET, OFFSET
from memory.store import resources
from memory.testing import FakeEmbedder, FrozenClock
from memory.turns import content_hash
from memory.vectors import loading
from memory.vectors.exact import ExactIndex
from memory.vectors.generations import Generation, Generations
from tests.conftest import StartDaemon

SIZE = 120
BIRDS = ("cormorant", "gannet", "puffin", "razorbill", "fulmar", "kittiwake", "guillemot", "shearwater")
DEEDS = ("fledged late", "left the skerry", "nested on the ledge", "dived below the reef", "lost a feather")
EVERYDAY = [
    f"{ask} {thing} {when}"
    for ask in ("How do I write an email about", "Give me a recipe with", "Explain the difference between")
    for thing in ("a python list", "chicken and rice", "a good password", "the weather", "a short story")
    for when in ("today", "this weekend", "in simple words", "for a beginner", "step by step", "at work",
                 "for kids", "in English")
]  # fmt: skip
UNUSUAL = [
    f"{bird.title()} {number} {deed}" for number in range(3) for bird in BIRDS for deed in DEEDS
]  # fmt: skip


class Guest(FakeEmbedder):
    """Can be sent away, or made to wait after a number of questions."""

    def __init__(self) -> None:
        self.is_away = False
        self.asked = 0
        self.stops_at = 10_000
        self.on_stop: Callable[[], None] = lambda: None

    async def query(self, text: str) -> Vector:
        if self.is_away:
            raise TemporaryError("away")
        self.asked += 1
        if self.asked > self.stops_at:
            self.on_stop()
            await asyncio.Event().wait()
        return await super().query(text)


@dataclass
class Lab:
    """A store with what measures it, as after a start of the daemon."""

    database: Database
    embedder: Guest | None
    offsets: Offsets
    index: ExactIndex
    recalibrate: Recalibrate
    recall: Recall
    explainer: Explainer
    is_over: list[bool] = field(default_factory=lambda: [False])

    async def put(self, texts: Sequence[str], user_id: str = "ana") -> None:
        """Store turns, with their vectors if there are any."""
        stored = await self.database.write(partial(_insert, texts=texts, user_id=user_id))
        if self.embedder:
            name, matrix = self.embedder.name, await self.embedder.passages(texts)
            await self.database.write(partial(_embed, stored=stored, matrix=matrix, name=name))
            self.index.put(await self.database.read(lambda c: loading.next_rows(c, name, 0)))

    def moved(self, user_id: str = "ana") -> float:
        """How far the store's own offset for English lies from the shipped one."""
        served = self.offsets.by_vectors if self.embedder else self.offsets.by_words
        return served(user_id, "en", SIZE).at(SIZE) - self.offsets.shipped.at(SIZE)

    async def kept(self) -> list[tuple[Any, ...]]:
        """What stands in the database."""
        sql = "SELECT embedder, name, value FROM calibration WHERE name GLOB 'offset/*' ORDER BY name"
        return await self.database.read(lambda c: c.execute(sql).fetchall())


def _insert(connection: apsw.Connection, texts: Sequence[str], user_id: str) -> list[Resource]:
    return [resources.insert(connection, _turn(text, user_id), _id(text, user_id), 1) for text in texts]


def _turn(text: str, user_id: str) -> Turn:
    return Turn(
        _id(text, user_id), Scope(user_id, None, "s"), Role.USER, None, text, text, Modality.CHAT, 1,
        "UTC", Origin.USER, True, content_hash(text),
    )  # fmt: skip


def _id(text: str, user_id: str) -> str:
    return f"t-{user_id}-{content_hash(text)}"


def _embed(connection: apsw.Connection, stored: Sequence[Resource], matrix: Matrix, name: str) -> None:
    for turn, vector in zip(stored, matrix, strict=True):
        resources.set_embedding(connection, turn.key, vector, name)


async def start(database: Database, settings: Settings, embedder: Guest | None = None) -> Lab:
    """Wire it as the daemon does."""
    index, clock = ExactIndex(embedder.dimension if embedder else 1), FrozenClock()
    offsets = Offsets(embedder.name if embedder else "")
    await database.read(offsets.load)
    cohort = await open_cohort(database, embedder, clock.now()) if embedder else None
    if embedder:
        embedder.asked = 0
    generations = Generations(Generation(embedder, index, cohort) if embedder else None)
    asker: Asker = Asker(database, generations, clock, lambda: True, settings.recall.candidates)
    scorer = Scorer(settings.recall, Finder(settings.recall.candidates), offsets)
    is_over = [False]
    recalibration = Recalibration(database, asker, scorer, offsets)
    return Lab(
        database,
        embedder,
        offsets,
        index,
        Recalibrate(database, recalibration, offsets, clock, lambda: is_over[0]),
        Recall(database, asker, scorer, Repeats(generations), settings.recall, lambda *_: ()),
        Explainer(database, asker, scorer, Repeats(generations), settings.recall),
        is_over,
    )


@pytest.fixture
async def lab(database: Database, settings: Settings) -> Lab:
    """With vectors."""
    return await start(database, settings, Guest())


async def test_a_store_of_everyday_requests_asks_for_a_higher_offset(lab: Lab) -> None:
    """What everybody asks finds more there by chance than among sea birds."""
    await lab.put(EVERYDAY)
    await lab.put(UNUSUAL, "ben")
    assert [await lab.recalibrate.run() for _ in range(5)] == [1, 0, 1, 0, 0]
    assert lab.moved("ana") > lab.moved("ben") + 0.1


async def test_words_alone_have_offsets_of_their_own(database: Database, settings: Settings) -> None:
    """Measured by what words alone reach, and kept apart from those of any embedder."""
    lab = await start(database, settings)
    await lab.put(EVERYDAY)
    assert await lab.recalibrate.run() == 1
    assert lab.moved() != 0
    assert lab.offsets.by_vectors("ana", "en", SIZE) == OFFSET
    assert [row[:2] for row in await lab.kept()] == [("", "offset/en/ana")]
    other = await start(database, settings, Guest())
    assert other.moved() == 0
    assert other.offsets.by_words("ana", "en", SIZE) == LEXICAL_OFFSET


async def test_each_user_and_language_has_its_own(lab: Lab) -> None:
    """Another user is served the shipped offset, and so is Chinese where nobody writes it."""
    await lab.put(EVERYDAY)
    await lab.put(UNUSUAL[:50], "ben")
    for _ in range(3):
        await lab.recalibrate.run()
    assert lab.moved("ana") != 0
    assert lab.moved("ben") == 0
    assert lab.offsets.by_vectors("ana", "zh", SIZE) == OFFSET


async def test_one_user_can_be_looked_at_alone(lab: Lab) -> None:
    """As a run of the monitor for one user does."""
    await lab.put(EVERYDAY)
    assert await lab.recalibrate.run("ben") == 0
    assert await lab.recalibrate.run("ana") == 1


async def test_a_store_is_measured_again_only_after_it_has_grown_by_half(lab: Lab) -> None:
    """A run with nothing due asks nothing."""
    assert lab.embedder is not None
    await lab.put(EVERYDAY)
    for _ in range(2):
        await lab.recalibrate.run()
    asked = lab.embedder.asked
    assert asked == len(prompts("en")) + len(prompts("zh"))
    await lab.put(UNUSUAL[:59])
    assert await lab.recalibrate.run() == 0
    assert lab.embedder.asked == asked
    before = await lab.kept()
    await lab.put(UNUSUAL[59:60])
    assert await lab.recalibrate.run() == 1
    assert await lab.kept() != before


async def test_only_numbers_are_kept_and_they_serve_after_a_restart(
    lab: Lab, database: Database, settings: Settings
) -> None:
    """No word of what is stored or asked."""
    await lab.put(EVERYDAY)
    await lab.recalibrate.run()
    ((embedder, name, value),) = await lab.kept()
    assert (embedder, name) == ("fake-words", "offset/en/ana")
    offset, size, count = json.loads(value)
    assert (type(offset), size, count) == (float, SIZE, len(prompts("en")))
    again = await start(database, settings, Guest())
    assert again.moved() == lab.moved() != 0


async def _run_until_cut_off(recalibrate: Recalibrate, guest: Guest) -> None:
    async with asyncio.timeout(None) as cut:
        guest.on_stop = lambda: cut.reschedule(0)
        await recalibrate.run()


async def test_a_run_that_is_cut_off_leaves_the_offset_that_served(
    lab: Lab, database: Database, settings: Settings
) -> None:
    """In memory and on disk; the next run makes it whole."""
    assert lab.embedder is not None
    await lab.put(EVERYDAY)
    await lab.recalibrate.run()
    kept, moved = await lab.kept(), lab.moved()
    await lab.put(UNUSUAL)
    lab.embedder.stops_at = lab.embedder.asked + 40
    with pytest.raises(TimeoutError):
        await _run_until_cut_off(lab.recalibrate, lab.embedder)
    assert (await lab.kept(), lab.moved()) == (kept, moved)
    lab.embedder.stops_at = 10_000
    assert await lab.recalibrate.run() == 1
    assert await lab.kept() != kept


async def test_nothing_is_measured_at_a_stop_or_while_the_embedder_is_away(lab: Lab) -> None:
    """What words alone would find says nothing about vectors."""
    assert lab.embedder is not None
    await lab.put(EVERYDAY)
    lab.embedder.is_away = True
    assert await lab.recalibrate.run() == 0
    lab.embedder.is_away = False
    lab.is_over[0] = True
    assert await lab.recalibrate.run() == 0
    assert lab.embedder.asked == 1
    assert await lab.kept() == []


async def test_recall_asks_the_offset_of_the_store_and_explain_shows_it(lab: Lab) -> None:
    """The relevance moves by it, and nothing else does."""
    await lab.put(EVERYDAY)
    question, memory_id = "Which recipe has chicken and rice?", _id(EVERYDAY[48], "ana")
    query = Query(question, Scope("ana"), 10)
    before = (await lab.explainer.explain(query, memory_id)).factors
    assert before["offset"] == pytest.approx(OFFSET.at(SIZE), abs=1e-4)
    await lab.recalibrate.run()
    after = (await lab.explainer.explain(query, memory_id)).factors
    assert after["offset"] - before["offset"] == pytest.approx(lab.moved(), abs=2e-4)
    assert (after["relevance"] < before["relevance"]) == (lab.moved() > 0)
    assert (after["match"], after["deviation"]) == (before["match"], before["deviation"])


def test_a_daemon_fits_its_relevance_and_keeps_it_over_a_restart(start_daemon: StartDaemon) -> None:
    """From the first tick after the store was large enough; `explain` shows what is taken off."""
    daemon = start_daemon()
    with daemon.client() as client:
        events = [{"key": f"{n}", "role": "user", "content": text} for n, text in enumerate(EVERYDAY)]
        client.capture(events, session_id="s")
        client.job_run("monitor")
        served = _offset_of(client)
        assert abs(served - LEXICAL_OFFSET.at(SIZE)) > 0.02
    daemon.stop()
    with start_daemon().client() as client:
        assert _offset_of(client) == served


def _offset_of(client: Client) -> float:
    found = client.search(EVERYDAY[0])["results"][0]["id"]
    return float(client.explain(EVERYDAY[0], found)["factors"]["offset"])
