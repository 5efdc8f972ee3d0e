"""What held at each moment, however often somebody changed their mind, and whatever was undone since."""

import random

import pytest

from memory.knowledge.curation import Statement
from memory.model import Scope
from memory.store.listing import Listing
from tests.world import World

HOMES = ("I live in Graz", "I moved to Linz", "I moved to Wels", "我住在臺北")
THERE_AND_BACK = (0, 1, 0, 1, 0, 1)
ROUND = (0, 1, 2, 0, 1, 2, 1, 0)


async def _live(world: World, as_of: int | None = None) -> list[str]:
    found = await world.curation.list(Listing(Scope(), as_of=as_of))
    return [item.memory for item in found.items]


async def _said(world: World, homes: tuple[int, ...]) -> list[tuple[int, str]]:
    said = []
    for home in homes:
        world.clock.turn(60)
        await world.curation.add(Scope(), Statement(HOMES[home], infer=False))
        said.append((world.clock.now(), HOMES[home]))
    return said


@pytest.mark.parametrize("homes", [THERE_AND_BACK, ROUND, (0, 0, 1), (0, 1, 1, 0)])
async def test_at_each_moment_the_last_word_held(world: World, homes: tuple[int, ...]) -> None:
    """One home, from the second in which it was said until the next was."""
    for at, home in await _said(world, homes):
        assert (await _live(world, at), await _live(world, at + 59)) == ([home], [home])


@pytest.mark.parametrize("seed", range(6))
async def test_as_of_now_is_now(world: World, seed: int) -> None:
    """Whatever was forgotten, restored or pinned; and where something is known, something holds."""
    dice = random.Random(seed)  # noqa: S311 - the same undoings in each run
    for _ in range(12):
        await _said(world, (dice.randrange(4),))
        chosen = dice.choice(await world.facts())
        if (undo := dice.choice(("forget", "forget a turn", "restore", "pin", "nothing"))) == "pin":
            await world.curation.pin(Scope(), chosen.id, pinned=True)
        elif undo == "restore" and chosen.superseded_by:
            await world.curation.restore(Scope(), chosen.id)
        elif undo.startswith("forget"):
            gone = chosen.id if undo == "forget" else dice.choice(chosen.sources).resource_id
            await world.curation.forget(Scope(), gone, dry_run=False)
        live = await _live(world)
        assert live == await _live(world, world.clock.now())
        assert bool(live) == bool(await world.facts())
