"""How well a memory's time fits the times that a question asks about."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime

from memory.dates.asked import Span
from memory.dates.moment import zone_of
from memory.model import DAY_S, Layer
from memory.recall.candidate import Candidate
from memory.terms import cjk_runs, is_stop_word, plain_words

_TOLD_LATER_DAYS = 14  # what happened is told in the days after
_TOLD_LATER = 0.8
_WRITTEN_DATE = re.compile(r"(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?!\d)")


def _words(block: str) -> frozenset[str]:
    return frozenset(block.split())


# Beside these a question about a time has no subject: "what did we talk about?", 我说了什么？
_ASKING_VERBS = _words(
    """
    say said tell told talk talked discuss discussed mention mentioned chat chatted happen happened happening
    did do done doing go going went write wrote note noted ask asked about there anything something everything
    hi hello hey please user conversation conversations know remind remember recall show list summarize
    summarise recap me all
    """
)
_ASKING_CHARACTERS = re.compile(
    "你好|请问|什么|什麼|哪些|哪|啥|说|說|聊|讲|講|谈|談|提|到|过|過|告诉|告訴|发生|發生|做|干|写|記|记|问|問|都|有|的|了|吗|嗎|呢|事情|事|内容|话|跟"
    "|和|你|我|们|們|用户|用戶|那|天|时候|時候|是|些|回顾|回顧|总结|總結|一下|帮|幫|给|給|请|請|列出"
    "|幹|寫|內容|話"
)


def lacks_subject(content: str) -> bool:
    """Whether a question, without the times and people that it names, asks for nothing more."""
    words = set(plain_words(content))
    meaningful = {word for word in words if not is_stop_word(word)} - _ASKING_VERBS
    return not meaningful and not _ASKING_CHARACTERS.sub("", "".join(cjk_runs(content)))


def date_fit(candidate: Candidate, times: Sequence[Span]) -> float:
    """1 for what was said in one of the times, or is dated there; less for what was said soon after."""
    if not times:
        return 0.0
    moments = {candidate.created_at, candidate.stated_at, *(one.timestamp for one in candidate.sources)}
    told = (_told(moment, span) for moment in moments for span in times)
    return max(1.0 if _is_dated(candidate, times) else 0.0, *told)


def _told(moment: int, span: Span) -> float:
    if span.start <= moment < span.end:
        return 1.0
    days = (moment - span.end) // DAY_S + 1
    return _TOLD_LATER * (1 - days / (_TOLD_LATER_DAYS + 1)) if 1 <= days <= _TOLD_LATER_DAYS else 0.0


def _is_dated(candidate: Candidate, times: Iterable[Span]) -> bool:
    """Whether a fact names a day in the times; facts have their dates written out."""
    if candidate.layer is not Layer.ITEM:
        return False
    days = list(_written_days(candidate.text, candidate.source.tz))
    return any(span.start <= day < span.end for day in days for span in times)


def _written_days(text: str, tz: str) -> Iterator[int]:
    for found in _WRITTEN_DATE.findall(text):
        with suppress(ValueError, OverflowError):  # 2026-02-31
            noon = datetime.combine(date.fromisoformat(found), datetime.min.time().replace(hour=12))
            yield int(noon.replace(tzinfo=zone_of(tz)).timestamp())
