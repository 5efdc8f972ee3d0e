"""Facts with a day that lies ahead: what kind of day it is, and how long before it one wants to know."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from memory.dates import DateMention, find_dates
from memory.model import DAY_S, Item, Kind
from memory.proactive.mornings import morning_of

_HOURS_AHEAD_S: Final = 2 * 3600
_HALF_A_DAY_S: Final = 12 * 3600


class Sort(StrEnum):
    """What lies ahead. Each has its lead time, in days, in `LEAD_DAYS`."""

    DOCUMENT = "document"  # runs out; a new one takes weeks
    CONTRACT = "contract"  # runs out; notice is given a month before
    SUBSCRIPTION = "subscription"  # runs out; can be ended within the week
    YEARLY = "yearly"  # a birthday or an anniversary, with time for a present
    EVENT = "event"  # a journey, an appointment


LEAD_DAYS: Final = {
    Sort.DOCUMENT: 42,
    Sort.CONTRACT: 28,
    Sort.SUBSCRIPTION: 7,
    Sort.YEARLY: 3,
    Sort.EVENT: 1,
}


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_ENDS = _compiled(
    r"\bexpir\w+|\b(?:ends?|ending)\b|\bruns?\s+(?:out|until|till)\b|\b(?:is|are)\s+(?:up|valid\s+(?:until|till))\b"
    r"|\blapses?\b|到期|过期|截止|有效期|失效|期满|为止"
)
_ENDING: Final = (
    (
        Sort.DOCUMENT,
        _compiled(
            r"\b(?:passport|visa|id\s+card|licen[cs]e|permit|green\s+card)s?\b"
            r"|护照|签证|身份证|驾照|驾驶证|居留|通行证|居住证"
        ),
    ),
    (
        Sort.SUBSCRIPTION,
        _compiled(
            r"\b(?:trial|subscription|membership|domain|coupon|voucher)s?\b|试用|会员|订阅|域名|优惠券|年卡|月卡"
        ),
    ),
    (
        Sort.CONTRACT,
        _compiled(
            r"\b(?:lease|contract|insurance|warranty|tenancy|policy|mortgage)s?\b"
            r"|合同|租约|租期|保险|车险|保修|质保|合约|协议"
        ),
    ),
)
_YEARLY = _compiled(r"\bbirthdays?\b|\banniversar(?:y|ies)\b|生日|纪念日|周年")
_CELEBRATED = _compiled(
    r"\b(?:birthday|anniversary)\s+(?:party|dinner|lunch|trip|weekend)\b|(?:生日|周年)(?:派对|聚会|宴)"
)
_IN_BRACKETS = re.compile(r"\s?[(（](?:19|20|21)\d\d[-/\d :]*[)）]")


@dataclass(frozen=True, slots=True)
class Occasion:
    """A day that lies ahead. `words` are the fact's, without dates that were written into it."""

    sort: Sort
    words: str
    date: DateMention

    @property
    def comes_again(self) -> bool:
        """Whether it does so every year."""
        return self.sort is Sort.YEARLY

    @property
    def ends_at(self) -> int:
        """From when on nobody wants to hear of it, Unix seconds."""
        return self.date.until if self.date.precision not in ("minute", "hour") else self.date.at

    def due_at(self, said_at: int) -> int | None:
        """When to bring it up: at nine of a morning, so many days before; None where that is no help.

        What is nearer than that when it is told comes up on its own day: two hours before its time, or at
        nine. Told half a day before it or less, nobody has forgotten it yet.
        """
        date = self.date
        early = morning_of(date.at, date.tz, days_before=LEAD_DAYS[self.sort])
        if early - said_at >= _HALF_A_DAY_S:
            return early
        if self.sort in (Sort.DOCUMENT, Sort.CONTRACT):
            late = morning_of(said_at, date.tz, days_before=-1)
        elif date.precision in ("minute", "hour"):
            late = date.at - _HOURS_AHEAD_S
        else:
            late = morning_of(date.at, date.tz)
        return late if late - said_at >= _HALF_A_DAY_S and late < self.ends_at else None


def occasion(fact: Item, at: int, tz: str) -> Occasion | None:
    """The day of a fact that lies ahead of a moment, in the zone where it was told; None for none.

    What happens once has it where the fact does; of what holds only birthdays and the like come round.
    """
    words = fact.memory
    dates = [date for date in find_dates(words, at, tz) if date.at > at and date.precision != "year"]
    sort = _sort(fact)
    if not dates or sort is None:
        return None
    date = _of_end(words, dates) if sort in (Sort.DOCUMENT, Sort.CONTRACT, Sort.SUBSCRIPTION) else dates[0]
    if sort in (Sort.YEARLY, Sort.EVENT) and date.precision not in ("day", "hour", "minute"):
        return None
    if date.until - date.at > 31 * DAY_S:
        return None
    return Occasion(sort, " ".join(_IN_BRACKETS.sub("", words).split()), date)


def _sort(fact: Item) -> Sort | None:
    words = fact.memory
    if _YEARLY.search(words) and not _CELEBRATED.search(words):
        return Sort.YEARLY
    ending = (sort for sort, named in _ENDING if _ENDS.search(words) and named.search(words))
    return next(ending, Sort.EVENT if fact.kind is Kind.EPISODIC else None)


def _of_end(words: str, dates: Sequence[DateMention]) -> DateMention:
    """The date that is nearest to the word for the end."""
    end = _ENDS.search(words)
    place = end.start() if end else 0
    return min(dates, key=lambda date: (min(abs(date.start - place), abs(date.end - place)), date.start))
