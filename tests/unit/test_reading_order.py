"""In which order results are read."""

from dataclasses import replace

import pytest

from memory.model import Result
from memory.recall.reading_order import in_reading_order
from tests.recalled import RESULT

BEST_FIRST = [replace(RESULT, id=str(age), age_days=float(age)) for age in (9, 3, 7, 1, 5, 0, 2)]


def read(question: str, *in_time: str) -> list[str]:
    """The ids in the order that they are read in."""
    return [result.id for result in in_reading_order(BEST_FIRST, question, set(in_time))]


def test_the_newest_of_the_best_five_come_first() -> None:
    """What did not make the head is not pulled up for being new."""
    assert read("what about tea?") == ["1", "3", "5", "7", "9", "0", "2"]


def test_equal_ages_keep_the_order_of_score() -> None:
    """The better of two stands first."""
    twins = [replace(RESULT, id=name, age_days=1.0) for name in "ab"]
    assert [one.id for one in in_reading_order(twins, "what about tea?", set())] == ["a", "b"]


def test_those_of_the_time_asked_about_come_before_newer_ones() -> None:
    """The newest of them first; beyond the five nothing moves."""
    assert read("what about tea in May?", "9", "5", "2") == ["5", "9", "1", "3", "7", "0", "2"]


@pytest.mark.parametrize(
    "question",
    [
        "我換工作的順序",
        "我的歷史",
        "In which order did I try the teas?",
        "in what order",
        "the order of my moves",
        "How has my rent changed over time?",
        "A chronological list of my jobs",
        "my job history",
        "the timeline of the project",
        "how did my plan evolve",
        "Where did I use to live, where I used to swim?",
        "我搬家的先后顺序",
        "我的工作经过",
        "我以前住在哪里？",
        "房租有什么变化？",
    ],
)
def test_a_question_about_a_history_keeps_the_order_of_score(question: str) -> None:
    """It needs all of it; not even a time that it names changes that."""
    assert read(question, "5") == [result.id for result in BEST_FIRST]


@pytest.mark.parametrize("question", ["Which tea did I order?", "我点了什么茶？", "Did the border change?"])
def test_another_question_does_not(question: str) -> None:
    """To order tea asks for no order."""
    assert read(question)[0] == "1"


def test_nothing_is_read_in_no_order() -> None:
    """An empty answer stays empty."""
    nothing: list[Result] = []
    assert in_reading_order(nothing, "what?", set()) == []


def test_newer_chance_matches_do_not_come_before_what_was_searched_for() -> None:
    """A search shows its best match first, however old, where the others have little to do with it."""
    best = replace(RESULT, id="best", age_days=9.0, relevance=0.99)
    version = replace(RESULT, id="version", age_days=3.0, relevance=0.6)
    chance = replace(RESULT, id="chance", age_days=0.0, relevance=0.3)
    found = in_reading_order([best, chance, version], "Oslo", set())
    assert [one.id for one in found] == ["version", "best", "chance"]
