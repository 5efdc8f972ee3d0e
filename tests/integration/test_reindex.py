"""The reindex: what has no vector of the model in use gets one, whatever happened before."""

import asyncio
from collections.abc import Callable, Sequence

import pytest

from jobs.reindex import BATCH, Reindex
from memory.errors import AnswerError, TemporaryError
from memory.knowledge.curation import Statement
from memory.model import Role, Scope
from memory.ports import Filter, Matrix
from memory.scoring.cohort import Cohort
from memory.store import items
from memory.testing import FakeEmbedder
from memory.vectors import loading
from memory.vectors.exact import ExactIndex
from memory.vectors.generations import Generation, Generations
from tests.world import World, finished

FACTS = 40


class OtherEmbedder(FakeEmbedder):
    """Another model, which may be away after some texts, and may tell what it is asked."""

    name = "other-model"

    def __init__(self, lasts: int = 10**6, on_texts: Callable[[], None] = lambda: None) -> None:
        self.lasts = lasts
        self.on_texts = on_texts
        self.texts: list[str] = []

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors, or an outage."""
        self.on_texts()
        self.lasts -= len(texts)
        if self.lasts < 0:
            raise TemporaryError("away")
        self.texts += texts
        return await super().passages(texts)


def only(embedder: FakeEmbedder) -> Generations:
    """A model with nothing before it; its cohort is there and costs no call."""
    return Generations(Generation(embedder, ExactIndex(embedder.dimension), Cohort({}, {})))


def reindex(world: World, generations: Generations) -> Reindex:
    """The job."""
    return Reindex(world.database, generations, world.clock)


async def _fill(world: World, count: int = FACTS) -> None:
    for n in range(count):
        await world.curation.add(Scope(), Statement(f"fact number {n} about the garden", infer=False))


async def _pending(world: World, name: str) -> int:
    return await world.database.read(lambda c: loading.census(c).pending(name))


async def test_a_new_model_embeds_everything_again(world: World) -> None:
    """Both generations are told apart; after the run every turn and fact has a vector of the new one."""
    await _fill(world)
    generations = only(OtherEmbedder())
    assert await world.database.read(lambda c: loading.next_rows(c, OtherEmbedder.name, 0)) == []
    assert await _pending(world, OtherEmbedder.name) == 2 * FACTS
    report = await reindex(world, generations).run()
    assert (report.counts, report.notes) == ({"embedded": 2 * FACTS, "pending": 0}, ())
    assert len(generations) == 2 * FACTS
    assert await _pending(world, OtherEmbedder.name) == 0
    assert len(await world.database.read(lambda c: loading.next_rows(c, OtherEmbedder.name, 0))) == 2 * FACTS


async def test_an_outage_ends_the_run_and_the_next_one_goes_on(world: World) -> None:
    """What was embedded stays embedded, and is counted."""
    await _fill(world)
    generations = only(OtherEmbedder(lasts=BATCH + 1))
    report = await reindex(world, generations).run()
    left = 2 * FACTS - BATCH
    assert report.counts == {"embedded": BATCH, "pending": left}
    assert report.notes == ("away", f"{left} texts have a vector of {FakeEmbedder.name} still")
    again = only(OtherEmbedder())
    assert (await reindex(world, again).run()).counts == {"embedded": left, "pending": 0}
    assert len(again) == left  # the others come by a start


async def test_the_latest_words_come_first_after_those_without_any_vector(world: World) -> None:
    """What was said last is asked for most, and what has no vector at all is found by words alone."""
    await _fill(world, 3)
    first, *_ = await world.facts()
    await world.curation.update(Scope(), first.id, {"memory": "the first one, reworded"})
    await world.database.write(lambda c: items.drop_embedding(c, 2))
    embedder = OtherEmbedder()
    await reindex(world, only(embedder)).run()
    waiting, latest, *_ = embedder.texts
    assert (waiting, latest) == ("the first one, reworded", "fact number 2 about the garden")


async def test_words_that_change_meanwhile_get_no_vector_of_the_old_ones(world: World) -> None:
    """Who edits a fact while it is embedded finds it by its new words, once those are embedded."""
    await _fill(world, 1)
    (fact,) = await world.facts()
    edits = iter([world.curation.update(Scope(), fact.id, {"memory": "tomatoes ripen"})])

    class Interrupted(OtherEmbedder):
        async def passages(self, texts: Sequence[str]) -> Matrix:
            matrix = await super().passages(texts)
            for edit in edits:
                await edit
            return matrix

    generations = only(Interrupted())
    report = await reindex(world, generations).run()
    assert (report.counts["pending"], len(generations)) == (0, 2)
    assert generations.current is not None
    query = await FakeEmbedder().query("tomatoes ripen")
    found = generations.current.index.search("default", query, 1, Filter())
    assert found.cosines[0] == pytest.approx(1.0, abs=1e-5)


async def test_a_text_that_the_model_rejects_holds_up_no_other(world: World) -> None:
    """It stays pending, and is found as before."""
    await _fill(world, 3)

    class Squeamish(OtherEmbedder):
        async def passages(self, texts: Sequence[str]) -> Matrix:
            if any("number 1" in text for text in texts):
                raise AnswerError("rejected")
            return await super().passages(texts)

    generations = only(Squeamish())
    report = await reindex(world, generations).run()
    assert (report.counts, len(generations)) == ({"embedded": 4, "pending": 2}, 4)  # the turn and its fact
    assert dict((await world.database.read(loading.census)).by_model) == {"fake-words": 2, "other-model": 4}


async def test_nothing_new_costs_nothing(world: World) -> None:
    """A store whose vectors are all there asks the embedder for none."""
    await _fill(world, 3)
    embedder = OtherEmbedder(lasts=6)
    job = reindex(world, only(embedder))
    await job.run()
    assert (await job.run()).counts == {"embedded": 0, "pending": 0}
    assert embedder.lasts == 0


async def test_two_runs_at_once_embed_each_text_once(world: World) -> None:
    """Who asks for it while it runs waits for what is left."""
    await _fill(world)
    embedder = OtherEmbedder()
    job = reindex(world, only(embedder))
    reports = await asyncio.gather(job.run(), job.run())
    assert sum(report.counts["embedded"] for report in reports) == len(embedder.texts) == 2 * FACTS


async def test_it_serves_in_the_background_until_it_is_told_to_stop(world: World) -> None:
    """At the start, and whenever it is woken; a fault of the model is no end of it."""
    await _fill(world, 1)
    asked, stop = asyncio.Event(), asyncio.Event()
    embedder = OtherEmbedder(lasts=0, on_texts=asked.set)
    generations = only(embedder)
    job = reindex(world, generations)
    serving = asyncio.ensure_future(job.serve(stop))
    await finished(asyncio.ensure_future(asked.wait()))
    embedder.lasts = 100
    asked.clear()
    while not asked.is_set():  # a wake while it still ends the first run is none
        job.wake()
        await asyncio.sleep(0)
    stop.set()
    await finished(serving)
    assert await _pending(world, OtherEmbedder.name) == 0


async def test_an_assistant_s_words_get_no_vector(world: World) -> None:
    """They are found by words alone."""
    await world.take("Certainly, here is a list of teas.", "a", role=Role.ASSISTANT)
    assert await _pending(world, FakeEmbedder.name) == 0


@pytest.mark.parametrize("dry_run", [True, False])
async def test_without_an_embedder_there_is_nothing_to_do(world: World, dry_run: bool) -> None:
    """The report says why."""
    report = await reindex(world, Generations(None)).run(dry_run=dry_run)
    assert report.counts == {"embedded": 0}
    assert "full text alone" in report.notes[0]


async def test_a_dry_run_counts(world: World) -> None:
    """How many texts wait and whose vectors they have, and no vector is made."""
    await _fill(world, 3)
    report = await reindex(world, only(OtherEmbedder(lasts=0))).run(dry_run=True)
    assert report.counts == {"pending": 6}
    assert report.notes == (f"6 texts have a vector of {FakeEmbedder.name} still",)
