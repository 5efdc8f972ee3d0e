"""Events on their way in: kept once, masked before the first write, or skipped with a reason."""

from functools import partial
from typing import Any

import pytest

from memory import queue
from memory.errors import BusyError
from memory.intake import Event, Intake, Taken
from memory.model import Origin, Role, Scope
from memory.store import skips
from tests.world import World, bytes_of


async def test_a_repeated_key_is_a_duplicate_whatever_its_body(world: World) -> None:
    """The first words stay; the answer names the first turn."""
    first = await world.take("I drink green tea.", "k")
    again = await world.take("Something else entirely.", "k")
    assert first.stored is not None
    assert again.duplicate_of == first.stored.id
    assert await world.turns() == ["I drink green tea."]


async def test_a_key_belongs_to_its_user(world: World) -> None:
    """Two users may use the same key."""
    assert (await world.take("mine", "k", scope=Scope("one"))).stored
    assert (await world.take("yours", "k", scope=Scope("two"))).stored


async def test_the_key_of_a_forgotten_turn_is_a_duplicate(world: World) -> None:
    """A replay brings nothing back, and no id is told."""
    turn_id = await world.say("My locker code is on the fridge.", "k")
    await world.curation.forget(Scope(), turn_id, dry_run=False)
    assert (await world.take("My locker code is on the fridge.", "k")).duplicate_of == ""
    assert await world.turns() == []


async def test_an_import_of_forgotten_words_is_skipped_and_counted(world: World) -> None:
    """Words that were forgotten do not come back by an import, under whatever key."""
    turn_id = await world.say("My locker code is on the fridge.", "k")
    await world.curation.forget(Scope(), turn_id, dry_run=False)
    taken = await world.take("my locker code is  on the FRIDGE.", "import-1", origin=Origin.IMPORT)
    assert taken.skipped == "forgotten"
    assert await world.turns() == []
    assert await world.database.read(lambda c: skips.totals(c, "default")) == {"forgotten": 1}


async def test_what_the_user_says_anew_counts_again(world: World) -> None:
    """Forgetting binds replays and imports, not the user."""
    turn_id = await world.say("My locker code is on the fridge.", "k")
    await world.curation.forget(Scope(), turn_id, dry_run=False)
    await world.say("My locker code is on the fridge.", "k2")
    assert [fact.memory for fact in await world.facts()] == ["My locker code is on the fridge."]


async def test_turns_that_no_human_made_are_counted_by_reason(world: World) -> None:
    """Heartbeats, cron jobs and blanks leave a number and no words."""
    await world.take("Check the inbox.", "1", trigger="heartbeat")
    await world.take("Check the inbox.", "2", trigger="cron:daily")
    await world.take("Check the inbox.", "3", trigger="cron:daily")
    await world.take("   ", "4")
    assert await world.database.read(lambda c: skips.totals(c, "default")) == {
        "heartbeat": 1,
        "cron": 2,
        "empty": 1,
    }
    assert await world.turns() == []
    assert b"inbox" not in bytes_of(world.database.path)


async def test_only_the_user_s_words_wait_for_extraction(world: World) -> None:
    """An assistant's answer is kept and found, but no facts are drawn from it."""
    await world.take("Tea it is, then.", "a", role=Role.ASSISTANT)
    await world.take("21 degrees", "b", role=Role.TOOL)
    assert await world.entries() == []
    assert len(await world.turns()) == 1  # recent chat has no tools


async def test_privacy_and_place_are_kept(world: World) -> None:
    """What may be told in groups, by whom, where and when, is what the agent said."""
    scope = Scope("u", "agent", "session")
    await world.take("We meet at noon.", "k", scope=scope, private=False, sender="Mei", tz="Asia/Shanghai")
    rows = await world.rows("SELECT user_id, agent_id, session_id, private, sender, tz FROM resources")
    assert rows == [("u", "agent", "session", 0, "Mei", "Asia/Shanghai")]


@pytest.mark.parametrize(("off_s", "kept_s"), [(-90, -90), (200, 200), (301, 0), (2**40, 0), (None, 0)])
async def test_a_moment_in_the_future_is_now(world: World, off_s: int | None, kept_s: int) -> None:
    """A small slip of a clock is kept; more would make a memory that never ages."""
    now = world.clock.now()
    taken = await world.take("hello there", "k", timestamp=None if off_s is None else now + off_s)
    assert taken.stored is not None
    assert taken.stored.turn.timestamp == now + kept_s


async def test_a_moment_before_the_epoch_is_the_epoch(world: World) -> None:
    """No negative time gets in."""
    taken = await world.take("hello there", "k", timestamp=-(2**62))
    assert taken.stored is not None
    assert taken.stored.turn.timestamp == 0


async def test_keys_that_differ_in_a_secret_alone_are_two_events(world: World) -> None:
    """Masking loses no event, and the same key is still the same event."""
    first, second = ("evt:token=" + part * 10 for part in ("a1B2", "c3D4"))
    assert (await world.take("one", first)).stored
    taken = await world.take("two", second)
    assert taken.stored
    assert "c3D4" not in taken.stored.turn.event_key
    assert (await world.take("again", second)).duplicate_of == taken.stored.id


async def test_a_secret_in_the_place_of_a_zone_is_not_stored(world: World) -> None:
    """A client may put anything anywhere."""
    secret = "sk-" + "e5F6" * 10
    await world.take("hello", "k", tz=secret)
    assert secret.encode() not in bytes_of(world.database.path)


async def test_secrets_never_reach_the_disk(world: World) -> None:
    """A pasted key is masked in every part before the first write: neither database nor log has it."""
    key, token = "sk-" + "a1B2" * 10, "ghp_" + "Zz9Y" * 9
    await world.say(f"Here is my key {key}, use it.", "1")
    await world.say([{"type": "text", "text": f"and {token}"}, {"type": "tool", "api_key": key}], "2")
    await world.say(f"密码是 {token} 记住", "3")
    await world.database.write(lambda c: None)
    written = bytes_of(world.database.path)
    assert key.encode() not in written
    assert token.encode() not in written
    assert b"redacted" in written


async def test_an_envelope_is_stripped_from_the_stored_words(world: World) -> None:
    """Our own block and a channel's stamp are not the person's words."""
    await world.say('<memud-recall id="x">tea</memud-recall>I moved to Lyon.', "k")
    assert await world.turns() == ["I moved to Lyon."]


async def test_a_full_queue_says_when_to_come_back(world: World) -> None:
    """Beyond the limit nothing is stored, and the answer is retriable."""
    small = world.settings.capture.model_copy(update={"max_queued": 1})
    intake = Intake(small, world.new_id)
    await world.take("one", "1")
    with pytest.raises(BusyError) as caught:
        await world.database.write(intake.check_room)
    assert caught.value.retriable
    assert caught.value.retry_after_ms


async def test_no_turn_too_many_waits_however_seldom_they_are_counted(world: World) -> None:
    """The limit holds to the turn, and most captures count nothing."""
    intake = Intake(world.settings.capture.model_copy(update={"max_queued": 60}), world.new_id)
    counts: list[str] = []

    def note(_: Any, sql: str, __: Any) -> bool:
        counts.append(sql)
        return True

    def take(connection: Any, key: int) -> None:
        prepared = intake.prepare(Event(str(key), Scope(), Role.USER, f"I walked {key} steps"), 0)
        connection.set_exec_trace(note)
        intake.check_room(connection, [prepared])
        connection.set_exec_trace(None)
        intake.take(connection, prepared, 0)

    for key in range(60):
        await world.database.write(partial(take, key=key))
    assert len(counts) < 40
    with pytest.raises(BusyError):
        await world.database.write(partial(take, key=60))


async def test_bytes_that_wait_are_bounded_too(world: World) -> None:
    """Once so many bytes wait, nothing more is let in, also where turns are few."""
    intake = Intake(world.settings.capture.model_copy(update={"max_queued_bytes": 10}), world.new_id)
    coming = [intake.prepare(Event("2", Scope(), Role.USER, "I like tea"), 0)]
    await world.database.write(lambda c: intake.check_room(c, coming))
    await world.take("ten letters and more", "1")
    with pytest.raises(BusyError):
        await world.database.write(lambda c: intake.check_room(c, coming))


async def test_only_what_the_user_says_waits_for_effects(world: World) -> None:
    """An assistant's turn is kept and wakes no worker."""
    assert (await world.take("I like tea.", "1")).is_queued
    assert not (await world.take("So you like tea.", "2", role=Role.ASSISTANT)).is_queued
    assert not (await world.take("again", "1")).is_queued
    assert (await world.database.read(queue.depth)).queued == 1


async def test_a_turn_is_found_by_its_words_as_soon_as_it_is_acknowledged(world: World) -> None:
    """Full text is in the same transaction; vector and facts follow."""
    from memory import fulltext

    taken = await world.take("The violin lesson moved to Tuesday.", "k")
    assert taken.stored is not None
    found = await world.database.read(lambda c: fulltext.search(c, "default", ["violin"], 5))
    assert [match.key for match in found] == [taken.stored.key]


@pytest.mark.parametrize("named", [None, "", "Mars/Olympus", "UTC+8", "../../etc/passwd"])
async def test_who_names_no_zone_that_exists_is_at_home_in_the_daemons(
    world: World, named: str | None
) -> None:
    """A reminder for three is for three on this machine's clock; the turn is kept in any case."""
    intake = Intake(world.settings.capture, world.new_id, "Asia/Shanghai")
    prepared = intake.prepare(Event("k", Scope(), Role.USER, "明天下午三点提醒我", tz=named), 1)
    assert prepared.turn is not None
    assert prepared.turn.tz == "Asia/Shanghai"


@pytest.mark.parametrize(
    ("key", "is_kept"),
    [
        ("openclaw:5d0c1f3e-2222-4a4a-8b8b-9c9c9c9c9c9c:1772960400000:user", True),
        ("openclaw:" + "sk-" + "proj-" + "Zx9" * 16 + ":user", False),
        ("card:" + "4" + "1" * 12, True),
    ],
)
async def test_a_key_of_names_and_numbers_stays_and_a_secret_in_it_does_not(
    world: World, key: str, is_kept: bool
) -> None:
    """What hosts make keys of is no secret; anything else is looked at."""
    await world.take("hello there", key)
    ((stored,),) = await world.rows("SELECT event_key FROM resources")
    assert (stored == key) is is_kept


async def test_a_turn_that_was_imported_while_it_went_on_is_captured_no_second_time(world: World) -> None:
    """Within a minute; what is said again later is said again."""
    now = world.clock.now()
    brought = (await world.take("we meet on Monday", "a", timestamp=now - 90, origin=Origin.IMPORT)).stored
    assert brought is not None
    assert (await world.take("we meet on Monday", "b", timestamp=now - 60)).duplicate_of == brought.id
    assert (await world.take("we meet on Monday", "c", timestamp=now)).stored


async def test_an_import_knows_a_turn_that_was_captured_live(world: World) -> None:
    """The same words in the same session within ten minutes are one turn; else they are two."""
    now = world.clock.now()
    live = (await world.take("we meet on Monday", "live", timestamp=now - 5_000)).stored
    assert live is not None

    async def bring(key: str, at: int, session: str = "s") -> Taken:
        scope = Scope(session_id=session)
        return await world.take("We meet on  Monday", key, timestamp=at, origin=Origin.IMPORT, scope=scope)

    assert (await bring("a", now - 4_500)).duplicate_of == live.id
    assert (await bring("b", now - 4_000)).stored
    assert (await bring("c", now - 5_000, "another")).stored
    assert (await bring("d", now - 4_000)).stored  # what is brought in twice under two keys was said twice
