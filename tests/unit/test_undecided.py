"""Open questions: what leaves something open, what settles it, and which replies know no answer."""

import pytest

from memory.extract.clauses import sentences
from memory.proactive.undecided.matter import Sort, decides, matters
from memory.proactive.undecided.reply import answers, leaves_open, question_of, reports_choice


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("I still need to figure out whether to sell the car.", "whether to sell the car"),
        ("Haven't decided between the two flats yet.", "between the two flats"),
        ("We never agreed on a name for the boat.", "a name for the boat"),
        (
            "I'm torn between Lisbon and Porto for the conference.",
            "between Lisbon and Porto for the conference",
        ),
        ("Let's come back to the pricing later.", "the pricing"),
        ("The venue for the reunion is still undecided.", "The venue for the reunion"),
        ("We left open who takes over the garden.", "who takes over the garden"),
        ("The question is whether we should hire a second cook.", "whether we should hire a second cook"),
        ("还没想好要不要续租。", "要不要续租"),
        ("要不要换工作，我还没想好", "要不要换工作"),
        ("两个学校我还在纠结", "两个学校"),
        ("报价的事以后再说", "报价"),
        ("孩子上哪个幼儿园还没定", "孩子上哪个幼儿园"),
        ("阳台是封上还是敞着，先放一放，回头再定", "阳台是封上还是敞着"),
        ("纠结买新车还是买二手车", "买新车还是买二手车"),
    ],
)
def test_what_is_left_open_is_named_in_the_words_it_was_left_in(text: str, about: str) -> None:
    """In both languages, before its cue and after it."""
    assert [matter.about for matter in matters(text)] == [about]


@pytest.mark.parametrize(
    "text",
    [
        "Should I sell the car?",
        "I can't decide what to watch tonight",
        "I'm not sure I understand",
        "not sure if this is right",
        "He hasn't decided whether to come",
        "My aunt said she hasn't decided whether to sell",
        "I haven't decided what to cook",
        "If I haven't decided by Friday, ask me",
        "I haven't decided on it",
        "I haven't decided whether to renew, but I'll go with renewing",
        "I was torn about the colour. In the end we've decided on blue.",
        "In the film she hasn't decided whether to leave",
        "The shop is still open",
        "Translate: I haven't decided whether to go",
        "还没想好晚上吃什么",
        "老板还没决定要不要裁员",
        "他说他还没想好去不去",
        "小说里他一直纠结要不要走",
        "本来还在犹豫要不要剪，结果就剪了",
        "这个问题先放一放",
        "以后再说吧",
        "要不要带伞？",
        "",
        "还没定" * 4_000,
    ],
)
def test_what_only_sounds_open_is_none(text: str) -> None:
    """Questions, suppers, others' decisions, suppositions, stories, pointers, and what is decided."""
    assert list(matters(text)) == []


def test_a_choice_is_told_from_a_gap_in_knowledge() -> None:
    """The first wants a decision, the second an answer."""
    sorts = {
        text: [matter.sort for matter in matters(text)]
        for text in ("I haven't decided whether to move", "I still need to figure out how the export works")
    }
    assert list(sorts.values()) == [[Sort.CHOICE], [Sort.FACT]]


@pytest.mark.parametrize(
    ("text", "is_decided"),
    [
        ("I've decided to sell the car", True),
        ("we're going with Porto", True),
        ("想通了，车我卖了", True),
        ("那就选第二个幼儿园", True),
        ("Have we decided on the car?", False),
        ("I haven't decided whether to sell the car", False),
        ("还没决定卖不卖车", False),
        ("the car is blue", False),
    ],
)
def test_a_decision_is_heard(text: str, is_decided: bool) -> None:
    """Not in a question, and not in its own denial."""
    assert any(decides(sentence) for sentence in sentences(text)) is is_decided


@pytest.mark.parametrize(
    ("reply", "is_open"),
    [
        ("I don't know yet.", True),
        ("I couldn't find anything about it.", True),
        ("I'll look into it.", True),
        ("我暂时查不到。", True),
        ("这个我不确定，回头再告诉你。", True),
        ("I'm not sure, but it is probably the cache.", False),
        ("I don't have access to live data.", False),
        ("It is the cache: clear it and build again.", False),
        ("作为AI助手，我无法联网查询。", False),
        ("I don't know. " * 40, False),
    ],
)
def test_a_reply_that_knows_no_answer_leaves_the_question_open(reply: str, is_open: bool) -> None:
    """What it will never know, and what it guesses, it does not leave open."""
    assert leaves_open(reply) is is_open
    assert not (leaves_open(reply) and answers(reply))


def test_only_a_question_that_matters_tomorrow_is_kept() -> None:
    """One question, of some content, and not about the weather or the assistant."""
    assert question_of("Why does the nightly export fail on Sundays?") is not None
    assert question_of("机房的打印机为什么一下雨就连不上？") is not None
    for text in ("What's the weather today?", "How are you?", "几点了？", "Is it A? Or is it B?", "Fine."):
        assert question_of(text) is None


def test_advice_is_no_report_of_a_choice() -> None:
    """Only what says that it was made."""
    assert reports_choice("Noted: you've decided on Porto.")
    assert reports_choice("好的，已经帮你续签了。")
    assert not reports_choice("I would take Porto, it is cheaper.")
    assert not reports_choice("Have you decided?")
