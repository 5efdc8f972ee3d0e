"""The weekly cleanup: what has expired, faded or lost its ground goes into the archive; the rest stays."""

import json
from typing import Any

import pytest

from config.settings import ResourceSettings
from jobs.cleanup import Cleanup
from memory import fulltext
from memory.knowledge.curation import Statement
from memory.model import DAY_S, Item, MemoryType, Report, Scope
from tests.world import World


def _cleanup(world: World, *, chunk_rows: int = 200, retention_days: int = 0) -> Cleanup:
    settings = world.settings.cleanup.model_copy(update={"chunk_rows": chunk_rows})
    retention = ResourceSettings(retention_days=retention_days)
    return Cleanup(world.database, world.generations, settings, retention, world.clock)


async def _add(world: World, text: str, scope: Scope | None = None, **fields: Any) -> Item:
    fields.setdefault("memory_type", MemoryType.OBSERVATION)
    added = await world.curation.add(scope or Scope(), Statement(text, infer=False, **fields))
    return added.stored.item


async def _ids(world: World) -> set[str]:
    return {fact.id for fact in await world.facts()}


def _removed(report: Report) -> dict[str, int]:
    return {cause: report.counts[cause] for cause in ("expired", "faded", "orphaned")}


async def test_what_has_expired_goes(world: World) -> None:
    """A fact that held until yesterday is archived, one that holds until tomorrow stays."""
    now = world.clock.now()
    await _add(world, "the shop is closed until yesterday", valid_until=now - 1)
    kept = await _add(world, "the museum is free until tomorrow", valid_until=now)
    assert _removed(await _cleanup(world).run()) == {"expired": 1, "faded": 0, "orphaned": 0}
    assert await _ids(world) == {kept.id}
    assert await world.rows("SELECT cause FROM archive") == [("expired",)]


async def test_what_has_faded_goes(world: World) -> None:
    """Importance x retention under .1: .4 with a half-life of 14 days is gone after 28 days."""
    await _add(world, "the sky was grey", importance=0.4)
    strong = await _add(world, "the user hates cilantro", memory_type=MemoryType.PREFERENCE)
    world.clock.turn(28 * DAY_S)
    assert _removed(await _cleanup(world).run())["faded"] == 0
    world.clock.turn(60)
    assert _removed(await _cleanup(world).run())["faded"] == 1
    assert await _ids(world) == {strong.id}


async def test_what_is_pinned_or_evergreen_stays(world: World) -> None:
    """Neither age nor an end date moves them."""
    now = world.clock.now()
    pinned = await _add(world, "the spare key is at the neighbour's", valid_until=now + 60)
    await world.curation.pin(Scope(), pinned.id, pinned=True)
    evergreen = await _add(world, "the user's blood group is B", valid_until=now + 60)
    await world.curation.update(Scope(), evergreen.id, {"half_life_days": None})
    world.clock.turn(5_000 * DAY_S)
    assert sum(_removed(await _cleanup(world).run()).values()) == 0
    assert await _ids(world) == {pinned.id, evergreen.id}


async def test_what_lost_its_words_goes_unless_a_person_worded_it(world: World) -> None:
    """A fact that no turn states is an orphan; one that a person edited stands by itself."""
    await _add(world, "the gate squeaks")
    edited = await _add(world, "the fence is green")
    await world.curation.update(Scope(), edited.id, {"memory": "the fence is blue"})
    await world.database.write(lambda c: c.execute("DELETE FROM item_sources"))
    assert _removed(await _cleanup(world).run())["orphaned"] == 1
    assert await _ids(world) == {edited.id}


async def test_a_dry_run_counts_the_same_and_changes_nothing(world: World) -> None:
    """Each fact is counted once, under the cause it would go by."""
    await _add(world, "the sky was grey", valid_until=world.clock.now() + 60)
    await _add(world, "the wind was cold")
    world.clock.turn(100 * DAY_S)
    dry = await _cleanup(world).run(dry_run=True)
    assert dry.dry_run
    assert len(await world.facts()) == 2
    assert await world.rows("SELECT count(*) FROM archive") == [(0,)]
    assert _removed(dry) == _removed(await _cleanup(world).run()) == {"expired": 1, "faded": 1, "orphaned": 0}


@pytest.mark.parametrize("as_of", [-(2**63), 0, 2**63 - 1])
async def test_any_moment_may_be_asked_about(world: World, as_of: int) -> None:
    """Before the first moment nothing has faded yet; in the farthest future everything has."""
    await _add(world, "I have two cats.")
    assert _removed(await _cleanup(world).run(as_of=as_of))["faded"] == (as_of > 0)


async def test_it_is_idempotent_and_works_in_steps(world: World) -> None:
    """Two rows a step remove all seven; a second run finds nothing."""
    for n in range(7):
        await _add(world, f"observation number {n} of the garden")
    world.clock.turn(400 * DAY_S)
    assert _removed(await _cleanup(world, chunk_rows=2).run())["faded"] == 7
    assert _removed(await _cleanup(world, chunk_rows=2).run())["faded"] == 0
    assert await world.rows("SELECT count(*) FROM archive") == [(7,)]
    assert len(world.index) == 7  # the turns


async def test_the_words_stay_findable(world: World) -> None:
    """The cleanup removes the fact; what was said is found as before, and nothing is a tombstone."""
    await _add(world, "the heron stood in the pond")
    world.clock.turn(400 * DAY_S)
    await _cleanup(world).run()
    found = await world.database.read(lambda c: fulltext.search(c, "default", ["heron"], 5))
    assert len(found) == 1
    assert await world.rows("SELECT count(*) FROM tombstones") == [(0,)]


async def test_an_archived_fact_comes_back_as_it_was(world: World) -> None:
    """`restore` brings words, sources, categories and versions back: fresh, found, and there to stay."""
    item = await _add(world, "the heron stood in the pond")
    await world.curation.update(
        Scope(), item.id, {"memory": "two herons stood there", "categories": ["birds"]}
    )
    world.clock.turn(400 * DAY_S)
    await _cleanup(world).run()
    back = await world.curation.restore(Scope(), item.id)
    assert (back.memory, back.categories) == ("two herons stood there", ("birds",))
    assert back.stated_at == world.clock.now()
    assert [source.resource_id for source in back.sources] == [source.resource_id for source in item.sources]
    history = await world.curation.history(Scope(), item.id)
    assert [version.memory for version in history.versions] == [
        "two herons stood there",
        "the heron stood in the pond",
    ]
    assert len(await world.database.read(lambda c: fulltext.search(c, "default", ["heron"], 5))) == 2
    assert len(world.index) == 2
    assert sum(_removed(await _cleanup(world).run()).values()) == 0


async def test_every_column_of_a_fact_is_archived(world: World) -> None:
    """A column that a migration adds is not lost in silence; the vector is made anew."""
    await _add(world, "the heron stood in the pond", valid_until=world.clock.now() - 1)
    columns = await world.rows("SELECT name FROM pragma_table_info('items')")
    await _cleanup(world).run()
    ((body,),) = await world.rows("SELECT body FROM archive")
    made_anew = {"key", "embedding", "embedder"}
    assert set(json.loads(body)["fields"]) == {name for (name,) in columns} - made_anew


async def test_a_restored_fact_without_turns_is_no_orphan(world: World) -> None:
    """A person vouches for it, also where its words are gone."""
    item = await _add(world, "the heron stood in the pond")
    world.clock.turn(400 * DAY_S)
    await _cleanup(world, retention_days=30).run()
    assert await world.turns() == []
    await world.curation.restore(Scope(), item.id)
    assert sum(_removed(await _cleanup(world).run()).values()) == 0
    assert await _ids(world) == {item.id}


async def test_a_restored_fact_holds_even_if_what_replaced_it_is_gone(world: World) -> None:
    """Restore undoes cleanup and supersession at once."""
    item = await _add(world, "the heron stood in the pond")
    await world.database.write(
        lambda c: c.execute("UPDATE items SET superseded_by = 'm-gone', superseded_at = 1")
    )
    world.clock.turn(400 * DAY_S)
    await _cleanup(world).run()
    assert (await world.curation.restore(Scope(), item.id)).superseded_by is None


async def test_the_archive_is_kept_for_its_days(world: World) -> None:
    """After `archive_days` what was archived is gone for good, and the recall log with it."""
    await _add(world, "the sky was grey")
    now = world.clock.now()
    await world.database.write(
        lambda c: c.execute(
            "INSERT INTO recall_log VALUES (1, 'default', 's', 'q', '[]', '[]', .75, NULL, ?)", (now,)
        )
    )
    world.clock.turn(60 * DAY_S)
    await _cleanup(world).run()
    world.clock.turn(90 * DAY_S)
    await _cleanup(world).run()
    assert await world.rows("SELECT count(*) FROM archive") == [(1,)]
    assert await world.rows("SELECT count(*) FROM recall_log") == [(0,)]
    world.clock.turn(1)
    assert (await _cleanup(world).run()).counts["archive_dropped"] == 1


@pytest.mark.parametrize(("days", "left"), [(0, 2), (30, 1)])
async def test_words_go_after_their_days_unless_a_fact_rests_on_them(
    world: World, days: int, left: int
) -> None:
    """By default what was said is kept; with a retention only turns that no fact needs go."""
    await world.take("hello there", "idle")
    pinned = await _add(world, "the spare key is at the neighbour's")
    await world.curation.pin(Scope(), pinned.id, pinned=True)
    world.clock.turn(31 * DAY_S)
    await _cleanup(world, retention_days=days).run()
    assert len(await world.turns()) == left
    found = await world.database.read(lambda c: fulltext.search(c, "default", ["hello"], 5))
    assert len(found) == left - 1


async def test_a_run_for_one_user_leaves_the_others_alone(world: World) -> None:
    """Neither their facts nor their archive nor their queue, not even as of the far future."""
    for user in ("a", "b"):
        await _add(world, "the sky was grey", Scope(user))
        await world.say("the wind was cold", "k", scope=Scope(user))
    world.clock.turn(400 * DAY_S)
    await _cleanup(world).run(user_id="b")
    before = await world.rows("SELECT id FROM archive WHERE user_id = 'b' ORDER BY id")
    queue = await world.rows("SELECT * FROM capture_queue WHERE user_id = 'b'")
    await _cleanup(world).run(user_id="a", as_of=world.clock.now() + 10_000 * DAY_S)
    assert await world.facts("a") == []
    assert len(before) == 2
    assert await world.rows("SELECT id FROM archive WHERE user_id = 'b' ORDER BY id") == before
    assert await world.rows("SELECT * FROM capture_queue WHERE user_id = 'b'") == queue
