"""The times that questions ask about: which words name one, and which days of the asker's calendar it is."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from memory.dates.asked import asked_times, without_times

MONDAY_10 = "2026-11-30 10:00"  # a Monday


def unix(local: str, tz: str = "UTC") -> int:
    return int(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(tz)).timestamp())


def asked(text: str, now: str = MONDAY_10, tz: str = "Asia/Shanghai") -> list[str]:
    """The local first and last-but-one days, "2026-11-24" for one day, "2026-11-24/2026-11-26" for more."""
    found = []
    for span in asked_times(text, unix(now, tz), tz):
        start, end = (datetime.fromtimestamp(moment, ZoneInfo(tz)) for moment in (span.start, span.end - 1))
        assert (start.hour, start.minute, start.second) == (0, 0, 0)
        assert (end.hour, end.minute, end.second) == (23, 59, 59)
        days = [f"{start:%Y-%m-%d}", f"{end:%Y-%m-%d}"]
        found.append("/".join(dict.fromkeys(days)))
    return found


ENGLISH = [
    ("what did I say last Tuesday", "2026-11-24"),
    ("what happened on Monday?", "2026-11-23"),
    ("who called on Sunday", "2026-11-29"),
    ("what did I eat yesterday", "2026-11-29"),
    ("what did I eat the day before yesterday", "2026-11-28"),
    ("what did I dream last night", "2026-11-29"),
    ("what did I say this morning", "2026-11-30"),
    ("what did I tell you two days ago", "2026-11-28"),
    ("what were we building three weeks ago", "2026-11-06/2026-11-12"),
    ("what was I reading two months ago", "2026-09-15/2026-10-15"),
    ("where did I work two years ago", "2024-06-01/2025-05-31"),
    ("what did I mention a few days ago", "2026-11-24/2026-11-28"),
    ("what did I say an hour ago", "2026-11-30"),
    ("what did we discuss last week", "2026-11-23/2026-11-29"),
    ("the plan from the week before last", "2026-11-16/2026-11-22"),
    ("what did we spend last month?", "2026-10-01/2026-10-31"),
    ("what did I learn last year", "2025-01-01/2025-12-31"),
    ("where did we go last weekend", "2026-11-28/2026-11-29"),
    ("who came over the weekend?", "2026-11-28/2026-11-29"),
    ("what have I done in the last 3 days", "2026-11-27/2026-11-30"),
    ("Monday last week", "2026-11-23"),
    ("what was last week's Tuesday call about", "2026-11-24"),
    ("where was I in May", "2026-05-01/2026-05-31"),
    ("where was I in November", "2026-11-01/2026-11-30"),
    ("where was I in December", "2025-12-01/2025-12-31"),
    ("where was I last May", "2026-05-01/2026-05-31"),
    ("where was I last November", "2025-11-01/2025-11-30"),
    ("what did I pay in May last year", "2025-05-01/2025-05-31"),
    ("what did I do in January 2024?", "2024-01-01/2024-01-31"),
    ("which bike did I buy in 2022", "2022-01-01/2022-12-31"),
    ("where did I live from 2020 to 2022?", "2020-01-01/2022-12-31"),
    ("what happened on 7 May 2023", "2023-05-07"),
    ("what happened on May 7th, 2023?", "2023-05-07"),
    ("what happened on Monday, June 1, 2026", "2026-06-01"),
    ("what happened on the 4th of July", "2026-07-04"),
    ("who visited on 12 March", "2026-03-12"),
    ("who visited on December 24", "2025-12-24"),
    ("what did I note on 2024-03-15?", "2024-03-15"),
    ("what did I note on 3/15/2024", "2024-03-15"),
    ("what did I do on the 5th?", "2026-11-05"),
    ("what did I do on the 5th of last month", "2026-10-05"),
    ("what did I run during the first week of June", "2026-06-01/2026-06-07"),
    ("what did I run in the last week of November", "2026-11-24/2026-11-30"),
    ("how was early June", "2026-06-01/2026-06-10"),
    ("how was the second half of June", "2026-06-16/2026-06-30"),
    ("what did I do between 3 and 9 June", "2026-06-03/2026-06-09"),
    ("what did I do June 3-9?", "2026-06-03/2026-06-09"),
    ("what did I do from 28 May to 3 June", "2026-05-28/2026-06-03"),
    ("between August 11 and August 15 2024, what was I doing?", "2024-08-11/2024-08-15"),
    ("what did I do from March to May", "2026-03-01/2026-05-31"),
    ("how did I sleep from November to February", "2025-11-01/2026-02-28"),
    ("what did I do from Monday to Wednesday", "2026-11-23/2026-11-25"),
    ("what have I eaten since Thursday", "2026-11-26/2026-11-30"),
    ("what did I do after the 20th", "2026-11-21/2026-11-30"),
    ("what did I do the week before June 3", "2026-05-27/2026-06-02"),
    ("what did I do two weeks before June 17, 2023", "2023-05-31/2023-06-06"),
    ("who came on the Sunday before October 25, 2022?", "2022-10-23"),
    ("who came the day after June 3", "2026-06-04"),
    ("where did we travel last summer", "2026-06-01/2026-08-31"),
    ("where did we travel last autumn", "2025-09-01/2025-11-30"),
    ("where did we travel in the summer of 2022?", "2022-06-01/2022-08-31"),
    ("what do I have tomorrow", "2026-12-01"),
    ("what do I have on Friday", "2026-12-04"),
    ("am I free this Friday?", "2026-12-04"),
    ("what is planned in two weeks?", "2026-12-11/2026-12-17"),
    ("what do I have to do before Friday", "2026-11-30/2026-12-04"),
]
CHINESE = [
    ("上周三我说了什么", "2026-11-25"),
    ("上上周三我说了什么", "2026-11-18"),
    ("上周的周三呢", "2026-11-25"),
    ("周五我说了什么", "2026-11-27"),
    ("星期天去哪儿了", "2026-11-29"),
    ("上禮拜三我說了什麼", "2026-11-25"),
    ("前天我吃了什么", "2026-11-28"),
    ("大前天吃了什么", "2026-11-27"),
    ("昨晚我梦见什么了", "2026-11-29"),
    ("今天早上我说了什么", "2026-11-30"),
    ("上个月花了多少钱", "2026-10-01/2026-10-31"),
    ("上个月5号我在哪", "2026-10-05"),
    ("上周我们聊过什么", "2026-11-23/2026-11-29"),
    ("上周末我去了哪里", "2026-11-28/2026-11-29"),
    ("去年十月我去了哪里", "2025-10-01/2025-10-31"),
    ("十月份我去过哪里", "2026-10-01/2026-10-31"),
    ("5月我在做什么", "2026-05-01/2026-05-31"),
    ("十二月我在做什么", "2025-12-01/2025-12-31"),
    ("2025年3月12日我做了什么", "2025-03-12"),
    ("二〇二五年三月十二号我做了什么", "2025-03-12"),
    ("3月12日发生了什么", "2026-03-12"),
    ("十二月二十四号我做了什么", "2025-12-24"),
    ("23年5月我住在哪", "2023-05-01/2023-05-31"),
    ("2022年我买了什么", "2022-01-01/2022-12-31"),
    ("去年我买了什么", "2025-01-01/2025-12-31"),
    ("去年年底我在忙什么", "2025-09-01/2025-12-31"),
    ("今年上半年我读了哪些书", "2026-01-01/2026-06-30"),
    ("6月第一周我跑了多少", "2026-06-01/2026-06-07"),
    ("一月中旬我在哪", "2026-01-11/2026-01-20"),
    ("3月到5月我的体重怎么变的", "2026-03-01/2026-05-31"),
    ("2023年3月到5月我在哪", "2023-03-01/2023-05-31"),
    ("在6月3日到9日之间我去了哪里", "2026-06-03/2026-06-09"),
    ("6月3-9日我去了哪里", "2026-06-03/2026-06-09"),
    ("从上周三到昨天我做了什么", "2026-11-25/2026-11-29"),
    ("三天前我说了什么", "2026-11-27"),
    ("两周前我说了什么", "2026-11-13/2026-11-19"),
    ("半年前我在做什么", "2026-05-15/2026-06-14"),
    ("前几天我提到的书叫什么", "2026-11-24/2026-11-28"),
    ("最近三天我吃了什么", "2026-11-27/2026-11-30"),
    ("5月以来我的体重", "2026-05-01/2026-11-30"),
    ("春节我们去了哪里", "2026-02-17"),
    ("去年中秋节吃了什么", "2025-10-06"),
    ("春节前一天我们在哪", "2026-02-16"),
    ("国庆后一周我做了什么", "2026-10-02/2026-10-08"),
    ("去年夏天我们去了哪里", "2025-06-01/2025-08-31"),
    ("12月8日的聚会纪要在哪", "2025-12-08"),
    ("明天有什么安排", "2026-12-01"),
    ("周五我有什么安排", "2026-12-04"),
    ("下周三要去哪", "2026-12-09"),
    ("这个周末打算做什么", "2026-12-05/2026-12-06"),
    ("周五之前我要交什么", "2026-11-30/2026-12-04"),
]


@pytest.mark.parametrize(("text", "days"), [*ENGLISH, *CHINESE])
def test_a_question_asks_about_the_days_a_person_means(text: str, days: str) -> None:
    """One stretch of whole local days, in the past unless the question looks ahead."""
    assert asked(text) == [days]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("1月14日和1月22日我去了哪里", ["2026-01-14", "2026-01-22"]),
        ("6月3日、5日和9日我去了哪里", ["2026-06-03", "2026-06-05", "2026-06-09"]),
        ("what did I do on June 3 and 9", ["2026-06-03", "2026-06-09"]),
        ("in May and June 2023", ["2023-05-01/2023-05-31", "2023-06-01/2023-06-30"]),
        ("was it Monday or Wednesday", ["2026-11-23", "2026-11-25"]),
        ("yesterday I said no, and yesterday at noon yes", ["2026-11-29"]),
    ],
)
def test_several_times_come_in_order_each_once(text: str, days: list[str]) -> None:
    """Names share their month and year."""
    assert asked(text) == days


@pytest.mark.parametrize(
    "text",
    [
        "",
        "when did I move?",
        "when did I last see the dentist",
        "what is my sister's name",
        "may I ask something",
        "I may march on",
        "this may help",
        "what does my friend May like",
        "did April call about March?",
        "what did I buy in the Black Friday sale",
        "why do I go running every Monday",
        "what do I do on Mondays",
        "call me at 5 pm",
        "how many weeks ago did I start",
        "how far did I run in two weeks",
        "what did I do before Friday",
        "what did I do the week before",
        "which summer was the best",
        "what do I drink in summer",
        "it has 2020 pixels, 12 layers and 7 heads",
        "version 2024.1.2 at 10.0.0.3",
        "the 3rd time",
        "call 555-12-34",
        "on February 30, 2024",
        "in 3024",
        "我什么时候搬家的",
        "我妹妹叫什么名字",
        "三个月的工资是多少",
        "第三周的任务",
        "每周三我都做什么",
        "周三诺是谁",
        "二月三十号我做了什么",
        "农历八月十五我们吃了什么",
        "下午三点",
        "他读三年级",
        "2号楼在哪",
        "夏天我喜欢喝什么",
        "前三天免费吗",
        "我們聊了三天後來怎麼樣了",
    ],
)
def test_what_names_no_day_asks_about_no_time(text: str) -> None:
    """Names, habits, clocks, durations, bare numbers and impossible days name none."""
    assert asked(text) == []


@pytest.mark.parametrize(
    ("text", "now", "days"),
    [
        ("what did I do on February 29", "2026-11-30 10:00", "2024-02-29"),
        ("2月29日我做了什么", "2028-03-01 10:00", "2028-02-29"),
        ("what did I do on Feb 29", "2104-02-28 10:00", "2096-02-29"),
        ("what did I say yesterday", "2027-01-01 00:10", "2026-12-31"),
        ("what did we discuss last week", "2027-01-02 10:00", "2026-12-21/2026-12-27"),
        ("上个月花了多少钱", "2027-01-31 23:59", "2026-12-01/2026-12-31"),
        ("what did I say on Monday", "2026-12-01 10:00", "2026-11-30"),
        ("周一我说了什么", "2026-11-30 10:00", "2026-11-23"),
        ("where did we go last weekend", "2026-11-29 10:00", "2026-11-21/2026-11-22"),
        ("what was I reading a month ago", "2026-03-31 10:00", "2026-02-13/2026-03-15"),
    ],
)
def test_edges_of_the_calendar(text: str, now: str, days: str) -> None:
    """Leap days, turns of the year, today's own weekday."""
    assert asked(text, now) == [days]


@pytest.mark.parametrize(
    ("text", "now", "tz", "hours"),
    [
        ("what did I say yesterday", "2026-03-09 10:00", "America/New_York", 23),
        ("what did I say yesterday", "2026-11-02 10:00", "America/New_York", 25),
        ("what did we do last week", "2026-11-03 10:00", "America/New_York", 7 * 24 + 1),
    ],
)
def test_days_are_as_long_as_the_clock_makes_them(text: str, now: str, tz: str, hours: int) -> None:
    """A day on which clocks change has 23 or 25 hours."""
    (span,) = asked_times(text, unix(now, tz), tz)
    assert span.end - span.start == hours * 3600


def test_the_day_is_the_one_of_the_asker() -> None:
    """At the same moment it is already tomorrow elsewhere."""
    now = unix("2026-11-30 20:00")
    (here,) = asked_times("what did I say today", now, "UTC")
    (there,) = asked_times("what did I say today", now, "Asia/Shanghai")
    assert there.start - here.start == 16 * 3600
    assert asked_times("today", now, "No/Where") == (here,)


def test_summer_is_in_january_in_the_south() -> None:
    """The seasons of the asker's own half of the world."""
    assert asked("where did we go last summer", tz="Australia/Sydney") == ["2025-12-01/2026-02-28"]


def test_a_pasted_list_of_dates_is_no_question() -> None:
    """More than six times give none, however many there are."""
    assert asked_times(" ".join(f"2024-03-{day:02}" for day in range(1, 8)), unix(MONDAY_10), "UTC") == ()
    assert asked_times("3月" * 5000, unix(MONDAY_10), "UTC") == ()
    assert asked_times("1 " * 2000, unix(MONDAY_10), "UTC") == ()
    assert asked_times("7" * 2000, unix(MONDAY_10), "UTC") == ()


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("what did I say last Tuesday", "what did I say"),
        ("What did I do in January 2024?", "What did I do?"),
        ("what did I eat last Tuesday evening", "what did I eat"),
        ("between 3 and 9 June, where was I", "where was I"),
        ("yesterday's meeting", "meeting"),
        ("what is my sister's name", "what is my sister's name"),
        ("may I ask something", "may I ask something"),
        ("上周三我说了什么", "我说了什么"),
        ("在6月3日到9日之间我去了哪里", "我去了哪里"),
        ("三月份的账单", "账单"),
        ("我妹妹叫什么", "我妹妹叫什么"),
    ],
)
def test_the_other_words_of_a_question_remain(text: str, rest: str) -> None:
    """The words of the time go, with what leads to them; all others stay."""
    assert without_times(text) == rest


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("On 14 and 17 August, who visited me in these two days?", ["2026-08-14", "2026-08-17"]),
        ("8月14日和17日谁来找过我？我在这两天忙什么？", ["2026-08-14", "2026-08-17"]),
        ("我这两天忙了什么？", ["2026-11-28/2026-11-30"]),
    ],
)
def test_these_days_are_those_that_are_named(text: str, days: list[str]) -> None:
    """And the last ones where none is named."""
    assert asked(text) == days


@pytest.mark.parametrize("text", ["5月2日我打算去哪里？", "Where will we be on 2 May?"])
def test_who_can_only_look_back_means_the_time_before(text: str) -> None:
    """A word such as "plan" looks ahead in a question, but also in what was planned then."""
    now = unix(MONDAY_10)
    (ahead,), (back,) = asked_times(text, now, "UTC"), asked_times(text, now, "UTC", looks_back=True)
    assert (ahead.start, back.start) == (unix("2027-05-02"), unix("2026-05-02"))
