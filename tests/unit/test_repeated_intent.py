"""Repeated intent, its parts: which turns count, which only share a frame, how a topic is called."""

import numpy as np
import pytest

from memory.embed.anchors import Anchors
from memory.ports import Matrix
from memory.proactive.asking.frame import holds_a_frame, is_one_frame
from memory.proactive.asking.label import label
from memory.proactive.asking.stating import is_statement
from memory.proactive.asking.telling import is_telling
from memory.proactive.asking.triangle import is_near, nearest_first, triangles
from tests.foresight import BEGIN


@pytest.mark.parametrize(
    "text",
    [
        "hi",
        "thanks!",
        "good morning",
        "go on",
        "please continue",
        "try again",
        "can you explain that again?",
        "what do you mean?",
        "make it shorter",
        "same error again",
        "next",
        "morning!",
        "good evening everyone",
        "nice one",
        "see you tomorrow, sleep well",
        "i'm back",
        "happy friday!",
        "are you there?",
        "how was your day",
        "that helped a lot, thanks",
        "周末愉快呀",
        "我回来了",
        "我先去忙了，回头聊",
        "今天就到这儿吧",
        "继续",
        "好的，谢谢",
        "再试一次",
        "什么意思？",
        "详细说说",
        "还是不行",
        "为什么呢",
        "👍",
        "",
        "   ",
    ],
)
def test_greetings_and_talk_about_the_talk_are_no_intent(text: str) -> None:
    """Whoever says "go on" three times a week wants nothing prepared."""
    assert not is_telling(text)


@pytest.mark.parametrize(
    "text",
    [
        "price of NVDA?",
        "any news on the visa?",
        "how is the weather in Porto",
        "again the docker disk is full",
        "英伟达股价多少",
        "签证进度怎么样了",
        "今天油价多少",
        "how do you spell Mississippi",
        "have a meeting room for Monday?",
        "evening news",
        "早上的会改到几点",
        "下班高峰堵不堵",
        "explain how the Krebs cycle works again",
    ],
)
def test_a_short_question_about_something_counts(text: str) -> None:
    """Few words are enough if they name a thing."""
    assert is_telling(text)


@pytest.mark.parametrize(
    "texts",
    [
        ("what is the price of AAPL", "what is the price of TSLA", "what is the price of MSFT"),
        ("price of aapl today?", "price of tsla today?", "price of msft today?"),
        ("How is Apple trading?", "any news about Tesla", "and Nvidia today?"),
        ("第三章讲了什么", "第十二章讲了什么", "第五章讲了什么"),
        ("上海明天天气怎么样", "成都明天天气怎么样", "厦门明天天气怎么样"),
        ("convert 12 inches to cm", "convert 340 inches to cm", "convert 7 inches to cm"),
    ],
)
def test_another_thing_each_time_is_no_topic(texts: tuple[str, str, str]) -> None:
    """The same sentence with another slot, whatever the order."""
    assert is_one_frame(texts)
    assert is_one_frame(texts[::-1])


def test_two_that_differ_in_a_slot_make_no_topic_with_a_third() -> None:
    """Words of Malay and of Cantonese are no one thing, nor is rain in two towns."""
    assert holds_a_frame(("“你好”马来语怎么说", "“谢谢”马来语怎么说", "教我三句粤语"))
    assert holds_a_frame(("will it rain in Hamburg", "will it rain in Munich", "has it rained enough"))
    assert not holds_a_frame(("英伟达股价多少了？", "看看英伟达股价", "英伟达股价今天怎么样？"))
    assert not holds_a_frame(("英伟达股价又多少", "英伟达股价到底多少", "英伟达今天涨了没"))
    assert not holds_a_frame(
        ("what is the NVDA price", "is the NVDA price up", "how did the chip share close")
    )


@pytest.mark.parametrize(
    "texts",
    [
        ("what is the price of NVDA", "what is the price of NVDA", "what is the price of NVDA"),
        ("what is the price of NVDA", "price of NVDA now?", "is NVDA up today"),
        ("NVDA price please", "how much is Nvidia today", "nvda quote"),
        ("上海明天天气怎么样", "上海周末天气怎么样", "上海今天天气怎么样"),
        ("地铁今天正常吗", "地铁现在正常吗", "这周地铁正常吗"),
        ("when does the visa office open", "visa office opening hours", "is the visa office open on Monday"),
    ],
)
def test_the_same_thing_in_the_same_words_is_a_topic(texts: tuple[str, str, str]) -> None:
    """Sharing a frame does no harm as long as the thing is the same."""
    assert not is_one_frame(texts)


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (
            ("what's the price of NVDA?", "any movement in the NVDA price", "check the price of NVDA again"),
            "price of NVDA",
        ),
        (
            ("docker disk is full", "why is the docker disk full again", "free docker disk space"),
            "docker disk full",
        ),
        (("英伟达股价多少", "帮我看下英伟达的股价", "英伟达现在多少钱"), "英伟达 股价"),
        (("NVDA 股价", "NVDA 现在多少", "看下 NVDA"), "NVDA"),
        (("one thing", "something else", "a third matter"), ""),
    ],
)
def test_a_topic_is_called_by_the_words_that_come_again(texts: tuple[str, str, str], name: str) -> None:
    """In the words of the last turn that has them all; "" when nothing comes again."""
    assert label(texts) == name


LEAST = 0.25


@pytest.fixture(scope="module")
def anchors() -> Anchors:
    """A cohort without direction: nothing is a hub."""
    rows = np.random.default_rng(7).normal(size=(60, 32)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return Anchors(np.zeros(32, np.float32), np.zeros(32, np.float32), rows)


def around(centre: int, count: int, noise: float) -> Matrix:
    """Unit vectors near to one axis."""
    rows = np.random.default_rng(centre).normal(size=(count, 32)).astype(np.float32) * noise
    rows[:, centre] += 1
    unit: Matrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return unit


def test_a_triangle_needs_all_three_sides(anchors: Anchors) -> None:
    """A turn between two topics joins neither pair."""
    first, second = around(0, 2, 0.02), around(1, 1, 0.02)
    between = first[0] + second[0]
    between /= np.linalg.norm(between)
    assert [
        t.places
        for t in triangles(
            anchors.seen(first[:1]), anchors.seen(np.vstack([first[1:], second, first[:1]])), LEAST
        )
    ] == [(0, 2)]
    others = anchors.seen(np.vstack([first[:1], second]))
    assert list(triangles(anchors.seen(between[None, :]), others, LEAST)) == []


def test_the_strongest_triangle_comes_first(anchors: Anchors) -> None:
    """So that a looser one is only taken where the best is refused."""
    found = list(triangles(anchors.seen(around(0, 1, 0.02)), anchors.seen(around(0, 6, 0.08)), LEAST))
    assert [t.strength for t in found] == sorted((t.strength for t in found), reverse=True)
    assert len(found) == 15


def test_only_what_is_similar_enough_is_near(anchors: Anchors) -> None:
    """The most similar first, the unrelated not at all; and nothing is near to nobody."""
    row = around(0, 1, 0.02)
    turn, others = anchors.seen(row), anchors.seen(np.vstack([around(1, 5, 0.02), around(0, 3, 0.1), row]))
    order = nearest_first(turn, others)
    assert order[0] == 8
    assert set(order) == {5, 6, 7, 8}
    assert nearest_first(turn, others.at([])) == []
    assert is_near(turn, others.at([5, 6, 7, 8]))
    assert not is_near(turn, others.at([]))


@pytest.mark.parametrize(
    "text",
    [
        "I'm so tired today",
        "so tired today",
        "what a long day at work",
        "I had a rough day",
        "work was exhausting",
        "it's raining again",
        "ran 5k today",
        "I went for a run today",
        "the kids are finally asleep",
        "my back hurts",
        "I don't want to go to work",
        "thanks, that was really useful for my work",
        "remind me tomorrow at 5 to call mom",
        "I have a dentist appointment on Friday",
        "今天好累",
        "今天又加班了",
        "加班到现在",
        "又下雨了",
        "今天天气真好",
        "我今天跑了5公里",
        "孩子终于睡了",
        "又是周一，不想上班",
        "今天被老板骂了",
        "明天五点提醒我给妈妈打电话",
        "I weigh 80 kg now",
        "I have a meeting on Friday",
        "my brother lives in Oslo",
        "I'm in Berlin this week",
        "we moved to a bigger flat",
        "我周五有个会",
        "我现在体重80公斤",
        "我妈住在杭州",
        "我刚换了工作",
    ],
)
def test_moods_weather_the_day_and_reminders_ask_for_nothing(text: str) -> None:
    """Said every evening they are company; nobody wants them prepared."""
    assert is_statement(text, BEGIN, "Europe/Berlin")


@pytest.mark.parametrize(
    "text",
    [
        "I'm tired, which films could I watch tonight",
        "I'm hungry, find me a ramen place",
        "it's raining again, do I need to water the tomatoes",
        "my card was declined",
        "is my train late again",
        "standup in ten, what have I got",
        "remind me which pots want water",
        "饿了，去哪里吃",
        "好累，来首轻松的歌",
        "又下雨了，地铁还挤不挤",
        "周五了，给领导的小结怎么写",
        "娃等着听你讲呢",
        "今天的步数",
        "想约下周二看牙",
        "我妈五十五岁退休一个月拿几千",
        "论文开头总是卡住",
        "my jumper is pilling",
        "my luggage is missing",
        "I have a question about my bill",
        "I'm looking for a flat in Porto",
        "I'm in the mood for jazz",
        "I keep checking NVDA",
        "我有个问题，英伟达股价",
        "我在想英伟达的股价",
        "我有点想喝奶茶",
    ],
)
def test_what_asks_in_passing_is_asked_all_the_same(text: str) -> None:
    """A mood before a question, a trouble to be seen to, a bare noun."""
    assert not is_statement(text, BEGIN, "Europe/Berlin")
