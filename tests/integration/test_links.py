"""Which facts may contradict one another, at any moment, for many facts at once."""

from memory.knowledge.curation import Statement
from memory.model import Item, Scope
from memory.store import links
from tests.world import World


async def _fact(world: World, text: str, valid_until: int | None = None) -> Item:
    world.clock.turn(60)
    statement = Statement(text, infer=False, valid_until=valid_until)
    return (await world.curation.add(Scope(), statement)).stored.item


async def _doubt(world: World, newer: Item, older: Item) -> None:
    at = newer.stated_at
    await world.database.write(lambda c: links.relate(c, newer.id, older.id, "maybe", "test", at))


async def _partners(world: World, *asked: Item, as_of: int | None = None) -> dict[str, list[str]]:
    ids, now = [item.id for item in asked], world.clock.now()
    return await world.database.read(lambda c: links.maybe_partners(c, ids, as_of, now=as_of or now))


async def test_each_side_of_a_doubt_names_the_other(world: World) -> None:
    """A link is followed both ways, the latest statement first; a fact without one is not named."""
    alone = await _fact(world, "The boiler hums at night.")
    first = await _fact(world, "Ludo paints fences.")
    second = await _fact(world, "Vera collects old maps.")
    third = await _fact(world, "Enno repairs clocks.")
    await _doubt(world, second, first)
    await _doubt(world, third, first)
    assert await _partners(world, alone, first, third) == {
        first.id: [third.id, second.id],
        third.id: [first.id],
    }
    assert await _partners(world) == {}


async def test_a_partner_that_holds_no_longer_is_left_out(world: World) -> None:
    """Superseded and expired ones are gone from now on, and were there before."""
    first = await _fact(world, "Ludo paints fences.")
    ended = await _fact(world, "Vera collects old maps.")
    expired = await _fact(world, "Enno repairs clocks.", valid_until=world.clock.now() + 200)
    before = world.clock.now()
    other = await _fact(world, "The boiler hums at night.")
    await _doubt(world, ended, first)
    await _doubt(world, expired, first)
    at = other.stated_at
    await world.database.write(lambda c: links.supersede(c, other.id, ended.id, "test", at))
    assert await _partners(world, first, as_of=before) == {first.id: [expired.id, ended.id]}
    assert await _partners(world, first) == {first.id: [expired.id]}
    world.clock.turn(200)
    assert await _partners(world, first) == {}


async def test_a_doubt_that_came_later_is_not_known_before(world: World) -> None:
    """As of a moment, what was said after it raises no doubt."""
    first = await _fact(world, "Ludo paints fences.")
    second = await _fact(world, "Vera collects old maps.")
    await _doubt(world, second, first)
    assert await _partners(world, first, as_of=first.stated_at) == {}
    assert await _partners(world, first, as_of=second.stated_at) == {first.id: [second.id]}
