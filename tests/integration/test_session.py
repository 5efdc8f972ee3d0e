"""Compaction: due once per crossing, one summary a cycle; and what a restarted agent resumes with."""

import pytest

from memory.model import Role, Scope
from memory.session import Compaction, Sessions, Summary
from memory.store import resources
from tests.world import World

SCOPE = Scope(session_id="s")


@pytest.fixture
def sessions(world: World) -> Sessions:
    return Sessions(world.settings.compaction, world.new_id)


async def _note(world: World, sessions: Sessions, ratio: float | None, scope: Scope = SCOPE) -> Compaction:
    return await world.database.write(lambda c: sessions.note(c, scope, ratio, world.clock.now()))


async def _compact(
    world: World, sessions: Sessions, ratio: float | None = None, scope: Scope = SCOPE
) -> Summary:
    return await world.database.write(
        lambda c: sessions.compact(c, scope, "manual", ratio, world.clock.now())
    )


@pytest.mark.parametrize(
    ("ratios", "due_at"),
    [
        ((0.5, 0.79, 0.80, 0.85, 0.99), (2,)),
        ((0.60, 1.05), (1,)),
        ((0.85, 0.75, 0.85), (0,)),
        ((0.85, 0.69, 0.85), (0, 2)),
        ((0.85, 0.70, 0.85), (0,)),
        ((0.1, 0.2), ()),
        ((0.81, 0.3, 0.81, 0.3, 0.81), (0, 2, 4)),
    ],
)
async def test_compaction_is_due_once_for_each_crossing(
    world: World, sessions: Sessions, ratios: tuple[float, ...], due_at: tuple[int, ...]
) -> None:
    """From 80 %, also by a jump; again only after the window fell under 70 %."""
    noted = [await _note(world, sessions, ratio) for ratio in ratios]
    assert tuple(place for place, one in enumerate(noted) if one.due) == due_at
    assert [one.ratio for one in noted] == list(ratios)


async def test_each_session_has_its_own_crossing(world: World, sessions: Sessions) -> None:
    """Neither another session nor another user's session of the same name counts."""
    assert (await _note(world, sessions, 0.9)).due
    assert (await _note(world, sessions, 0.9, Scope(session_id="z"))).due
    assert (await _note(world, sessions, 0.9, Scope("other", None, "s"))).due


async def test_without_a_session_nothing_is_due(world: World, sessions: Sessions) -> None:
    """There is nothing to compact."""
    assert await _note(world, sessions, 0.95, Scope()) == Compaction(False, 0.95)


async def test_a_turn_without_a_ratio_does_not_arm_a_session_that_tells_one(
    world: World, sessions: Sessions
) -> None:
    """An agent that tells its ratio now and then gets no second alarm for one crossing."""
    await world.say("I play the cello.", "a")
    assert (await _note(world, sessions, 0.85)).due
    await _compact(world, sessions)
    await _note(world, sessions, None)
    assert not (await _note(world, sessions, 0.86)).due


async def test_a_second_call_in_one_cycle_gives_the_same_summary(world: World, sessions: Sessions) -> None:
    """Also after more turns, with or without a ratio: a repeated call has no second effect."""
    await world.say("I play the cello.", "a")
    await _note(world, sessions, 0.85)
    first = await _compact(world, sessions, 0.85)
    assert "cello" in first.text
    assert first.item_ids == tuple(fact.id for fact in await world.facts())
    assert await _compact(world, sessions, 0.85) == first
    await world.say("I sold the piano.", "b")
    assert await _compact(world, sessions, 0.86) == first
    assert await _compact(world, sessions) == first


async def test_a_repeated_call_from_a_half_empty_window_finds_its_summary(
    world: World, sessions: Sessions
) -> None:
    """A manual compaction at 50 %, sent twice, is one compaction."""
    await world.say("I play the cello.", "a")
    first = await _compact(world, sessions, 0.5)
    assert "cello" in first.text
    assert await _compact(world, sessions, 0.5) == first


async def test_the_next_cycle_sums_up_what_is_new(world: World, sessions: Sessions) -> None:
    """Once the window has emptied, a summary covers the turns since the last one."""
    await world.say("I play the cello.", "a")
    await _note(world, sessions, 0.85)
    assert (await _compact(world, sessions)).cycle == 1
    await _note(world, sessions, 0.2)
    await world.say("I sold the piano.", "b")
    assert (await _note(world, sessions, 0.9)).due
    second = await _compact(world, sessions)
    assert second.cycle == 2
    assert "piano" in second.text
    assert "cello" not in second.text


async def test_a_crossing_after_an_early_summary_begins_a_cycle(world: World, sessions: Sessions) -> None:
    """A summary made below the mark does not stand for what comes until the window is full."""
    await world.say("I play the cello.", "a")
    await _note(world, sessions, 0.72)
    await _compact(world, sessions, 0.72)
    await world.say("I sold the piano.", "b")
    assert (await _note(world, sessions, 0.85)).due
    assert "piano" in (await _compact(world, sessions, 0.85)).text


async def test_without_a_ratio_the_next_turn_begins_a_cycle(world: World, sessions: Sessions) -> None:
    """An agent that never tells how full its window is can compact again and again."""
    await world.say("I play the cello.", "a")
    first = await _compact(world, sessions)
    await world.say("I sold the piano.", "b")
    await _note(world, sessions, None)
    second = await _compact(world, sessions)
    assert (first.cycle, second.cycle) == (1, 2)
    assert "piano" in second.text
    assert "cello" not in second.text


async def test_an_empty_session_has_no_summary(world: World, sessions: Sessions) -> None:
    """Nothing was said, nothing is stored, and what is said later is summed up."""
    assert (await _compact(world, sessions, 0.75)).text == ""
    await world.say("I play the cello.", "a")
    assert "cello" in (await _compact(world, sessions, 0.75)).text


async def test_turns_that_arrive_out_of_order_are_summed_up_once(world: World, sessions: Sessions) -> None:
    """What was covered is told by arrival, not by the time it was said."""
    now = world.clock.now()
    await world.say("I play the cello.", "a", timestamp=now)
    await world.say("I sold the piano.", "b", timestamp=now - 1000)
    await _compact(world, sessions)
    await world.say("I bought a flute.", "c", timestamp=now)
    await _note(world, sessions, None)
    assert (await _compact(world, sessions)).text.count("piano") == 0


async def test_a_summary_is_short_and_in_the_session_s_own_words(world: World, sessions: Sessions) -> None:
    """Extractive: every line is a fact or a turn of the session, within the budget."""
    said = [f"I bought thing number {n}, which is blue and heavy." for n in range(60)]
    for n, words in enumerate(said):
        await world.take(words, str(n))
    await world.learn()
    text = (await _compact(world, sessions)).text
    lines = text.splitlines()
    assert lines
    assert all(line.removeprefix("- ").removeprefix("> ") in said for line in lines)
    assert len(text) < 4 * world.settings.compaction.summary_tokens


async def test_the_latest_summary_is_what_an_agent_resumes_with(world: World, sessions: Sessions) -> None:
    """The newest cycle's, hidden from groups when any of its turns is private."""
    await world.say("I play the cello.", "a")
    await _compact(world, sessions)
    await world.say("I sold the piano.", "b", private=False)
    await _note(world, sessions, None)
    await _compact(world, sessions)
    read = world.database.read
    assert "piano" in (await read(lambda c: sessions.latest_summary(c, SCOPE)) or "")
    group = Scope(session_id="s", public_only=True)
    assert "piano" in (await read(lambda c: sessions.latest_summary(c, group)) or "")
    assert await read(lambda c: sessions.latest_summary(c, Scope(session_id="z"))) is None


async def test_the_last_turns_come_oldest_first_and_tools_are_left_out(world: World) -> None:
    """What both sides said in this session, no more than asked for."""
    for n, role in enumerate([Role.USER, Role.ASSISTANT, Role.TOOL, Role.USER, Role.ASSISTANT]):
        await world.take(f"turn {n}", str(n), role=role)
        world.clock.turn(1)
    await world.take("elsewhere", "x", scope=Scope(session_id="z"))
    recent = await world.database.read(lambda c: resources.recent(c, SCOPE, 3))
    assert [turn.turn.text for turn in recent] == ["turn 1", "turn 3", "turn 4"]
