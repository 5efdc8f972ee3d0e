"""Which models are opened at a start: the one in use, and those of which texts still have vectors."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest

from config.settings import EmbedSettings, Settings
from daemon.generations import open_generations
from daemon.older import Opened, Providers
from jobs.reindex import Reindex
from memory.database import Database
from memory.ids import NewId
from memory.knowledge.curation import Statement
from memory.model import Scope
from memory.ports import Embedder
from memory.testing import FakeExtractor, FrozenClock, RhymeEmbedder
from memory.vectors.generations import Generations, nothing_to_close
from tests.world import World

Start = Callable[..., Any]


@pytest.fixture
async def start(
    database: Database, settings: Settings, clock: FrozenClock, new_id: NewId
) -> AsyncIterator[Start]:
    """Opens what a start with a model opens, where these older ones are to be had."""
    async with AsyncExitStack() as stack:

        async def started(model: Embedder | None, *others: Embedder) -> tuple[Generations, str]:
            known = {one.name: one for one in others}

            def open_older(name: str, _: int, __: EmbedSettings, ___: AsyncExitStack) -> Opened | None:
                return Opened(known[name], nothing_to_close) if name in known else None

            providers = Providers(lambda *_: (model, "" if model else "broken"), open_older)
            return await open_generations(database, settings.embed, providers, stack)

        old = RhymeEmbedder("old", 32)
        world = World.build(database, settings, clock, new_id, embedder=old, extractor=FakeExtractor())
        await world.curation.add(Scope(), Statement("I own a canoe", infer=False))
        yield started


async def test_the_models_of_stored_vectors_are_opened_beside_the_one_in_use(start: Start) -> None:
    """Only those; and not the one in use once more."""
    old, new, unknown = RhymeEmbedder("old", 32), RhymeEmbedder("new", 48), RhymeEmbedder("unknown", 8)
    generations, fault = await start(new, old, unknown)
    assert [one.name for one in generations.oldest_first] == ["old", "new"]
    assert (generations.lost, generations.is_changing, fault) == (frozenset(), True, "")
    alone, _ = await start(old, old)
    assert ([one.name for one in alone.oldest_first], alone.is_changing) == (["old"], False)


async def test_a_model_that_can_t_be_had_is_lost_and_known_to_be(start: Start) -> None:
    """Also one that goes by the same name, but makes other vectors."""
    for others in ((), (RhymeEmbedder("old", 64),)):
        generations, _ = await start(RhymeEmbedder("new", 48), *others)
        assert (generations.older, generations.lost) == ((), {"old"})


async def test_without_a_model_in_use_the_stored_vectors_are_left_alone(start: Start) -> None:
    """They serve again when it is back."""
    generations, fault = await start(None, RhymeEmbedder("old", 32))
    assert (generations.oldest_first, generations.is_changing, fault) == ((), False, "broken")


async def test_another_dimension_under_the_same_name_embeds_again(
    start: Start, database: Database, clock: FrozenClock
) -> None:
    """Nothing of the length before is compared or loaded; the texts are found by words until they follow."""
    generations, _ = await start(RhymeEmbedder("old", 64))
    assert not generations.is_changing
    report = await Reindex(database, generations, clock).run()
    assert (report.counts, len(generations)) == ({"embedded": 2, "pending": 0}, 2)
