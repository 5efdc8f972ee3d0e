"""What of a replaced statement still holds."""

import pytest

from memory.recall.remainder import MAX_CHARS, Replacement, still_answers

HOME, MOVED = "I live in Neukölln, so a gym near Hermannplatz is best", "I live in Leipzig now"


@pytest.mark.parametrize(
    ("question", "replaced", "successor"),
    [
        ("我女儿叫什么名字？", "我女儿叫小雨，今年六岁，在上小学一年级", "我女儿不是六岁，是七岁"),
        ("is there a gym near Hermannplatz?", HOME, MOVED),
        ("who runs the bakery?", "I run a small bakery and I live in Porto", "I moved from Porto to Braga"),
        ("花店幾點開門？", "花店九點開門不過書店在台南", "書店搬到高雄了"),
        ("我是做什么工作的？牙医吗", "我叫王芳，在深圳住，是一名牙医", "我不在深圳住了，搬到珠海了"),
    ],
)  # fmt: skip
def test_the_part_that_nobody_corrected_still_answers(question: str, replaced: str, successor: str) -> None:
    """A correction of one detail does not hide the others."""
    assert still_answers(question, replaced, [Replacement("m-1", replaced, successor)])


@pytest.mark.parametrize(
    ("question", "replaced", "successor"),
    [
        ("Do I still live in Neukölln?", HOME, MOVED),
        ("where do I live?", "I live in Berlin", "I live in Lisbon now"),
        ("我女儿几岁了？六岁吗", "我女儿叫小雨，今年六岁，在上小学一年级", "我女儿不是六岁，是七岁"),
        ("what is the weather", HOME, MOVED),
        ("", "a, b", "c"),
        ("where?", "", ""),
    ],
)  # fmt: skip
def test_the_part_that_was_corrected_does_not(question: str, replaced: str, successor: str) -> None:
    """The successor answers, and the old word stays hidden."""
    assert not still_answers(question, replaced, [Replacement("m-1", replaced, successor)])


TWO = "I live in Graz. I work as a nurse at a hospital."
HOME_ENDED = Replacement("m-1", "I live in Graz", "I moved to Linz")
JOB_ENDED = Replacement("m-2", "I work as a nurse at a hospital", "I teach now")


@pytest.mark.parametrize("question", ["Do I work at a hospital?", "Do I live in Graz?", "nurse in Graz"])
def test_of_two_statements_that_were_replaced_none_answers(question: str) -> None:
    """Whichever of them is asked about, and in whichever order they were replaced."""
    assert not still_answers(question, TWO, [HOME_ENDED, JOB_ENDED])
    assert not still_answers(question, TWO, [JOB_ENDED, HOME_ENDED])


def test_what_a_turn_says_beside_its_statements_still_answers() -> None:
    """No fact was made of it, and nothing replaced it."""
    text = TWO + " The cellar key hangs behind the door."
    assert still_answers("Where is the cellar key?", text, [HOME_ENDED, JOB_ENDED])


def test_a_pasted_book_is_read_as_far_as_it_is_scored() -> None:
    """Each clause once, however many there are, and no further than a question's words are looked for."""
    book, key = "a hundred and " * 40_000, "the cellar key hangs behind the door, "
    ended = Replacement("m-1", book, book)
    assert still_answers("Where is the cellar key?", key + book, [ended])
    assert not still_answers("Where is the cellar key?", book[:MAX_CHARS] + ", " + key, [ended])
