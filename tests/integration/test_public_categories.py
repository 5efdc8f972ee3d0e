"""The names of categories in a group: none that only private facts gave."""

from typing import Any

import pytest

from memory.model import Scope
from memory.recall import candidates
from memory.recall.query import Query
from memory.store import categories, items, listing, summaries
from memory.store.items import StoredItem
from memory.store.listing import Listing
from tests.world import World

GROUP = Scope(public_only=True)
HIDDEN = ("My treatment is on Monday.", "化疗每周一次。")
SHOWN = "I am on Main Street on Monday."


async def _file(world: World, name: str, *, by: str, everyday: str | None = None) -> StoredItem:
    """All facts in one category; the public one."""
    for n, text in enumerate(HIDDEN):
        await world.say(text, f"h{n}")
    await world.say(SHOWN, "s", private=False)

    def file(connection: Any) -> StoredItem:
        made = categories.make(connection, "default", name, by, world.new_id, everyday)
        stored = [items.by_id(connection, "default", one) for one in ids]
        for one in stored:
            assert one is not None
            categories.file(connection, one.item.id, [made.id], "filed")
        (public,) = [one for one in stored if one is not None and not one.item.private]
        return public

    ids = [fact.id for fact in await world.facts()]
    return await world.database.write(file)


async def _seen(world: World, public: StoredItem, name: str, scope: Scope) -> list[bool]:
    """Whether each way to look at it knows the name: the topics, the fact, a list by topic, a recall."""
    now = world.clock.now()

    def look(connection: Any) -> list[bool]:
        query = Query("?", scope, 10, categories=None)
        item = items.by_id(connection, "default", public.item.id)
        assert item is not None
        fact = items.as_public(connection, item.item) if scope.public_only else item.item
        found = candidates.load(connection, [public.key], query, now)[public.key]
        return [
            name in [one.name for one in summaries.listed(connection, scope, now)],
            name in fact.categories,
            bool(listing.page(connection, Listing(scope, categories=[name]), now).items),
            name in found.categories,
        ]

    return await world.database.read(look)


@pytest.mark.parametrize(
    ("name", "by"), [("Chemotherapy", "model"), ("化疗", "facts"), ("My secret", "person")]
)
async def test_a_name_from_private_facts_is_told_to_no_group(world: World, name: str, by: str) -> None:
    """Also where a public fact stands under it; for the owner it has its name."""
    public = await _file(world, name, by=by)
    assert await _seen(world, public, name, GROUP) == [False] * 4
    assert await _seen(world, public, name, Scope()) == [True] * 4


async def test_a_name_that_the_group_knows_is_told(world: World) -> None:
    """A fact that was told there says it."""
    public = await _file(world, "Main Street", by="model")
    assert await _seen(world, public, "Main Street", GROUP) == [True] * 4


async def test_an_everyday_name_is_told(world: World) -> None:
    """It says nothing of anybody."""
    public = await _file(world, "health", by="everyday", everyday="health")
    assert await _seen(world, public, "health", GROUP) == [True] * 4


async def test_a_name_that_a_person_chose_for_a_public_fact_is_told(world: World) -> None:
    """That was said there, and filed there by hand."""
    public = await _file(world, "Errands", by="person")
    await world.database.write(lambda c: categories.choose(c, public, ["Errands"], world.new_id))
    assert await _seen(world, public, "Errands", GROUP) == [True] * 4
