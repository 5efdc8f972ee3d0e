"""The people whom a question names, and what is left of it without them."""

import pytest

from memory.recall.people import named, without

GROUP = ["Caroline Smith", "Mel", "小明", "Will"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What did Mel paint?", ["Mel"]),
        ("what did MEL paint?", ["Mel"]),
        ("Where is Mel's bike?", ["Mel"]),
        ("Where is Mel’s bike?", ["Mel"]),
        ("Which melody did she hum?", []),
        ("Did Camel riders come?", []),
        ("What has caroline smith planted?", ["Caroline Smith"]),
        ("What has Caroline planted?", ["Caroline Smith"]),
        ("Who is Smith?", []),
        ("What did Caroline give Mel?", ["Caroline Smith", "Mel"]),
        ("小明上周去了哪里？", ["小明"]),
        ("你还记得小明的生日吗？", ["小明"]),
        ("小明和Mel谁先到？", ["Mel", "小明"]),
        ("昨天Mel说了什么？", ["Mel"]),
        ("Where did I park?", []),
        ("", []),
    ],
)
def test_a_question_names_a_sender_by_a_whole_word(text: str, found: list[str]) -> None:
    """In any case, with or without a possessive, by the whole name or the first; in Chinese anywhere."""
    assert named(text, GROUP) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("What did Will cook?", ["Will"]),
        ("Where is Will's bike?", ["Will"]),
        ("When will the plumber come?", []),
        ("WHEN WILL IT RAIN?", []),
    ],
)
def test_a_name_that_is_a_word_too_is_one_only_as_it_is_written(text: str, found: list[str]) -> None:
    """ "will" asks about the future and names nobody."""
    assert named(text, GROUP) == found


@pytest.mark.parametrize(
    ("sender", "text"),
    [
        ("The Boss", "How is the weather?"),
        ("Dr. Lee", "What did Dr. Kim say?"),
        ("A. Smith", "Is a plan better?"),
        (" ", "x"),
    ],
)
def test_an_article_or_a_title_is_no_first_name(sender: str, text: str) -> None:
    """Only the whole name is asked for then."""
    assert named(text, [sender]) == []
    assert named(f"What did {sender} say?", [sender]) == ([sender] if sender.strip() else [])


def test_a_name_of_one_letter_names_nobody() -> None:
    """ "A" and 王 stand in every other question."""
    assert named("Is a plan better than plan B? 王牌", ["A", "B", "王"]) == []


@pytest.mark.parametrize("name", ["C++", "(-_-)", "a.b", "x|y", "[bot]", "^_^", "\\d+", "$$"])
def test_signs_in_a_name_are_only_signs(name: str) -> None:
    """A nickname is no pattern: it is found as it is, and finds nothing else."""
    assert named(f"What did {name} say?", [name]) == [name]
    assert without(f"What did {name} say?", [name]) == "What did say?"
    assert named("What did aXb, x or 12 say?", [name]) == []


@pytest.mark.parametrize(
    ("text", "senders", "rest"),
    [
        ("What did Mel's sister paint?", ["Mel"], "What did sister paint?"),
        ("What did Caroline Smith plant?", ["Caroline Smith"], "What did plant?"),
        ("What did Caroline plant?", ["Caroline Smith"], "What did plant?"),
        ("What did Caroline give MEL?", ["Caroline Smith", "Mel"], "What did give ?"),
        ("小明上周去了哪里？", ["小明"], "上周去了哪里？"),
        ("Which melody did Mel hum?", ["Mel"], "Which melody did hum?"),
        ("When will Will come?", ["Will"], "When will come?"),
        ("昨天Mel说了什么？", ["Mel"], "昨天 说了什么？"),
        ("What did  Mel paint?", [], "What did Mel paint?"),
    ],
)
def test_the_question_loses_the_names_and_nothing_else(text: str, senders: list[str], rest: str) -> None:
    """Nothing that was said repeats who said it."""
    assert without(text, senders) == rest


@pytest.mark.parametrize("text", ["Mel?", "小明！", "Mel, Mel's..."])
def test_a_question_of_names_alone_stays_as_it_is(text: str) -> None:
    """There would be nothing left to look for."""
    assert without(text, ["Mel", "小明"]) == text
