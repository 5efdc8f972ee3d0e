"""What stands together in an answer, in which order, and what is told once."""

import pytest

from memory.model import DAY_S, Scope
from memory.store import links
from tests.shelf import Shelf

TEA = [
    ("I drink green tea with my breakfast", 40),
    ("The tea shop on the corner has closed", 3),
    ("My aunt brought black tea from Assam", 25),
    ("I spilt tea over the keyboard", 10),
    ("Peppermint tea helps when I can not sleep", 1),
    ("I bought a clay pot for tea", 60),
    ("Somebody took my tea at the office", 6),
]


async def doubted(shelf: Shelf, older: str, newer: str) -> tuple[str, str]:
    """Two facts of which nobody knows whether both hold: ids of the older and the newer."""
    first = await shelf.tell(older, days_ago=30)
    second = await shelf.tell(newer, days_ago=1)
    at = shelf.clock.now() - DAY_S
    await shelf.database.write(lambda c: links.relate(c, second, first, "maybe", "test", at))
    return first, second


async def the_score_order(shelf: Shelf, question: str, count: int) -> list[str]:
    """The best, the second best, and so on, each by what comes in when one more is asked for."""
    ordered: list[str] = []
    for limit in range(1, count + 1):
        found = await shelf.find(question, limit=limit)
        ordered += [result.memory for result in found.results if result.memory not in ordered]
    return ordered


@pytest.mark.parametrize(
    ("older", "newer", "question", "mark"),
    [
        (
            "My gym is the one on Lake Street",
            "The climbing hall at the harbour is where I exercise",
            "Is my gym on Lake Street?",
            "(fact, may be outdated): My gym",
        ),
        (
            "我的健身房在湖滨路",
            "我在港口的攀岩馆锻炼身体",
            "我的健身房在湖滨路吗？",
            "（事实，可能已过时）：我的健身房",
        ),
    ],
)
async def test_a_fact_in_doubt_brings_the_other_along_and_the_newer_stands_first(
    shelf: Shelf, older: str, newer: str, question: str, mark: str
) -> None:
    """The reader decides; the block marks the older one, and only that."""
    ids = await doubted(shelf, older, newer)
    recalled = await shelf.ask(question)
    found = [result.id for result in recalled.results]
    assert found.index(ids[1]) < found.index(ids[0])
    assert {result.id: result.maybe for result in recalled.results if result.id in ids} == {
        ids[0]: (ids[1],),
        ids[1]: (ids[0],),
    }
    assert mark in recalled.context
    assert recalled.context.count("可能已过时）" if "：" in mark else "may be outdated)") == 1


async def test_a_partner_comes_that_neither_words_nor_vector_bring(shelf: Shelf) -> None:
    """By words alone it is no candidate, and stands beside its fact all the same."""
    older, newer = await doubted(shelf, "My gym is on Lake Street", "I exercise at the harbour")
    recalled = await shelf.ask_by_words("Where is the gym on Lake Street?")
    assert {older, newer} <= {result.id for result in recalled.results}


async def test_without_a_doubt_a_fact_comes_alone(shelf: Shelf) -> None:
    """The same two facts, of which nobody said that they may contradict."""
    await shelf.tell("My gym is on Lake Street", days_ago=30)
    await shelf.tell("I exercise at the harbour", days_ago=1)
    recalled = await shelf.ask_by_words("Where is the gym on Lake Street?")
    assert [result.memory for result in recalled.results] == ["My gym is on Lake Street"]
    assert "outdated" not in recalled.context


async def test_a_partner_that_was_forgotten_or_replaced_stays_away(shelf: Shelf) -> None:
    """Nobody doubts what is settled."""
    older, newer = await doubted(shelf, "My gym is on Lake Street", "I exercise at the harbour")
    settled = await shelf.tell("The sauna is closed on Mondays")
    now = shelf.clock.now()
    await shelf.database.write(lambda c: links.supersede(c, settled, newer, "test", now))
    recalled = await shelf.ask_by_words("Where is the gym on Lake Street?")
    assert [result.id for result in recalled.results] == [older]
    assert recalled.results[0].maybe == ()


async def test_the_best_five_of_a_search_stand_newest_first_and_the_rest_by_score(shelf: Shelf) -> None:
    """Nothing is pulled up from below for being new."""
    ages = dict(TEA)
    for text, days in TEA:
        await shelf.say(text, at=shelf.clock.now() - days * DAY_S)
    question = "what about tea?"
    by_score = await the_score_order(shelf, question, len(TEA))
    found = [result.memory for result in (await shelf.find(question)).results]
    assert found == [*sorted(by_score[:5], key=lambda text: ages[text]), *by_score[5:]]
    assert found != by_score


@pytest.mark.parametrize(
    "question",
    ["In which order did I mention tea?", "the history of my tea", "我是按什么顺序说起 tea 的？"],
)
async def test_a_question_about_an_order_keeps_that_of_the_score(shelf: Shelf, question: str) -> None:
    """Who asks for a history wants all of it, and no head of the newest."""
    for text, days in TEA:
        await shelf.say(text, at=shelf.clock.now() - days * DAY_S)
    by_score = await the_score_order(shelf, question, len(TEA))
    found = [result.memory for result in (await shelf.find(question)).results]
    assert found == by_score
    assert found[:5] != sorted(found[:5], key=lambda text: dict(TEA)[text])


async def test_what_was_said_twice_is_recalled_once_with_both_turns(shelf: Shelf) -> None:
    """In its latest wording, and `explain` says where the other one went."""
    now = shelf.clock.now()
    first = await shelf.say("The spare key is under the blue pot", at=now - 9 * DAY_S)
    again = await shelf.say("the spare key is under the blue pot!", at=now - DAY_S)
    recalled = await shelf.ask("Where is the spare key?")
    (found,) = recalled.results
    assert found.id == again.id
    assert [source.resource_id for source in found.sources] == [first.id, again.id]
    shown, hidden = [await shelf.explain("Where is the spare key?", turn.id) for turn in (again, first)]
    assert shown.recalled
    assert "place 1" in shown.reason
    assert (hidden.recalled, hidden.factors["place"]) == (False, None)
    assert hidden.reason == "passes, but the answer says it already, as its fact or turn or in later words"


async def test_a_turn_whose_fact_is_recalled_is_explained_so(shelf: Shelf) -> None:
    """It passes, and its fact says it."""
    fact = await shelf.tell("The spare key is under the blue pot")
    (found,) = (await shelf.ask("Where is the spare key?")).results
    assert found.id == fact
    turn = await shelf.explain("Where is the spare key?", found.source.resource_id)
    assert (turn.recalled, turn.factors["place"]) == (False, None)
    assert "the answer says it already" in turn.reason
    assert turn.score >= turn.threshold


async def test_what_passes_beyond_the_limit_is_explained_so(shelf: Shelf) -> None:
    """With its place, and the limit."""
    await shelf.tell("The spare key is under the blue pot")
    second = await shelf.tell("The spare key of the cellar is with the neighbour")
    question = "Where is the spare key under the blue pot?"
    why = await shelf.explain(question, second, limit=1)
    assert (why.recalled, why.factors["place"]) == (False, 2)
    assert why.reason == "passes, but 1 others are better and the limit is 1"
    assert (await shelf.explain(question, second)).recalled


async def test_the_same_words_of_two_users_are_two_memories(shelf: Shelf) -> None:
    """Nothing is told once across users."""
    for user in ("ann", "ben"):
        await shelf.tell("The spare key is under the blue pot", user_id=user)
        recalled = await shelf.ask("Where is the spare key?", scope=Scope(user))
        assert [len(result.sources) for result in recalled.results] == [1]


@pytest.mark.parametrize(
    ("older", "newer", "question", "answer"),
    [
        ("I live in Berlin", "I moved to Munich", "Where do I live?", "Munich"),
        ("I work at Google", "I started at Meta last week", "Where do I work?", "Meta"),
        ("我在谷歌上班", "我跳槽到字节跳动了", "我在哪家公司上班？", "字节跳动"),
        ("I drive a Golf", "I sold the Golf and bought a Tesla", "What car do I drive?", "Tesla"),
    ],
)
async def test_what_took_a_facts_place_answers_what_that_answered(
    shelf: Shelf, older: str, newer: str, question: str, answer: str
) -> None:
    """The question fits the words that hold no longer; the newer ones are told for them."""
    await shelf.tell(older, days_ago=60)
    await shelf.tell(newer, days_ago=20)
    for found in (await shelf.ask(question), await shelf.find(question)):
        assert found.results, "silence is no answer to what was told"
        assert answer in found.results[0].memory


async def test_where_one_fits_it_is_the_newer_of_two_in_doubt(shelf: Shelf) -> None:
    """The older never stands alone and unmarked."""
    _, newer = await doubted(shelf, "My favourite tea is jasmine", "My favourite tea might be oolong")
    recalled = await shelf.ask("What is my favourite tea?", limit=1)
    assert [result.id for result in recalled.results] == [newer]
