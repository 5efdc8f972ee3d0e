"""Talks between people: which turns stand around a turn, and who is heard at all."""

import re
from collections.abc import Callable
from typing import Any

import apsw
import pytest

from memory.model import Role, Scope
from memory.store import counting, resources, speakers, talks
from memory.store.talks import Place
from tests.world import World

START = 1_770_000_000
# What a plan may go through row by row: what was asked for, and what it found so far.
_OWN_ROWS = re.compile(r"SCAN (session|heard|json_each|CONSTANT ROW|\(subquery-\d+\))(?!\w)")


async def said(world: World, at: int, sender: str | None, **fields: Any) -> int:
    """A turn of a group chat, so many seconds after its start; its number."""
    scope = Scope(fields.pop("user", "default"), session_id=fields.pop("session", "group"))
    key = f"{sender} {at} {fields.get('role', '')} {scope.session_id}"
    taken = await world.take(
        f"words of {key}", key, scope=scope, sender=sender, timestamp=START + at, **fields
    )
    assert taken.stored is not None
    return taken.stored.key


async def places(world: World, *keys: int, user: str = "default") -> dict[int, Place]:
    """Where turns stand."""
    return await world.database.read(lambda c: talks.places(c, user, keys))


async def names(world: World, user: str = "default") -> list[str]:
    """Who is heard."""
    return await world.database.read(lambda c: speakers.names(c, user))


async def test_the_two_turns_on_each_side_stand_around_a_turn_the_nearest_first(world: World) -> None:
    """In the order of their own time, whatever arrived first."""
    third, first, fifth, second, sixth, fourth = [
        await said(world, at, sender) for at, sender in zip((3, 1, 5, 2, 6, 4), "ABABAB", strict=True)
    ]
    assert await places(world, third, first, sixth) == {
        third: Place("A", (second, first), (fourth, fifth)),
        first: Place("B", (), (second, third)),
        sixth: Place("A", (fifth, fourth), ()),
    }


async def test_turns_of_one_second_stand_as_they_arrived(world: World) -> None:
    """Clients send whole seconds, so that many turns share one."""
    first, second, third = [await said(world, 7, sender) for sender in ("Ann", "Bob", "Cid")]
    found = await places(world, first, second, third)
    assert [found[key].before for key in (first, second, third)] == [(), (first,), (second, first)]
    assert [found[key].after for key in (first, second, third)] == [(second, third), (third,), ()]


async def test_turns_of_another_session_stand_not_between(world: World) -> None:
    """Two groups that talk at the same time are two talks."""
    here = await said(world, 1, "Ann")
    there = await said(world, 2, "Ann", session="family")
    answer = await said(world, 3, "Bob")
    other = await said(world, 4, "Cid", session="family")
    found = await places(world, here, there, answer, other)
    assert (found[here].after, found[there].after) == ((answer,), (other,))


async def test_a_session_of_the_same_name_of_another_user_is_another(world: World) -> None:
    """Nobody's turns stand beside those of a stranger, and nobody sees a stranger's place."""
    mine = await said(world, 1, "Ann")
    strange = [await said(world, at, sender, user="ben") for at, sender in ((2, "Bob"), (4, "Cid"))]
    answer = await said(world, 3, "Dan")
    assert await places(world, mine, *strange) == {mine: Place("Ann", (), (answer,))}
    assert set(await places(world, mine, *strange, user="ben")) == set(strange)


async def test_a_stranger_s_words_make_no_talk(world: World) -> None:
    """One sender here and one in a stranger's session of the same name are no two people."""
    mine = await said(world, 1, "Ann")
    await said(world, 2, "Bob", user="ben")
    assert await places(world, mine) == {}


async def test_where_one_person_speaks_there_is_no_talk(world: World) -> None:
    """Whoever talks to an agent alone has a name too, and the agent is nobody to talk to."""
    alone = [await said(world, at, "Ann") for at in range(3)]
    await said(world, 4, "memud", role=Role.ASSISTANT)
    assert await places(world, *alone) == {}


async def test_turns_of_the_assistant_are_passed_over(world: World) -> None:
    """It stands in no talk, and between nobody."""
    question = await said(world, 1, "Ann")
    reply = await said(world, 2, "memud", role=Role.ASSISTANT)
    answer = await said(world, 3, "Bob")
    assert await places(world, question, reply, answer) == {
        question: Place("Ann", (), (answer,)),
        answer: Place("Bob", (question,), ()),
    }


async def test_who_is_not_named_is_heard_and_has_no_place(world: World) -> None:
    """A turn without a sender is a neighbour like any other."""
    question = await said(world, 1, "Ann")
    unnamed = await said(world, 2, None)
    answer = await said(world, 3, "Bob")
    assert await places(world, question, unnamed, answer) == {
        question: Place("Ann", (), (unnamed, answer)),
        answer: Place("Bob", (unnamed, question), ()),
    }


async def test_turns_of_no_session_stand_in_no_talk(world: World) -> None:
    """Nobody knows that they belong together."""
    keys = [await said(world, at, sender, session=None) for at, sender in ((1, "Ann"), (2, "Bob"))]
    assert await places(world, *keys) == {}


async def test_numbers_that_are_no_turns_have_no_place(world: World) -> None:
    """Facts are among the candidates too."""
    first, _ = await said(world, 1, "Ann"), await said(world, 2, "Bob")
    assert set(await places(world, first, 0, -1, 2**62)) == {first}
    assert await places(world) == {}


async def test_everybody_is_named_once(world: World) -> None:
    """However often they speak, in whichever session; the agent and the unnamed are nobody."""
    for at, sender in enumerate(["Bob", "Ann", "小明", "Ann", None, "Bob", "élodie"]):
        await said(world, at, sender, session=f"s{at % 2}")
    await said(world, 9, "memud", role=Role.ASSISTANT)
    assert sorted(await names(world)) == ["Ann", "Bob", "élodie", "小明"]


async def test_nobody_is_named_to_a_stranger(world: World) -> None:
    """Who speaks with another user is nobody's business."""
    await said(world, 1, "Ann")
    await said(world, 2, "Bob", user="ben")
    assert (await names(world), await names(world, "ben"), await names(world, "cid")) == (
        ["Ann"],
        ["Bob"],
        [],
    )


async def test_of_a_crowd_only_so_many_are_named(world: World) -> None:
    """A channel of thousands costs no more than MAX_NAMES looks."""
    for at in range(speakers.MAX_NAMES + 5):
        await said(world, at, f"guest {at:04}")
    found = await names(world)
    assert len(found) == len(set(found)) == speakers.MAX_NAMES


async def test_what_was_said_between_two_moments_is_found_the_latest_first(world: World) -> None:
    """Both moments are within; the assistant's words and a stranger's are not, and no more than asked for."""
    keys = [await said(world, at, "Ann") for at in (10, 20, 30, 40)]
    await said(world, 25, "memud", role=Role.ASSISTANT)
    await said(world, 26, "Bob", user="ben")

    async def between(start: int, until: int, limit: int = 9) -> list[int]:
        return await world.database.read(
            lambda c: resources.keys_between(c, Scope(), START + start, START + until, limit)
        )

    assert await between(10, 30) == [keys[2], keys[1], keys[0]]
    assert await between(11, 39) == [keys[2], keys[1]]
    assert await between(0, 99, limit=2) == [keys[3], keys[2]]
    assert await between(41, 99) == await between(30, 10) == []


async def test_texts_of_a_time_are_counted_for_one_user(world: World) -> None:
    """Turns and facts, from the first moment up to the last; the last belongs to what follows."""
    for at in (10, 20, 30):
        await said(world, at, "Ann")
    await said(world, 20, "Bob", user="ben")
    await world.learn()

    async def count(start: int, end: int, user: str = "default") -> int:
        return await world.database.read(
            lambda c: counting.texts_between(c, user, START + start, START + end)
        )

    assert (await count(10, 30), await count(10, 31), await count(11, 20)) == (4, 6, 0)
    assert (await count(0, 99, "ben"), await count(0, 99, "cid")) == (2, 0)


@pytest.mark.parametrize(
    "read",
    [
        lambda c: talks.places(c, "default", [1, 2]),
        lambda c: speakers.names(c, "default"),
        lambda c: resources.keys_between(c, Scope(), START, START + 9, 5),
        lambda c: counting.texts_between(c, "default", START, START + 9),
    ],
    ids=["places", "names", "keys_between", "texts_between"],
)
async def test_a_look_into_talks_costs_the_same_in_a_large_store(
    world: World, read: Callable[[apsw.Connection], object]
) -> None:
    """No row is gone through but those asked for: each is found in an index, by more than its user."""
    plan = await world.database.read(lambda c: _plan(c, read))
    assert any("SEARCH" in step for step in plan)
    for step in plan:
        assert not step.startswith("SCAN") or _OWN_ROWS.match(step), step
        assert not step.endswith("(user_id=?)"), step


def _plan(connection: apsw.Connection, read: Callable[[apsw.Connection], object]) -> list[str]:
    """How SQLite goes about the statements of a read."""
    statements: list[tuple[str, Any]] = []

    def note(_: object, sql: str, values: Any) -> bool:
        statements.append((sql, values))
        return True

    connection.exec_trace = note
    try:
        read(connection)
    finally:
        connection.exec_trace = None
    return [
        str(row[3])
        for sql, values in statements
        for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", values)
    ]
