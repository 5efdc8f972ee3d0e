"""Times that come again and again ("every Friday", 每天): which words say so, and on which days they fall."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from memory.dates.chinese import number

Unit = Literal["day", "workday", "week", "month"]

_DAYS_AHEAD = 62  # a month without a 31st may follow another
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_HAN_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_WEEK = "(?:周|星期|礼拜)"
_N = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"

_ENGLISH = re.compile(
    r"\b(?:"
    rf"(?:on\s+)?(?:the\s+)?(?P<nth>\d{{1,2}})(?:st|nd|rd|th)\s+of\s+(?:every|each|the)\s+month"
    rf"|(?:every|each)\s+month\s+on\s+the\s+(?P<nth_after>\d{{1,2}})(?:st|nd|rd|th)"
    rf"|(?:on\s+)?(?:every|each)\s+(?P<week>{_WEEKDAY}(?:\s*(?:,|and|&)\s*{_WEEKDAY})*)"
    rf"|on\s+(?P<weekdays>{_WEEKDAY}s(?:\s*(?:,|and|&)\s*{_WEEKDAY}s)*)"
    r"|(?P<workday>(?:every|each)\s+(?:weekday|work\s?day|working\s+day|business\s+day)|on\s+(?:weekdays|work\s?days))"
    r"|(?P<day>(?:every|each)\s+(?:single\s+)?day|daily|(?:every|each)\s+(?=(?:morning|afternoon|evening|night)\b))"
    r")",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    rf"每个?月的?(?P<nth>{_N})[号日]"
    rf"|每个?(?P<week>{_WEEK}[一二三四五六日天](?:[和、跟及]+{_WEEK}?[一二三四五六日天])*)"
    r"|(?P<workday>(?:每个?)?工作日)"
    r"|(?P<day>每[天日]|天天|每(?=[早晚]))"
)
_HAN_PART = re.compile(r"[早晚](?![上晨])")


@dataclass(frozen=True, slots=True)
class Repeat:
    """Some words of a text that make its time come again: `text[start:end]`."""

    unit: Unit
    start: int
    end: int
    is_chinese: bool
    on: frozenset[int] = frozenset()  # weekdays from Monday 0, or the day of the month

    def days(self, first: date) -> Iterator[date]:
        """The days it falls on, from the first one on, in order; a bounded number."""
        for away in range(_DAYS_AHEAD):
            day = first + timedelta(days=away)
            if self._falls_on(day):
                yield day

    def spelled(self, text: str, day: date) -> str:
        """The text with that one day in place of the repetition."""
        before, after = text[: self.start], text[self.end :]
        if not self.is_chinese:
            return f"{before}on {day.isoformat()} {after.lstrip()}"
        after = (
            _HAN_PART.sub(lambda part: part[0] + "上", after, count=1) if _HAN_PART.match(after) else after
        )
        return f"{before}{day.year}年{day.month}月{day.day}号{after}"

    def _falls_on(self, day: date) -> bool:
        if self.unit == "month":
            return day.day in self.on
        return self.unit == "day" or day.weekday() in (self.on or range(5))


def find_repeat(text: str) -> Repeat | None:
    """The first words of a text that say that something comes again; None if there are none."""
    if match := _CHINESE.search(text):
        return _repeat(match, match["nth"], match["week"], is_chinese=True)
    if match := _ENGLISH.search(text):
        nth, week = match["nth"] or match["nth_after"], match["week"] or match["weekdays"]
        return _repeat(match, nth, week, is_chinese=False)
    return None


def _repeat(match: re.Match[str], nth: str | None, week: str | None, *, is_chinese: bool) -> Repeat:
    if nth:
        return Repeat("month", *match.span(), is_chinese, frozenset((number(nth),)))
    if week:
        return Repeat("week", *match.span(), is_chinese, frozenset(_weekdays(week.lower())))
    return Repeat("workday" if match["workday"] else "day", *match.span(), is_chinese)


def _weekdays(words: str) -> Iterator[int]:
    for sign in words:
        if sign in _HAN_WEEKDAYS:
            yield _HAN_WEEKDAYS[sign]
    for name in re.findall(_WEEKDAY, words):
        yield _WEEKDAYS.index(name[:3])
