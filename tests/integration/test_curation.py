"""What a person does with facts: add, look, correct, pin, restore; by whole ids or the start of one."""

from typing import Any

import pytest

from memory import fulltext
from memory.errors import InvalidError, NotFoundError
from memory.extract.rules import RulesExtractor
from memory.knowledge.curation import Curation, Statement
from memory.knowledge.learning import Learning
from memory.knowledge.settled import Action, Settled
from memory.model import DAY_S, Item, Kind, MemoryType, Scope
from memory.store import links
from memory.store.listing import Listing
from memory.testing import FakeEmbedder, FakeExtractor
from memory.vectors import loading
from tests.world import World


async def _add(world: World, text: str, scope: Scope | None = None, **fields: Any) -> Settled:
    world.clock.turn(60)
    return await world.curation.add(scope or Scope(), Statement(text, **fields))


async def _item(world: World, text: str, **fields: Any) -> Item:
    return (await _add(world, text, **fields)).stored.item


async def test_what_is_added_is_a_turn_and_a_fact_at_once(world: World) -> None:
    """Both are found by words and vector before the call returns."""
    item = await _item(world, "The boiler is serviced in May.")
    assert await world.turns() == ["The boiler is serviced in May."]
    assert len(world.index) == 2
    assert len(await world.database.read(lambda c: fulltext.search(c, "default", ["boiler"], 5))) == 2
    assert item.trust == "user"


async def test_nothing_added_waits_for_a_vector(world: World) -> None:
    """Neither the turn nor the fact, also where the fact says it in fewer signs."""
    embedder = FakeEmbedder()
    learning = Learning(embedder, RulesExtractor(), world.settler, world.generations)
    curation = Curation(world.database, learning, world.clock, world.new_id)
    for text in ("I live in Berlin.", "我住在杭州。"):
        added = await curation.add(Scope(), Statement(text))
        assert added.stored.item.memory != text
    assert await world.database.read(lambda c: loading.census(c).pending(embedder.name)) == 0


async def test_verbatim_keeps_every_word(world: World) -> None:
    """`infer=false` asks no extractor: the words are the fact."""
    extractor = FakeExtractor()
    learning = Learning(world.embedder, extractor, world.settler, world.generations)
    curation = Curation(world.database, learning, world.clock, world.new_id)
    added = await curation.add(Scope(), Statement("  buy milk, eggs; 买面包  ", infer=False))
    assert added.stored.item.memory == "buy milk, eggs; 买面包"
    assert extractor.calls == 0


async def test_what_the_person_says_about_a_fact_counts(world: World) -> None:
    """Kind, type, importance and end are taken as given, the rest from the type."""
    item = await _item(
        world, "Standup is at nine.", kind=Kind.EPISODIC, memory_type=MemoryType.DECISION, importance=0.77,
        valid_until=world.clock.now() + DAY_S,
    )  # fmt: skip
    assert (item.kind, item.memory_type, item.importance) == (Kind.EPISODIC, MemoryType.DECISION, 0.77)
    assert item.half_life_days == 90
    assert item.valid_until is not None


async def test_an_addition_that_says_nothing_is_refused(world: World) -> None:
    """Neither blanks nor our own block become a fact, by `add` or by `update`."""
    for nothing in ("   ", "<memud-recall>tea</memud-recall>"):
        with pytest.raises(InvalidError):
            await _add(world, nothing)
    item = await _item(world, "I like tea")
    with pytest.raises(InvalidError):
        await world.curation.update(Scope(), item.id, {"memory": "<memud-recall>tea</memud-recall>"})


async def test_a_secret_in_a_correction_is_masked(world: World) -> None:
    """What a person types is masked like an event."""
    secret = "sk-" + "c3D4" * 10
    item = await _item(world, f"my key is {secret}")
    assert secret not in item.memory
    updated = await world.curation.update(Scope(), item.id, {"memory": f"the key is {secret}"})
    assert secret not in updated.memory
    filed = await world.curation.update(Scope(), item.id, {"categories": [secret, "keys"]})
    assert len(filed.categories) == 2
    assert secret not in filed.categories


async def test_a_correction_keeps_the_old_wording(world: World) -> None:
    """The history has both, newest first; the new words are found, the old ones are not."""
    item = await _item(world, "I have two cats.")
    updated = await world.curation.update(Scope(), item.id, {"memory": "I have three hamsters."})
    assert (updated.memory, updated.trust) == ("I have three hamsters.", "edited")
    history = await world.curation.history(Scope(), item.id)
    assert [version.memory for version in history.versions] == ["I have three hamsters.", "I have two cats."]
    assert len(history.sources) == 1

    def found(word: str) -> Any:
        return world.database.read(lambda c: fulltext.search(c, "default", [word], 5))

    assert len(await found("hamster")) == 1
    assert len(await found("cat")) == 1  # the turn, as it was said


async def test_a_correction_without_an_embedder_drops_the_old_vector(world: World) -> None:
    """Old words' vector never answers for new words."""
    item = await _item(world, "I have two cats.")
    learning = Learning(None, FakeExtractor(), world.settler, world.generations)
    away = Curation(world.database, learning, world.clock, world.new_id)
    await away.update(Scope(), item.id, {"memory": "I have three hamsters."})
    assert await world.rows("SELECT id FROM items WHERE embedding IS NULL") == [(item.id,)]
    assert len(world.index) == 1


async def test_absent_fields_stay(world: World) -> None:
    """An update changes what is given and nothing else."""
    item = await _item(world, "I have two cats.", importance=0.6)
    updated = await world.curation.update(Scope(), item.id, {"importance": 0.9})
    assert (updated.memory, updated.importance, updated.half_life_days) == (item.memory, 0.9, 60)
    assert await world.rows("SELECT count(*) FROM item_versions") == [(0,)]
    evergreen = await world.curation.update(Scope(), item.id, {"half_life_days": None})
    assert evergreen.half_life_days is None


async def test_the_start_of_an_id_is_enough(world: World) -> None:
    """A short prefix finds the one fact that begins so."""
    item = await _item(world, "I have two cats.")
    assert (await world.curation.get(Scope(), item.id[:6])).id == item.id


async def test_a_prefix_of_several_names_them(world: World) -> None:
    """An ambiguous prefix is refused, with the candidates."""
    first, second = await _item(world, "I have two cats."), await _item(world, "The sky is blue.")
    with pytest.raises(InvalidError, match=first.id) as caught:
        await world.curation.get(Scope(), "m-")
    assert second.id in str(caught.value)


async def test_ids_do_not_reach_into_another_user(world: World) -> None:
    """Neither a whole id nor a prefix."""
    item = await _item(world, "I have two cats.")
    for typed in (item.id, item.id[:6], "m-"):
        with pytest.raises(NotFoundError):
            await world.curation.get(Scope("other"), typed)
    with pytest.raises(NotFoundError):
        await world.curation.get(Scope(public_only=True), item.id)


@pytest.mark.parametrize(
    "typed", ["m-zzzzzzzzzz", "%", "_", "'; DROP TABLE items; --", "../../x", "\U0010ffff"]
)
async def test_strange_ids_find_nothing(world: World, typed: str) -> None:
    """Wildcards and quotes are letters like others."""
    await _item(world, "I have two cats.")
    with pytest.raises(NotFoundError):
        await world.curation.get(Scope(), typed)


async def test_an_update_supersedes_and_can_be_undone(world: World) -> None:
    """The newer holds, the older is in its history, `restore` brings it back."""
    older = await _item(world, "I live in Berlin.", infer=False)
    newer = await _add(world, "I moved to Munich.", infer=False)
    assert (newer.action, newer.related_ids) == (Action.SUPERSEDED, (older.id,))
    history = await world.curation.history(Scope(), newer.stored.item.id)
    assert [version.id for version in history.versions] == [newer.stored.item.id, older.id]
    assert (await world.curation.restore(Scope(), older.id)).superseded_by is None
    with pytest.raises(InvalidError):
        await world.curation.restore(Scope(), older.id)


async def test_what_ended_at_the_first_moment_has_ended(world: World) -> None:
    """Zero is a moment, not the lack of one."""
    assert (await _item(world, "I have two cats.", valid_until=0)).valid_until == 0


async def test_a_group_s_history_hides_what_was_private(world: World) -> None:
    """Neither the private fact that a public one took the place of, nor a wording from before."""
    await _item(world, "I live in Berlin.", infer=False)
    newer = (await _add(world, "I moved to Munich.", infer=False, private=False)).stored.item
    await world.curation.update(Scope(), newer.id, {"memory": "I moved to Munich last year."})
    history = await world.curation.history(Scope(public_only=True), newer.id)
    assert [version.memory for version in history.versions] == ["I moved to Munich last year."]


async def test_within_one_second_the_order_of_arrival_counts(world: World) -> None:
    """Two statements in the same second: the second one holds."""
    await world.curation.add(Scope(), Statement("I live in Berlin.", infer=False))
    newer = await world.curation.add(Scope(), Statement("I moved to Munich.", infer=False))
    assert newer.action is Action.SUPERSEDED


@pytest.mark.parametrize("protect", ["pin", "edit"])
async def test_what_is_pinned_or_edited_is_only_doubted(world: World, protect: str) -> None:
    """A newer statement does not end what a person vouched for."""
    older = await _item(world, "I live in Berlin.", infer=False)
    if protect == "pin":
        await world.curation.pin(Scope(), older.id, pinned=True)
    else:
        await world.curation.update(Scope(), older.id, {"importance": 0.9})
    newer = await _add(world, "I moved to Munich.", infer=False)
    assert (newer.action, newer.related_ids) == (Action.MAYBE, (older.id,))
    assert (await world.curation.get(Scope(), older.id)).superseded_by is None


async def _two_places(world: World) -> tuple[Item, Item]:
    older = await _item(world, "I live in Berlin.", infer=False)
    newer = await _item(world, "I moved to Munich.", infer=False)
    return older, newer


async def test_restating_a_superseded_fact_turns_it_round(world: World) -> None:
    """Who says again what held before means it: the older holds again, the newer is superseded."""
    older, newer = await _two_places(world)
    again = await _add(world, "I live in Berlin.", infer=False)
    assert (again.action, again.stored.item.id) == (Action.REINFORCED, older.id)
    assert again.stored.item.superseded_by is None
    assert (await world.curation.get(Scope(), newer.id)).superseded_by == older.id


async def test_an_old_restatement_that_arrives_late_turns_nothing_round(world: World) -> None:
    """The time of the statement counts, not of its arrival."""
    older, newer = await _two_places(world)
    late = newer.stated_at - 30
    await _add(world, "I live in Berlin.", infer=False, timestamp=late)
    assert (await world.curation.get(Scope(), older.id)).superseded_by == newer.id
    assert (await world.curation.get(Scope(), newer.id)).superseded_by is None


async def test_restating_does_not_end_what_is_pinned(world: World) -> None:
    """Pinned facts are doubted, not ended, also by a restatement."""
    older, newer = await _two_places(world)
    await world.curation.pin(Scope(), newer.id, pinned=True)
    await _add(world, "I live in Berlin.", infer=False)
    assert (await world.curation.get(Scope(), newer.id)).superseded_by is None
    assert (await world.curation.get(Scope(), older.id)).superseded_by is None
    found = await world.database.read(lambda c: links.links(c, older.id))
    assert [(link.from_id, link.relation) for link in found] == [
        (newer.id, "supersedes"),  # so it was in between
        (older.id, "maybe"),
    ]


async def test_restating_ends_the_one_that_holds_now(world: World) -> None:
    """After two changes the first, said again, ends the last."""
    first, second = await _two_places(world)
    third = await _item(world, "I moved to Hamburg.", infer=False)
    await world.database.write(lambda c: links.supersede(c, third.id, second.id, "test", world.clock.now()))
    await _add(world, "I live in Berlin.", infer=False)
    assert (await world.curation.get(Scope(), first.id)).superseded_by is None
    assert (await world.curation.get(Scope(), third.id)).superseded_by == first.id


async def test_restating_works_when_the_successor_is_gone(world: World) -> None:
    """A successor that the cleanup took is no obstacle."""
    older, newer = await _two_places(world)
    await world.database.write(lambda c: c.execute("DELETE FROM items WHERE id = ?", (newer.id,)))
    again = await _add(world, "I live in Berlin.", infer=False)
    assert (again.stored.item.id, again.stored.item.superseded_by) == (older.id, None)


async def test_a_restated_fact_holds_as_long_as_was_said_last(world: World) -> None:
    """What had ended holds again when it is stated anew."""
    item = await _item(world, "The pool is open.", infer=False, valid_until=world.clock.now() + DAY_S)
    world.clock.turn(9 * DAY_S)
    again = await _add(world, "The pool is open.", infer=False)
    assert (again.stored.item.id, again.stored.item.valid_until) == (item.id, None)


async def test_the_same_event_on_two_days_stays_two(world: World) -> None:
    """Only what holds merges; what happened, happened twice."""
    await _add(world, "I ran ten kilometres.", kind=Kind.EPISODIC)
    world.clock.turn(DAY_S)
    assert (await _add(world, "I ran ten kilometres.", kind=Kind.EPISODIC)).action is Action.ADDED
    assert len(await world.facts()) == 2


async def test_a_list_comes_by_page_and_shows_what_is_live(world: World) -> None:
    """Newest first, without the superseded and the expired; each fact once."""
    older, _ = await _two_places(world)
    await _add(world, "The pool is open.", infer=False, valid_until=world.clock.now() - 1)
    for n in range(5):
        await _add(world, f"Fact number {n} of many things", infer=False)
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = await world.curation.list(Listing(Scope(), limit=2, cursor=cursor))
        seen += [item.memory for item in page.items]
        cursor = page.cursor
        if cursor is None:
            break
    assert seen == [f"Fact number {n} of many things" for n in (4, 3, 2, 1, 0)] + ["I moved to Munich."]
    everything = await world.curation.list(Listing(Scope(), include_superseded=True))
    assert older.id in {item.id for item in everything.items}


@pytest.mark.parametrize("cursor", ["x", "-1", "9" * 30, "", " 1", "１"])
async def test_a_cursor_that_no_page_gave_is_refused(world: World, cursor: str) -> None:
    """It is an error of the caller, not of the daemon."""
    with pytest.raises(InvalidError):
        await world.curation.list(Listing(Scope(), cursor=cursor))


async def test_a_statement_with_a_known_key_changes_nothing(world: World) -> None:
    """What is brought in twice is there once, and not the stronger for it; the first words stay."""
    first = await _add(world, "Rides a red bike", key="mem0:1", infer=False)
    again = await _add(world, "Rides a blue bike", key="mem0:1", infer=False)
    assert (first.action, again.action) == (Action.ADDED, Action.KNOWN)
    assert again.stored.item.memory == "Rides a red bike"
    assert again.stored.item.reinforced == first.stored.item.reinforced
    assert await world.turns() == ["Rides a red bike"]


async def test_what_was_forgotten_does_not_come_back_by_its_key(world: World) -> None:
    """Neither by the key it had nor by its words under another; said anew without one it counts."""
    item = (await _add(world, "Rides a red bike", key="mem0:1", infer=False)).stored.item
    await world.curation.forget(Scope(), item.id, dry_run=False)
    for key in ("mem0:1", "mem0:2"):
        with pytest.raises(NotFoundError):
            await _add(world, "Rides a red bike", key=key, infer=False)
    assert (await _add(world, "Rides a red bike", infer=False)).action is Action.ADDED
