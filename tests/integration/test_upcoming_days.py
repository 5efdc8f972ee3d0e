"""Days that lie ahead in facts: predicted in time, once, and taken back with their fact."""

import pytest

from memory import forgetting
from memory.model import ProactiveState, Role, Scope
from tests.foreseen import Talk, local

NAME = "upcoming"


@pytest.mark.parametrize(
    ("said", "text", "due"),
    [
        (
            "My passport expires on 3 March 2027.",
            "Runs out: My passport expires on 3 March 2027 (Wed 2027-03-03)",
            "2027-01-20 09:00",
        ),
        (
            "I fly to Lisbon on Friday at 7am.",
            "Coming up: I fly to Lisbon on Friday at 7am (Fri 2026-12-04 07:00)",
            "2026-12-03 09:00",
        ),
        (
            "我的签证2027年3月3日到期。",
            "快到期了：我的签证2027年3月3日到期（周三 2027-03-03）",
            "2027-01-20 09:00",
        ),
        ("我下周二飞东京。", "快到了：我下周二飞东京（周二 2026-12-08）", "2026-12-07 09:00"),
    ],
)
async def test_a_day_ahead_in_a_fact_comes_up_in_time(talk: Talk, said: str, text: str, due: str) -> None:
    """With the fact as evidence, beside its turn; never before it is due."""
    await talk.say(said, "2026-11-30 10:00")
    (item,) = await talk.open(NAME)
    (fact,) = await talk.world.facts("ana")
    assert (item.text, local(item.due_at)) == (text, due)
    assert [(one.item_id, one.resource_id) for one in item.evidence] == [
        (fact.id, fact.sources[0].resource_id)
    ]
    assert text not in await talk.due("2026-11-30 11:00")
    assert text in await talk.due(due)


async def test_beside_a_reminder_of_the_same_thing_there_is_no_second_item(talk: Talk) -> None:
    """In one turn, after it, and before it: then the reminder takes its place."""
    await talk.say("Remind me on Thursday to pack for the Lisbon flight.", "2026-11-30 10:00")
    await talk.say("I fly to Lisbon on Friday at 7am.", "2026-11-30 10:05")
    assert await talk.open(NAME) == []
    await talk.say("I have a dentist appointment on Wednesday at 3pm.", "2026-11-30 10:10")
    assert len(await talk.open(NAME)) == 1
    await talk.say("Remind me on Wednesday at 2pm about the dentist appointment.", "2026-11-30 10:15")
    assert await talk.open(NAME) == []
    assert len(await talk.open("commitment")) == 2


async def test_weeks_before_a_deadline_there_is_another_item(talk: Talk) -> None:
    """One to act on, one as the last call."""
    await talk.say("我的护照2027年3月3日到期。", "2026-11-30 10:00")
    due = sorted(local(item.due_at) for item in await talk.items())
    assert due == ["2027-01-20 09:00", "2027-03-03 09:00"]


async def test_told_again_it_stays_one(talk: Talk) -> None:
    """The evidence grows."""
    for hour in (10, 12):
        await talk.say("My passport expires on 3 March 2027.", f"2026-11-30 {hour}:00")
    assert len(await talk.open(NAME)) == 1


async def test_a_fact_that_is_replaced_takes_its_prediction_back(talk: Talk) -> None:
    """At once where something is handed out, and in the ledger at the next look; the new fact has its own."""
    await talk.say("My passport expires on 3 March 2027.", "2026-11-30 10:00")
    await talk.say("Correction: my passport expires on 9 September 2027, not in March.", "2026-12-01 10:00")
    facts = await talk.world.facts("ana")
    assert [fact.superseded_by is not None for fact in facts] == [True, False]
    assert await talk.due("2027-02-01 10:00") == []
    await talk.look("2026-12-01 10:05")
    assert [local(item.due_at) for item in await talk.open(NAME)] == ["2027-07-29 09:00"]


async def test_a_fact_that_is_forgotten_takes_its_prediction_with_it(talk: Talk) -> None:
    """Nothing of it is left in the ledger."""
    await talk.say("My passport expires on 3 March 2027.", "2026-11-30 10:00")
    (fact,) = await talk.world.facts("ana")
    now = talk.world.clock.now()
    await talk.world.database.write(lambda c: forgetting.forget(c, "ana", fact.id, now))
    assert await talk.items() == []


async def test_a_day_that_a_person_puts_right_is_predicted_anew(talk: Talk) -> None:
    """The old one is taken back at the next look."""
    await talk.say("My passport expires on 3 March 2027.", "2026-11-30 10:00")
    (fact,) = await talk.world.facts("ana")
    talk.world.clock.turn(60)
    await talk.world.curation.update(Scope("ana"), fact.id, {"memory": "My passport expires on 3 May 2027"})
    assert await talk.due("2027-02-01 10:00") == []
    await talk.look("2026-11-30 10:05")
    (item,) = await talk.open(NAME)
    assert local(item.due_at) == "2027-03-22 09:00"


@pytest.mark.parametrize(
    ("said", "off"),
    [
        ("I have a dentist appointment on Thursday at 3pm.", "The dentist appointment got cancelled."),
        ("周四下午三点看牙医。", "周四看牙医取消了。"),
    ],
)
async def test_what_is_cancelled_comes_up_no_more(talk: Talk, said: str, off: str) -> None:
    """In both languages."""
    await talk.say(said, "2026-11-30 10:00")
    assert len(await talk.open(NAME)) == 1
    await talk.say(off, "2026-11-30 18:00")
    assert await talk.open(NAME) == []


@pytest.mark.parametrize("said", ["My daughter's birthday is on May 4.", "我女儿生日是5月4号。"])
async def test_a_birthday_comes_up_again_next_year(talk: Talk, said: str) -> None:
    """Once its time has come the next one waits, as long as the fact stands."""
    await talk.say(said, "2026-11-30 10:00")
    assert [local(item.due_at) for item in await talk.open(NAME)] == ["2027-05-01 09:00"]
    await talk.look("2027-05-01 09:00")
    await talk.look("2027-05-02 09:00")
    assert [local(item.due_at) for item in await talk.items(NAME)] == ["2027-05-01 09:00", "2028-05-01 09:00"]


async def test_nobody_elses_words_have_a_day_ahead(talk: Talk) -> None:
    """Neither the assistant's nor a tool's."""
    for role in (Role.ASSISTANT, Role.TOOL):
        await talk.say("My passport expires on 3 March 2027.", "2026-11-30 10:00", role)
    assert [item for item in await talk.items() if item.state is ProactiveState.OPEN] == []
