"""Where people talk among themselves, who speaks and what stands beside a turn counts."""

from typing import Any

import pytest

from memory.model import Role, Scope
from memory.recall.query import Recalled
from tests.shelf import Shelf

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
    both = await shelf.ask("What did Ann and Bob say about the van?", threshold=0, with_factors=True)
    nobody = await shelf.ask("What did they say about the van?", threshold=0, with_factors=True)
    one = await shelf.ask("What did Bob say about the van?", threshold=0, with_factors=True)
    (answer,) = (result.id for result in both.results if result.memory == ANSWER)
    fused = [asked.factors[answer]["fused"] for asked in (nobody, both, one)]
    assert fused[2] > max(fused[:2]) + 1.0


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
