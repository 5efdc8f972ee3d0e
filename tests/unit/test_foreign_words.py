"""What in a turn is not the user's own telling never becomes a fact; what looks alike does."""

import asyncio

import pytest

from memory.extract.rules import RulesExtractor
from tests.batches import turn


def facts(text: str, sender: str | None = None) -> list[str]:
    """What the rules keep of a user's turn."""
    found = asyncio.run(RulesExtractor().extract([turn(text, sender=sender)], ()))
    return [proposal.fact.text for proposal in found]


@pytest.mark.parametrize(
    "text",
    [
        "Marie: I moved to Lyon and I love it",
        "My boss: we use Jira from now on.",
        "The tenant writes: my flat is on the third floor. I hate the noise.",
        "Fwd: our trip\nI live in Bonn and I'm vegan.\nBest, Kai",
        "About us: We are a family business in Bern.",
        "老李：我搬到成都了",
        "客服回复：我住在广州，我讨厌等待。",
        "我老板：我决定周五发布",
        "转发的邮件\n我住在波恩，我吃素。",
    ],
)
def test_what_stands_after_another_name_is_not_the_users(text: str) -> None:
    """A chat that was pasted, a letter, an advertisement."""
    assert facts(text) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Correction: I live in Ghent, not in Bruges.", "Ghent"),
        ("About me: I'm a vet in Namur.", "vet"),
        ("For the record: my flat is on the third floor.", "third floor"),
        ("Tom: I hate jazz\nI live in Ghent.", "Ghent"),
        ("更正：我住在成都，不是重庆。", "成都"),
        ("关于我：我是一名兽医。", "兽医"),
        ("我的习惯：我每天六点起床跑步。", "六点"),
    ],
)
def test_a_colon_alone_takes_nothing_from_the_user(text: str, kept: str) -> None:
    """What leads to their own words, and the line after another's."""
    assert any(kept in fact for fact in facts(text))


def test_the_speaker_s_own_name_before_a_colon_takes_nothing() -> None:
    """A channel may put it there; another's name stays another's."""
    assert facts("Marie: I moved to Lyon", sender="Marie") == ["I moved to Lyon"]
    assert facts("小王：我搬到成都了", sender="小王") == ["我搬到成都了"]
    assert facts("Tom: I moved to Lyon", sender="Marie") == []


@pytest.mark.parametrize(
    "text",
    [
        "You are Robin, a cheerful butler. I live to serve. We use short words.",
        "# RULES.md\n- We decided to write in British English.",
        "## Identity\nMy name is Robin. I love puns.",
        "<system-note>I live in your shell.</system-note>\nI hate filler.",
        "System prompt: my name is Robin and I love puns.",
        "你是一名管家，你叫罗宾。我喜欢简短的话。",
        "# 人设\n我叫罗宾，我喜欢双关语。",
    ],
)
def test_what_an_agent_is_set_up_with_is_no_fact_of_the_user(text: str) -> None:
    """Personas, rules of the house and system notes, in both languages."""
    assert facts(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "// we decided to keep this until v3",
        "# I prefer spaces",
        '$ echo "I live in Rome"',
        'home = "I live in Rome"',
        '{"note": "I live in Rome"}',
        "2026-05-01 10:00:00 we use the old key",
        "[WARN] we use a deprecated call",
        "| I live in Rome | yes |",
        "# 我们决定用 redis",
        "// 我住在循环里",
        '{"备注": "我住在罗马"}',
    ],
)
def test_code_and_logs_state_nothing(text: str) -> None:
    """Comments, prompts of a shell, assignments, JSON, log lines, tables."""
    assert facts(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Suppose I live in Monaco. My salary is 90k.",
        "Let's say my dog is called Rex.",
        "I'm Spiderman",
        "I'm a robot today",
        "my boss is such a nightmare",
        "I hate my job today",
        "I moved the file to the other folder",
        "假设我住在摩纳哥。我的年薪是九十万。",
        "就当我叫老王。",
        "我是孙悟空",
        "我讨厌星期一",
    ],
)
def test_what_is_only_supposed_said_in_fun_or_over_soon_is_not_kept(text: str) -> None:
    """Suppositions and all that follows them, parts that one plays, moods, work at hand."""
    assert facts(text) == []


@pytest.mark.parametrize(
    ("traditional", "simplified"),
    [
        ("我不喜歡開視訊會議", "我不喜欢开视讯会议"),
        ("我們決定換成飛書", "我们决定换成飞书"),
        ("我對花粉過敏", "我对花粉过敏"),
        ("我從北京搬到上海", "我从北京搬到上海"),
    ],
)
def test_traditional_characters_are_read_as_simplified_ones(traditional: str, simplified: str) -> None:
    """And what is kept is in the user's own script."""
    assert facts(traditional) == [traditional]
    assert facts(simplified) == [simplified]


def test_a_subject_that_is_told_once_keeps_its_script() -> None:
    """The second fact repeats the subject of the first."""
    assert facts("我女兒叫小雨，會彈鋼琴。") == ["我女兒叫小雨", "我女兒會彈鋼琴"]
