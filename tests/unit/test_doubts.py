"""Doubts about a decision: what counts as one, and what does not."""

import pytest

from memory.proactive.doubting.doubt import doubts, telling


@pytest.mark.parametrize(
    "text",
    [
        "I'm having second thoughts about the blue sofa.",
        "We might switch back to MySQL.",
        "The board wants to drop the supplier, we vote on Friday.",
        "I'm no longer sure about Porto.",
        "我又有点动摇了，蓝沙发太大。",
        "小组想换供应商，周五投票。",
        "可能要重新考虑搬家的事。",
    ],
)
def test_second_thoughts_are_heard(text: str) -> None:
    """The user's own, and those of who decides with them."""
    assert [sentence.text for sentence in doubts(text)] == [text.rstrip(".。")]


@pytest.mark.parametrize(
    "text",
    [
        "The move to MySQL went well.",
        "We talked about Porto again and stick with it.",
        "I don't regret the blue sofa.",
        "In the series they want to drop the supplier.",
        "My brother wants to replace his own sofa.",
        "蓝沙发到了，很好看。",
        "又讨论了一遍，最后还是蓝沙发，不再改了。",
        "剧里他们想换供应商。",
        "翻译：我们可能换供应商。",
    ],
)
def test_what_confirms_or_tells_of_others_doubts_nothing(text: str) -> None:
    """Progress, a decision upheld, stories, others' things, material to work on."""
    assert list(doubts(text)) == []


def test_a_decision_is_told_by_what_it_is_about() -> None:
    """Not by the words that every decision has."""
    assert telling("We decided to use Postgres for the orders") == telling("Postgres for the orders")
