"""Decisions about to be overtaken: doubted later, near by words, with both sides as evidence."""

import pytest

from memory.model import Role
from tests.foreseen import Talk, local

NAME = "overtaken"


@pytest.mark.parametrize(
    ("decision", "doubt", "text"),
    [
        (
            "We decided to hire Nordlicht as printer.",
            "I'm not so sure about Nordlicht as printer.",
            (
                "Decided on 2026-11-30: “We decided to hire Nordlicht as printer”. On 2026-12-10 you said: "
                "“I'm not so sure about Nordlicht as printer”. Does the decision still stand?"
            ),
        ),
        (
            "我们决定用蓝鲸做收银系统。",
            "收银系统用蓝鲸我有点动摇了。",
            (
                "2026-11-30 决定过：“我们决定用蓝鲸做收银系统”；2026-12-10 你又说："
                "“收银系统用蓝鲸我有点动摇了”。原来的决定还算数吗？"
            ),
        ),
    ],
)
async def test_a_doubted_decision_is_brought_up_with_both_sides(
    talk: Talk, decision: str, doubt: str, text: str
) -> None:
    """Both quoted, both dated, both evidence, the decision as a fact."""
    await talk.say(decision, "2026-11-30 10:00")
    await talk.say(doubt, "2026-12-10 10:00")
    (item,) = await talk.open(NAME)
    (fact,) = await talk.world.facts("ana")
    assert item.text == text
    assert [one.item_id for one in item.evidence] == [fact.id, None]
    assert item.due_at is None


async def test_a_vote_brings_it_up_on_its_morning(talk: Talk) -> None:
    """Not weeks later."""
    await talk.say("We decided to hire Nordlicht as our printer.", "2026-11-30 10:00")
    await talk.say("The club wants to drop Nordlicht as printer, the vote is on Friday.", "2026-12-08 10:00")
    (item,) = await talk.open(NAME)
    assert local(item.due_at) == "2026-12-11 09:00"


@pytest.mark.parametrize(
    "later",
    [
        "The first prints of Nordlicht, our printer, look great.",
        "I'm having second thoughts about the blue sofa.",
        "We talked about Nordlicht as printer again and stick with it.",
        "In the film they want to drop Nordlicht as printer.",
    ],
)
async def test_what_does_not_doubt_it_leaves_a_decision_alone(talk: Talk, later: str) -> None:
    """Progress, doubts about something else, a decision upheld, a story."""
    await talk.say("We decided to hire Nordlicht as our printer.", "2026-11-30 10:00")
    await talk.say(later, "2026-12-08 10:00")
    assert await talk.items(NAME) == []


async def test_a_second_doubt_makes_no_second_item(talk: Talk) -> None:
    """It is more evidence."""
    await talk.say("We decided to hire Nordlicht as our printer.", "2026-11-30 10:00")
    await talk.say("I'm having second thoughts about Nordlicht as a printer.", "2026-12-08 10:00")
    await talk.say("Still not sure about Nordlicht as a printer.", "2026-12-09 10:00")
    (item,) = await talk.items(NAME)
    assert len(item.evidence) == 3


async def test_once_the_decision_is_replaced_nothing_is_asked(talk: Talk) -> None:
    """The fact no longer holds, so nothing rests on it."""
    await talk.say("We decided to use Postgres for the orders.", "2026-11-30 10:00")
    await talk.say("I'm having second thoughts about Postgres for the orders.", "2026-12-08 10:00")
    assert len(await talk.due("2026-12-08 11:00")) == 1
    await talk.say("We decided to use SQLite instead of Postgres for the orders.", "2026-12-09 10:00")
    assert (await talk.world.facts("ana"))[0].superseded_by is not None
    assert await talk.due("2026-12-09 11:00") == []
    await talk.look("2026-12-09 11:00")
    assert await talk.open(NAME) == []


async def test_the_assistants_and_tools_doubts_are_their_own(talk: Talk) -> None:
    """Only a turn of the user's counts."""
    await talk.say("We decided to hire Nordlicht as our printer.", "2026-11-30 10:00")
    for role in (Role.ASSISTANT, Role.TOOL):
        await talk.say("You might want to drop Nordlicht as your printer.", "2026-12-08 10:00", role)
    assert await talk.items(NAME) == []
