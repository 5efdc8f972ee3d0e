"""What a model says of known facts: heard where our own guards agree, and never the last word."""

from typing import Any

import pytest

from memory.knowledge.opinion import Opinion
from memory.knowledge.settled import Action, Embedded, Settled
from memory.model import TYPE_DEFAULTS, Fact, Item, Kind, MemoryType, Origin, Role, Scope
from tests.world import World


async def _file(world: World, text: str, key: str, opinion: Opinion | None = None, **fields: Any) -> Settled:
    """A turn and its whole text as one semantic fact, settled with the opinion."""
    taken = await world.take(text, key, **fields)
    assert taken.stored is not None
    source = taken.stored
    defaults = TYPE_DEFAULTS[MemoryType.GENERAL]
    fact = Fact(text, Kind.SEMANTIC, MemoryType.GENERAL, defaults.importance, defaults.half_life_days)
    embedded = Embedded(fact, None, "")
    settled = await world.database.write(
        lambda c: world.settler.settle(c, embedded, source, opinion or Opinion())
    )
    world.clock.turn(1)
    return settled


async def _item(world: World, settled: Settled) -> Item:
    return await world.curation.get(Scope(), settled.stored.item.id)


async def test_a_model_s_repeat_reinforces(world: World) -> None:
    """Another wording, nothing hard between them: one fact, said twice, both wordings kept."""
    known = await _file(world, "I play the cello in an orchestra.", "a")
    again = await _file(world, "I play cello in some orchestra.", "b", Opinion(repeats=known.stored.item.id))
    assert again.action is Action.REINFORCED
    assert len(await world.facts()) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My rent is 900 euros.", "My rent is 950 euros."),
        ("I eat meat.", "I don't eat meat."),
        ("My sister plays the cello.", "I play the cello."),
        ("我每周三打羽毛球", "我每周四打羽毛球"),
    ],
)
async def test_a_model_can_t_merge_what_differs(world: World, old: str, new: str) -> None:
    """A number, a negation, a person, a day: both stay, whatever the model says."""
    known = await _file(world, old, "a")
    settled = await _file(world, new, "b", Opinion(repeats=known.stored.item.id))
    assert settled.action is not Action.REINFORCED
    assert len(await world.facts()) == 2


async def test_a_model_s_replacement_supersedes_and_can_be_undone(world: World) -> None:
    """No rule sees it, the model does; `restore` brings the older one back."""
    known = await _file(world, "I keep bees.", "a")
    newer = await _file(
        world, "The hives went to my neighbour.", "b", Opinion(replaces=(known.stored.item.id,))
    )
    assert newer.action is Action.SUPERSEDED
    assert (await _item(world, known)).superseded_by == newer.stored.item.id
    await world.curation.restore(Scope(), known.stored.item.id)
    assert (await _item(world, known)).superseded_by is None


async def test_a_model_ends_nothing_that_is_pinned_or_edited(world: World) -> None:
    """Both sides stay, shown together."""
    pinned = await _file(world, "I keep bees.", "a")
    await world.curation.pin(Scope(), pinned.stored.item.id, pinned=True)
    edited = await _file(world, "I own a boat.", "b")
    await world.curation.update(Scope(), edited.stored.item.id, {"memory": "I own a small boat."})
    ids = (pinned.stored.item.id, edited.stored.item.id)
    settled = await _file(world, "All of that is over.", "c", Opinion(replaces=ids))
    assert settled.action is Action.MAYBE
    assert set(settled.related_ids) == set(ids)
    assert (await _item(world, pinned)).superseded_by is None
    assert (await _item(world, edited)).superseded_by is None


async def test_an_assistant_s_words_end_nothing_by_a_model_s_word(world: World) -> None:
    """Only the user's words end the user's."""
    known = await _file(world, "I keep bees.", "a")
    opinion = Opinion(replaces=(known.stored.item.id,))
    await _file(world, "You gave the hives away.", "b", opinion, role=Role.ASSISTANT)
    assert (await _item(world, known)).superseded_by is None


async def test_somebody_else_s_fact_is_at_most_doubted(world: World) -> None:
    """In a group nobody overrules another by a model's word."""
    known = await _file(world, "I keep bees.", "a", sender="Ingrid")
    opinion = Opinion(replaces=(known.stored.item.id,))
    await _file(world, "The hives went away.", "b", opinion, sender="Henrik")
    assert (await _item(world, known)).superseded_by is None


async def test_another_user_s_fact_is_out_of_reach(world: World) -> None:
    """An id of another user means nothing."""
    known = await _file(world, "I keep bees.", "a", scope=Scope("other"))
    opinion = Opinion(known.stored.item.id, (known.stored.item.id,))
    settled = await _file(world, "I keep bees.", "b", opinion)
    assert settled.action is Action.ADDED
    (theirs,) = await world.facts("other")
    assert theirs.superseded_by is None
    assert theirs.reinforced == 0


async def test_what_was_said_later_is_not_ended(world: World) -> None:
    """An import that tells the older after the newer takes nothing away."""
    known = await _file(world, "I keep bees.", "a")
    earlier = world.clock.now() - 1_000
    opinion = Opinion(replaces=(known.stored.item.id,))
    await _file(world, "I have no garden.", "b", opinion, timestamp=earlier, origin=Origin.IMPORT)
    assert (await _item(world, known)).superseded_by is None


async def test_a_model_that_ends_three_at_once_is_doubted(world: World) -> None:
    """Then something is wrong, and all stay."""
    known = [await _file(world, text, text) for text in ("I keep bees.", "I own a boat.", "I sing bass.")]
    ids = tuple(one.stored.item.id for one in known)
    settled = await _file(world, "My life is new.", "z", Opinion(replaces=ids))
    assert settled.action is Action.MAYBE
    assert all([(await _item(world, one)).superseded_by is None for one in known])
