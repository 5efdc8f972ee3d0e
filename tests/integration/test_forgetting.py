"""`forget`: no word stays, what others said too stays, and nothing comes back by itself."""

import random

import apsw
import pytest

from jobs.cleanup import Cleanup
from jobs.summaries import Summaries
from memory import forgetting, outbox
from memory.errors import NotFoundError
from memory.extract.rules import RulesExtractor
from memory.knowledge.curation import Statement
from memory.model import DAY_S, Evidence, Origin, Prediction, Scope
from memory.proactive import recording
from memory.session import Sessions
from memory.store import links
from memory.terms import index_terms
from tests.world import World, bytes_of

SECRETIVE = "My zanzibar xylophone belongs to Quillfeather"
WORDS = ("zanzibar", "xylophon", "quillfeath")


async def _forget(world: World, memory_id: str, user_id: str = "default") -> forgetting.Purge:
    return await world.curation.forget(Scope(user_id), memory_id, dry_run=False)


def _traces(world: World, words: tuple[str, ...] = WORDS) -> list[str]:
    """Which of the words, in whatever case, are still somewhere on disk."""
    written = bytes_of(world.database.path).lower()
    return [word for word in words if word.encode() in written]


async def test_a_turn_goes_with_its_facts(world: World) -> None:
    """Forgetting a turn purges it and the facts it alone stated."""
    turn_id = await world.say(SECRETIVE, "k")
    await world.say("I like tea", "other")
    purge = await _forget(world, turn_id)
    assert purge.resource_ids == (turn_id,)
    assert len(purge.item_ids) == 1
    assert await world.turns() == ["I like tea"]
    assert [fact.memory for fact in await world.facts()] == ["I like tea"]
    assert len(world.index) == 2
    assert _traces(world) == []


async def test_a_fact_goes_with_the_turns_it_came_from(world: World) -> None:
    """Forgetting a fact purges every turn that stated it."""
    first = await world.say(SECRETIVE, "k")
    second = await world.say(SECRETIVE.upper(), "k2", scope=Scope(session_id="z"))
    (fact,) = await world.facts()
    purge = await _forget(world, fact.id)
    assert purge.item is not None
    assert purge.item.id == fact.id
    assert set(purge.resource_ids) == {first, second}
    assert await world.turns() == []
    assert _traces(world) == []


async def test_a_fact_that_others_state_too_stays_in_their_words(world: World) -> None:
    """What was said elsewhere survives, but not in the forgotten wording, nor as a version of it."""
    first = await world.say("I LOVE  zanzibar tea", "k")
    await world.say("i love zanzibar TEA", "k2")
    (fact,) = await world.facts()
    assert fact.memory == "I LOVE  zanzibar tea"
    await _forget(world, first)
    (left,) = await world.facts()
    assert (left.id, left.memory) == (fact.id, "i love zanzibar TEA")
    history = await world.curation.history(Scope(), fact.id)
    assert [version.memory for version in history.versions] == ["i love zanzibar TEA"]
    assert b"LOVE  zanzibar" not in bytes_of(world.database.path)


async def test_a_restated_wording_goes_with_its_turn(world: World) -> None:
    """A version of a fact belongs to the turn that said it."""
    await world.say("I love zanzibar tea", "k")
    second = await world.say("I LOVE  zanzibar tea", "k2")
    await _forget(world, second)
    (left,) = await world.facts()
    assert left.memory == "I love zanzibar tea"
    assert await world.rows("SELECT content FROM item_versions") == []
    assert left.stated_at == left.sources[0].timestamp


async def test_a_reworded_fact_gets_a_vector_of_its_new_words(world: World) -> None:
    """The old words' vector must not answer for the new ones."""
    first = await world.say("I LOVE  zanzibar tea", "k")
    await world.say("i love zanzibar TEA", "k2")
    (fact,) = await world.facts()
    await _forget(world, first)
    assert await world.rows("SELECT id FROM items WHERE embedding IS NULL") == [(fact.id,)]
    assert len(world.index) == 1  # the turn that is left


async def test_a_fact_said_in_public_is_private_again_without_that_turn(world: World) -> None:
    """A fact is as private as the turns that are left."""
    public = await world.say("I love zanzibar tea", "k", private=False)
    await world.say("i love zanzibar tea", "k2")
    assert not (await world.facts())[0].private
    await _forget(world, public)
    assert (await world.facts())[0].private


async def test_an_edited_fact_loses_the_words_it_had_before(world: World) -> None:
    """The wording before an edit came from the turn and goes with it, as the edit itself does."""
    turn_id = await world.say(SECRETIVE, "k")
    (fact,) = await world.facts()
    await world.curation.update(Scope(), fact.id, {"memory": "I own an instrument"})
    await _forget(world, turn_id)
    assert await world.facts() == []
    assert _traces(world, (*WORDS, "instrument")) == []


async def test_what_was_derived_goes_too(world: World) -> None:
    """Predictions, notices, summaries, the recall log and the archive do not repeat forgotten words."""
    turn_id = await world.say(SECRETIVE, "k")
    now = world.clock.now()
    prediction = Prediction(
        "commitment", SECRETIVE, SECRETIVE, SECRETIVE, 0.9, (Evidence(turn_id),), now, now + DAY_S
    )
    sessions = Sessions(world.settings.compaction, world.new_id)

    def derive(connection: apsw.Connection) -> None:
        item = recording.record(connection, "default", prediction, "p-1", now)
        assert item is not None
        outbox.post(connection, "proactive", item, now, user_id="default", subject_id=item.id)
        sessions.compact(connection, Scope(session_id="s"), "manual", None, now)
        connection.execute(
            "INSERT INTO recall_log VALUES (1, 'default', 's', ?, '[]', '[]', .75, NULL, ?)", (SECRETIVE, now)
        )

    await world.database.write(derive)
    await _forget(world, turn_id)
    for table in ("proactive_items", "outbox", "session_summaries", "recall_log", "archive"):
        assert await world.rows(f"SELECT count(*) FROM {table}") == [(0,)], table  # noqa: S608
    assert _traces(world) == []


async def test_notices_of_others_stay(world: World) -> None:
    """Only what repeats the words is taken back."""
    turn_id = await world.say(SECRETIVE, "k")
    await world.database.write(
        lambda c: outbox.post(c, "compaction", {"session_id": "s"}, world.clock.now(), user_id="default")
    )
    await _forget(world, turn_id)
    assert await world.rows("SELECT count(*) FROM outbox") == [(1,)]


async def _clean_up(world: World) -> None:
    world.clock.turn(2_000 * DAY_S)
    cleanup = Cleanup(
        world.database, world.generations, world.settings.cleanup, world.settings.resources, world.clock
    )
    await cleanup.run()


async def test_an_archived_fact_goes_with_its_turn(world: World) -> None:
    """What the cleanup put away is no hiding place."""
    turn_id = await world.say(SECRETIVE, "k")
    await _clean_up(world)
    assert await world.rows("SELECT count(*) FROM archive") == [(1,)]
    await _forget(world, turn_id)
    assert await world.rows("SELECT count(*) FROM archive") == [(0,)]
    assert _traces(world) == []


async def test_an_archived_fact_can_be_forgotten_by_its_id(world: World) -> None:
    """It goes with its turns, as a live one does."""
    await world.say(SECRETIVE, "k")
    (fact,) = await world.facts()
    await _clean_up(world)
    purge = await _forget(world, fact.id)
    assert len(purge.resource_ids) == 1
    assert await world.turns() == []
    assert _traces(world) == []
    with pytest.raises(NotFoundError):
        await world.curation.restore(Scope(), fact.id)


async def test_an_older_fact_holds_again_when_its_successor_is_forgotten(world: World) -> None:
    """Without the newer word the older one holds."""
    older = (await world.curation.add(Scope(), Statement("I live in Lyon.", infer=False))).stored.item
    world.clock.turn(60)
    newer = (await world.curation.add(Scope(), Statement("I live in Oslo.", infer=False))).stored.item
    await world.database.write(lambda c: links.supersede(c, newer.id, older.id, "test", 0))
    await _forget(world, newer.id)
    assert (await world.curation.get(Scope(), older.id)).superseded_by is None


async def test_an_older_fact_stays_superseded_when_a_newer_one_than_the_forgotten_holds(world: World) -> None:
    """Paris, Rome, Vienna: without Rome it is still Vienna, and Paris again without both."""
    paris, rome, vienna = [
        (
            await world.curation.add(Scope(), Statement(f"I live in {city}.", infer=False, timestamp=when))
        ).stored.item
        for when, city in enumerate(("Paris", "Rome", "Vienna"), 1)
    ]
    await world.database.write(lambda c: links.supersede(c, rome.id, paris.id, "test", 2))
    await world.database.write(lambda c: links.supersede(c, vienna.id, rome.id, "test", 3))
    await _forget(world, rome.id)
    assert (await world.curation.get(Scope(), paris.id)).superseded_by == vienna.id
    history = await world.curation.history(Scope(), vienna.id)
    assert [version.id for version in history.versions] == [vienna.id, paris.id]
    await _forget(world, vienna.id)
    assert (await world.curation.get(Scope(), paris.id)).superseded_by is None


async def test_a_category_of_forgotten_facts_alone_goes_with_its_name(world: World) -> None:
    """A group that is left empty is no trace; one that has others stays, without its summary."""
    turn_id = await world.say(SECRETIVE, "k")
    await world.say("I like tea", "k2")
    mine, other = await world.facts()
    await world.curation.update(Scope(), mine.id, {"categories": ["Quillfeather", "things"]})
    await world.curation.update(Scope(), other.id, {"categories": ["things"]})
    await Summaries(world.database, None).write(None, world.clock.now())
    assert SECRETIVE in str(await world.rows("SELECT text FROM category_sentences"))
    await _forget(world, turn_id)
    assert await world.rows("SELECT name, dirty FROM categories") == [("things", 1)]
    assert await world.rows("SELECT text FROM category_sentences") == [("I like tea",)]
    assert _traces(world) == []


async def test_tombstones_have_no_words(world: World) -> None:
    """Keys and hashes recognise what was forgotten; nobody can read it from them."""
    turn_id = await world.say(SECRETIVE, "the-key")
    await _forget(world, turn_id)
    rows = await world.rows("SELECT subject, length(value) FROM tombstones ORDER BY subject, value")
    assert rows == [("content", 64), ("event_key", len("the-key"))]


async def test_forgotten_words_stay_away_from_imports_and_come_back_from_the_user(world: World) -> None:
    """The tombstone outlives replay and import, yet a new statement counts again."""
    turn_id = await world.say(SECRETIVE, "k")
    await _forget(world, turn_id)
    assert (await world.take(SECRETIVE, "k")).duplicate_of == ""
    assert (await world.take(SECRETIVE, "i", origin=Origin.IMPORT)).skipped == "forgotten"
    await world.say(SECRETIVE, "new")
    assert [fact.memory for fact in await world.facts()] == [SECRETIVE]


async def test_a_forgotten_fact_stays_away_from_an_import_in_another_sentence(world: World) -> None:
    """What was forgotten is known by the fact too, not by its turn alone."""
    world = World.build(
        world.database,
        world.settings,
        world.clock,
        world.new_id,
        embedder=world.embedder,
        extractor=RulesExtractor(5),
    )
    await _forget(world, await world.say("I prefer tea over coffee.", "k"))
    await world.say("Hi! I prefer tea over coffee. I live in Oslo.", "i", origin=Origin.IMPORT)
    assert [fact.memory for fact in await world.facts()] == ["I live in Oslo"]
    await world.say("Hello! I prefer tea over coffee.", "new")
    assert [fact.memory for fact in await world.facts()] == ["I live in Oslo", "I prefer tea over coffee"]


async def test_another_user_s_words_are_not_touched(world: World) -> None:
    """Neither by id nor by content."""
    await world.say(SECRETIVE, "k", scope=Scope("b"))
    mine = await world.say(SECRETIVE, "k", scope=Scope("a"))
    (theirs,) = await world.rows("SELECT id FROM resources WHERE user_id = 'b'")
    with pytest.raises(NotFoundError):
        await _forget(world, theirs[0], "a")
    await _forget(world, mine, "a")
    assert await world.turns("b") == [SECRETIVE]
    assert len(await world.facts("b")) == 1


async def test_a_preview_changes_nothing(world: World) -> None:
    """A dry run names what would go."""
    turn_id = await world.say(SECRETIVE, "k")
    purge = await world.curation.forget(Scope(), turn_id, dry_run=True)
    assert purge.resource_ids == (turn_id,)
    assert list(purge.items) == await world.facts()
    assert len(purge.items) == 1


async def test_an_unknown_id_is_refused(world: World) -> None:
    """Nothing is forgotten by mistake."""
    with pytest.raises(NotFoundError):
        await _forget(world, "m-nothing")


@pytest.mark.parametrize("seed", range(4))
async def test_no_forgotten_word_stays_on_disk_in_a_store_with_a_past(world: World, seed: int) -> None:
    """After edits, restatements and merges of full text: neither words nor stems are left."""
    rng = random.Random(seed)  # noqa: S311 - no secrets
    syllables = ["ka", "lo", "mi", "tar", "ven", "su", "rob", "ne", "qua", "dil", "gor", "pim"]

    def sentence(marker: str) -> str:
        words = ["".join(rng.choices(syllables, k=3)) for _ in range(rng.randrange(4, 40))]
        words.insert(rng.randrange(len(words)), marker)
        return " ".join(words) + f" {marker}长颈鹿博物馆"

    victims = {f"zyzzyva{n}qx": "" for n in range(6)}
    for n in range(120):
        await world.take(sentence("plain"), f"p{n}", scope=Scope(session_id=f"s{n % 7}"))
        if n % 20 == 0:
            marker = f"zyzzyva{n // 20}qx"
            taken = await world.take(sentence(marker), f"v{n}", scope=Scope(session_id="v"))
            assert taken.stored is not None
            victims[marker] = taken.stored.id
        if n % 10 == 0:
            await world.learn()
            fact = rng.choice(await world.facts())
            await world.curation.update(Scope(), fact.id, {"memory": fact.memory + " edited"})
    await world.learn()
    for turn_id in victims.values():
        await _forget(world, turn_id)
    stems = tuple(term for marker in victims for term in (marker, *index_terms(marker)))
    assert _traces(world, stems) == []
    assert await world.rows("PRAGMA integrity_check") == [("ok",)]


async def test_pages_that_were_freed_before_hold_no_forgotten_word(world: World) -> None:
    """What the archive dropped lies on in free pages; forgetting takes those out of the file."""
    turn_id = await world.say(SECRETIVE + " and more" * 20_000, "k")
    await _clean_up(world)
    await world.database.write(lambda c: c.execute("DELETE FROM archive"))
    assert (await world.rows("PRAGMA freelist_count"))[0][0] > 0
    await _forget(world, turn_id)
    assert _traces(world) == []
    assert await world.rows("PRAGMA freelist_count") == [(0,)]
