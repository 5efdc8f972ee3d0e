"""What of a stored turn repeats a prediction is left out wherever something is drawn from turns."""

import apsw

from memory.model import DAY_S, Evidence, Prediction, Role
from memory.proactive import recording
from memory.store import resources, retold
from memory.vectors import loading
from tests.world import World

TOLD = "You have asked about “NVDA” three times since Monday: prepare it?"
MIXED = f"> {TOLD}\n\nyes, and I prefer tea over coffee"


async def _foresee(world: World) -> None:
    """A prediction that rests on one turn."""
    turn_id = await world.say("price of NVDA?", "k0")
    now = world.clock.now()
    one = Prediction(
        "repeated_intent", "NVDA", TOLD, "asked", 0.8, (Evidence(turn_id),), None, now + 7 * DAY_S
    )
    await world.database.write(lambda c: recording.record(c, "default", one, "p-1", now))


async def _own(world: World, turn_id: str) -> str | None:
    def read(connection: apsw.Connection) -> str | None:
        turn = resources.by_id(connection, "default", turn_id)
        assert turn is not None
        own = retold.own(connection, turn)
        return own.turn.text.strip() if own else None

    return await world.database.read(read)


async def test_a_turn_keeps_its_own_words(world: World) -> None:
    """For the extractor and for its vector, by another model, too; the turn stays as it was said."""
    await _foresee(world)
    turn_id = await world.say(MIXED, "k1")
    assert await _own(world, turn_id) == "yes, and I prefer tea over coffee"
    assert [fact.memory.strip() for fact in await world.facts()][1:] == ["yes, and I prefer tea over coffee"]
    assert (await world.turns())[-1] == MIXED
    waiting = await world.database.read(lambda c: loading.pending(c, "another-model", 10))
    assert not any("three times" in one.text for one in waiting)


async def test_a_turn_without_words_of_its_own_gives_nothing(world: World) -> None:
    """Neither from the user nor from anybody else."""
    await _foresee(world)
    for number, role in enumerate((Role.USER, Role.ASSISTANT, Role.TOOL), 1):
        assert await _own(world, await world.say(TOLD, f"k{number}", role=role)) is None


async def test_before_it_was_foreseen_the_same_words_were_the_users(world: World) -> None:
    """And long after it is over they are again."""
    await _foresee(world)
    early = await world.say(TOLD, "k1", timestamp=world.clock.now() - DAY_S)
    world.clock.turn(7 * DAY_S + retold.REMEMBERED_S + 1)
    late = await world.say(TOLD, "k2")
    assert [await _own(world, one) for one in (early, late)] == [TOLD, TOLD]
