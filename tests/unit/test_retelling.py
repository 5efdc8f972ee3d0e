"""Predictions that come back are recognised in any disguise, and a user's own words never are."""

import pytest

from memory.retelling import Saying, repeated, without
from memory.terms import content_terms

ASKED_EN = "You have asked about “NVDA price” three times since Monday (2026-11-23): prepare it?"
ASKED_ZH = "从周一（11月23日）到现在，你三次问到“英伟达股价”，要不要先准备好？"
DUE_EN = "Reminder: call mom (Tue 2026-12-01 15:00)"
DUE_ZH = "提醒：给妈妈打电话（2026年12月1日 15:00）"
OPEN_EN = "Still undecided? “whether to renew the lease”"
OPEN_ZH = "这件事定下来了吗？“要不要续租”"
DECIDED_ZH = (
    "2026-11-25 决定过：“我们决定用蓝鲸做收银系统”；"
    "2026-11-28 你又说：“收银系统用蓝鲸这事我有点动摇了”。原来的决定还算数吗？"
)
DATED_EN = "Runs out: My passport expires on 3 March 2027 (Wed 2027-03-03)"
REASON_ZH = "问于 2026-11-25 11:00、2026-11-26 11:00；最近一次：“英伟达股价多少？”"
LONG_EN = (
    "Reminder: send the report of the third quarter to Ms Weber at the tax office (Tue 2026-12-01 15:00)"
)
SAYINGS = (
    Saying(ASKED_EN, ("What's the price of NVDA?", "any movement in the NVDA price?", "NVDA price again")),
    Saying(ASKED_ZH, ("英伟达股价多少了", "看看英伟达的股价", "英伟达股价今天怎么样")),
    Saying(DUE_EN, ("remind me to call mom tomorrow at 3pm",)),
    Saying(DUE_ZH, ("明天下午三点提醒我给妈妈打电话",)),
    Saying(OPEN_EN, ("I still need to figure out whether to renew the lease.",)),
    Saying(OPEN_ZH, ("还没想好要不要续租。",)),
    Saying(DECIDED_ZH, ("我们决定用蓝鲸做收银系统。", "收银系统用蓝鲸这事我有点动摇了。")),
    Saying(DATED_EN, ("My passport expires on 3 March 2027.",)),
    Saying(REASON_ZH, ("英伟达股价多少？",)),
    Saying(
        LONG_EN,
        ("remind me tomorrow at 3pm to send the report of the third quarter to Ms Weber at the tax office",),
    ),
)


def own(text: str, *, is_users: bool = True) -> str:
    """What is left of a text as somebody's own words."""
    return without(text, repeated(text, SAYINGS, is_users=is_users)).strip()


@pytest.mark.parametrize(
    "text",
    [
        ASKED_EN,
        f"> {ASKED_EN}\n",
        ASKED_EN.upper(),
        "You've asked about NVDA price three times since Monday, prepare it?",
        "You have asked about NVDA price three times",
        "three times since Monday (2026-11-23): prepare it?",
        "You asked three times about NVDA's price since Monday: shall I prepare it?",
        f'On Monday memud wrote: "{ASKED_EN}"',
        f'{{"results": [{{"text": "{ASKED_EN}"}}]}}',
        f"我看到：{ASKED_ZH}",
        "从周一(11月23日)到现在,你三次问到'英伟达股价',要不要先准备好?",
        "你从周一到现在三次问到英伟达股价，要不要先准备好？",
        "你三次问到“英伟达股价”",
        "從週一到現在，你三次問到“英偉達股價”，要不要先準備好？",
        DUE_EN,
        f"As you wrote: {DUE_EN}",
        f'{{"results": [{{"text": "{DUE_EN}"}}]}}',
        "Reminder: call mom",
        "reminder - call mom (tue, 2026-12-01, 15:00)",
        DUE_ZH,
        "提醒:给妈妈打电话",
        OPEN_EN,
        f"As you wrote: {OPEN_EN}",
        f'{{"results": [{{"text": "{OPEN_EN}"}}]}}',
        f"- {OPEN_ZH}",
        DECIDED_ZH,
        f'{{"text": "{DECIDED_ZH}"}}',
        DECIDED_ZH[:38],
        DECIDED_ZH.translate(str.maketrans("决过们统动摇这来还数说", "決過們統動搖這來還數說")),
        DATED_EN.replace("Runs out: ", ""),
        f"你刚才说：{REASON_ZH}",
        f"```\n{LONG_EN}\n```",
        "Ｒｅｍｉｎｄｅｒ： ｃａｌｌ ｍｏｍ （Ｔｕｅ ２０２６－１２－０１ １５：００）",
        "从周一🎉（11月23日）到现在，🎉你三次问到🎉“英伟达股价”，要不要🎉先准备好？",
    ],
)
def test_a_prediction_is_recognised_in_disguise(text: str) -> None:
    """Quoted, cut in half, in other punctuation, width, case or script, or slightly reworded."""
    assert content_terms(own(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "yes, show me NVDA",
        "What's the NVDA price now?",
        "yes, prepare it every Monday please",
        "I asked the bank three times since Monday, they do not answer",
        "I have asked about the price of the flat three times",
        "remind me to call mom tomorrow at 5pm",
        "reminder: call mom tomorrow at 6pm",
        "cancel the reminder to call mom",
        "I called mom already",
        "好的，看一下英伟达股价",
        "英伟达股价现在多少",
        "从周一到现在我一直在准备考试",
        "明天下午三点提醒我给妈妈打电话",
        "提醒：后天下午五点给妈妈打电话",
        "取消给妈妈打电话的提醒",
        "whether to renew the lease",
        "I still can't decide whether to renew the lease",
        "要不要续租，我再想想",
        "我们决定用蓝鲸做收银系统",
        "my passport expires on 3 March 2027",
        "my passport expires on 3 April 2027",
        "send the report of the third quarter to Ms Weber at the tax office on 2026-12-08 at 15:00",
        "Reminder: send the report of the third quarter to Mr Brandt at the tax office next Friday",
    ],
)
def test_the_users_own_words_on_the_same_matter_stay_theirs(text: str) -> None:
    """Also where they share most of their words with the prediction."""
    assert own(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"> {ASKED_EN}\n\nyes, NVDA. I prefer tea", "yes, NVDA. I prefer tea"),
        (f'You said "{ASKED_EN}" but I moved to Berlin last week', "but I moved to Berlin last week"),
        (f"{ASKED_ZH}好的，我更喜欢看周报", "好的，我更喜欢看周报"),
    ],
)  # fmt: skip
def test_what_stands_beside_a_quotation_is_kept(text: str, left: str) -> None:
    """The rest of the turn keeps its words and its places."""
    assert own(text) == left
    assert len(without(text, repeated(text, SAYINGS, is_users=True))) == len(text)


@pytest.mark.parametrize(
    ("text", "is_ours"),
    [
        ("Just so you know, you have asked about the NVDA price three times since Monday.", True),
        ("你这周问了三次英伟达股价，要我先准备好吗？", True),
        ("提醒一下：该给妈妈打电话了", True),
        ("I will remind you to call the bank tomorrow at 9:00.", False),
        ("我明天九点再提醒你给妈妈打电话", False),
    ],
)
def test_an_assistant_may_say_it_more_freely(text: str, is_ours: bool) -> None:
    """What it tells of a prediction in its own words is ours; what it promises anew is not."""
    assert (own(text, is_users=False) != text) == is_ours


def test_a_huge_text_is_read_up_to_a_bound() -> None:
    """A turn of half a megabyte is looked at in its first part alone, and the rest stays."""
    text = f"{ASKED_EN}\n" + "all work and no play. " * 20_000
    assert own(text).startswith("all work")
