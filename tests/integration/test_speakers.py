"""In a group everybody speaks for themselves."""

from memory.model import Scope
from tests.world import World


async def say(world: World, text: str, key: str, sender: str | None, at: int) -> None:
    """One turn of a group, worked on."""
    await world.take(text, key, scope=Scope(session_id="group"), sender=sender, timestamp=at)
    await world.learn()


async def live(world: World) -> list[str]:
    """The facts that hold."""
    rows = await world.rows("SELECT content FROM items WHERE superseded_by IS NULL ORDER BY key")
    return [row[0] for row in rows]


async def test_nobody_overrules_another(world: World) -> None:
    """Bob's flat does not end Ann's."""
    await say(world, "I live in Oslo", "1", "Ann", 100)
    await say(world, "I live in Bergen now", "2", "Bob", 200)
    assert await live(world) == ["I live in Oslo", "I live in Bergen now"]


async def test_everybody_may_correct_themselves(world: World) -> None:
    """The same sender's later word counts."""
    await say(world, "I live in Oslo", "1", "Ann", 100)
    await say(world, "I live in Bergen now", "2", "Ann", 200)
    assert await live(world) == ["I live in Bergen now"]


async def test_an_unnamed_speaker_among_several_is_at_most_doubted(world: World) -> None:
    """Nobody knows whether it is the same person: both stay, linked as maybe."""
    await say(world, "Hello, I am Bob", "0", "Bob", 50)
    await say(world, "I live in Oslo", "1", "Ann", 100)
    await say(world, "I live in Bergen now", "2", None, 200)
    assert {"I live in Oslo", "I live in Bergen now"} <= set(await live(world))
    assert ("maybe",) in await world.rows("SELECT relation FROM item_links")


async def test_one_person_is_the_same_with_and_without_a_name(world: World) -> None:
    """A channel names the sender, a terminal does not."""
    await say(world, "I live in Oslo", "1", "Ann", 100)
    await say(world, "I live in Bergen now", "2", None, 200)
    assert await live(world) == ["I live in Bergen now"]


async def test_the_same_words_of_two_people_are_two_facts(world: World) -> None:
    """Ann's tea is not Bob's."""
    await say(world, "I prefer tea over coffee", "1", "Ann", 100)
    await say(world, "I prefer tea over coffee", "2", "Bob", 200)
    assert len(await live(world)) == 2
