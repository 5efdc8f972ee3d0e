"""The reindex: what has no vector of the model in use gets one, whatever happened before."""

from collections.abc import Sequence

import pytest

from jobs.reindex import Reindex
from memory.errors import TemporaryError
from memory.knowledge.curation import Statement
from memory.model import Role, Scope
from memory.ports import Matrix
from memory.testing import FakeEmbedder
from memory.vectors import loading
from memory.vectors.exact import ExactIndex
from tests.world import World


class OtherEmbedder(FakeEmbedder):
    """Another model, which may be away after some texts."""

    name = "other-model"

    def __init__(self, lasts: int = 10**6) -> None:
        self.lasts = lasts

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """The vectors, or an outage."""
        self.lasts -= len(texts)
        if self.lasts < 0:
            raise TemporaryError("away")
        return await super().passages(texts)


async def _fill(world: World, count: int = 20) -> None:
    for n in range(count):
        await world.curation.add(Scope(), Statement(f"fact number {n} about the garden", infer=False))


async def _pending(world: World, name: str) -> int:
    return await world.database.read(lambda c: loading.count_pending(c, name))


async def test_a_new_model_embeds_everything_again(world: World) -> None:
    """Both generations are told apart; after the run every turn and fact has a vector of the new one."""
    await _fill(world)
    index = ExactIndex(OtherEmbedder.dimension)
    assert await world.database.read(lambda c: loading.load(c, index, OtherEmbedder.name)) == 0
    assert await _pending(world, OtherEmbedder.name) == 40
    report = await Reindex(world.database, OtherEmbedder(), index).run()
    assert report.counts == {"embedded": 40}
    assert len(index) == 40
    assert await _pending(world, OtherEmbedder.name) == 0
    assert await world.database.read(lambda c: loading.load(c, ExactIndex(64), OtherEmbedder.name)) == 40


async def test_an_outage_ends_the_run_and_the_next_one_goes_on(world: World) -> None:
    """What was embedded stays embedded."""
    await _fill(world)
    index = ExactIndex(OtherEmbedder.dimension)
    report = await Reindex(world.database, OtherEmbedder(lasts=16), index).run()
    assert report.notes == ("away",)
    assert await _pending(world, OtherEmbedder.name) == 24
    assert (await Reindex(world.database, OtherEmbedder(), index).run()).counts == {"embedded": 24}
    assert len(index) == 40


async def test_nothing_new_costs_nothing(world: World) -> None:
    """A store whose vectors are all there asks the embedder for none."""
    await _fill(world, 3)
    embedder = OtherEmbedder(lasts=6)
    reindex = Reindex(world.database, embedder, world.index)
    await reindex.run()
    assert (await reindex.run()).counts == {"embedded": 0}
    assert embedder.lasts == 0


async def test_an_assistant_s_words_get_no_vector(world: World) -> None:
    """They are found by words alone."""
    await world.take("Certainly, here is a list of teas.", "a", role=Role.ASSISTANT)
    assert await _pending(world, FakeEmbedder.name) == 0


@pytest.mark.parametrize("dry_run", [True, False])
async def test_without_an_embedder_there_is_nothing_to_do(world: World, dry_run: bool) -> None:
    """The report says why."""
    report = await Reindex(world.database, None, world.index).run(dry_run=dry_run)
    assert report.counts == {"embedded": 0}
    assert "full text alone" in report.notes[0]


async def test_a_dry_run_counts(world: World) -> None:
    """How many texts wait, and no vector is made."""
    await _fill(world, 3)
    report = await Reindex(world.database, OtherEmbedder(lasts=0), world.index).run(dry_run=True)
    assert report.counts == {"pending": 6}
