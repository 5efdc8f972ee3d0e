"""What of a replaced statement still holds."""

import pytest

from memory.recall.remainder import still_answers

HOME, MOVED = "I live in Neukölln, so a gym near Hermannplatz is best", "I live in Leipzig now"


@pytest.mark.parametrize(
    ("question", "replaced", "successor"),
    [
        ("我女儿叫什么名字？", "我女儿叫小雨，今年六岁，在上小学一年级", "我女儿不是六岁，是七岁"),
        ("is there a gym near Hermannplatz?", HOME, MOVED),
        ("who runs the bakery?", "I run a small bakery and I live in Porto", "I moved from Porto to Braga"),
        ("我是做什么工作的？牙医吗", "我叫王芳，在深圳住，是一名牙医", "我不在深圳住了，搬到珠海了"),
    ],
)  # fmt: skip
def test_the_part_that_nobody_corrected_still_answers(question: str, replaced: str, successor: str) -> None:
    """A correction of one detail does not hide the others."""
    assert still_answers(question, replaced, successor)


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
    assert not still_answers(question, replaced, successor)
