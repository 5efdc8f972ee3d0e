"""English dates: our own patterns find the words ("may" and "sun" stay words), dateparser reads the days."""

import contextlib
import functools
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import cast

from memory.dates.clock import Clock, Part, part_of
from memory.dates.moment import (
    DAY,
    Precision,
    Said,
    Stretch,
    day_of_month,
    elapsed,
    is_just_over,
    last_day,
    months_away,
    next_month,
    weekend,
    whole,
)
from memory.dates.pieces import Piece

_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SHORT = r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NEAR_DAYS = 45
_MOST_DAYS = 31
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_MONTH_AS_WORD = r"(?:may|march|mar)"  # "may 3 people come" names no date
_AFTER_MAY = r"(?:be|have|not|help|well|I|we|you|it|he|she|they)"  # "the last may be wrong"
_SPELLED = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_SPELLED_NUMBERS = {word: place for place, word in enumerate(re.findall(r"[a-z]+", _SPELLED), start=1)}
_NUMBER = (
    rf"(?:\d{{1,4}}(?:\.\d)?|an?|{_SPELLED}|fifteen|(?:twenty|thirty|forty|fifty)(?:-five)?|sixty|ninety|"
    r"(?:a\s+|three\s+)quarters?\s+of\s+an|half\s+an|an?\s+couple\s+of|a\s+few)"
)
_SIDE = r"(?:this|next|last|(?:this\s+|the\s+)?coming)"
_YEAR = r"(?:,?\s+(?:19|20)\d\d\b)?"
_NTH = r"\d{1,2}(?:st|nd|rd|th)"
_CLAUSE_WORD = r"(?:at|and|or|for|with|to|in|if|when|because|but|so|then|from|by|we|i|he|she|they|is|works)"

_MISSPELT = r"(?:tmrw?|tmw|tom+or+ow|tom+orr?w|2mor+ow|2moro|2mrw)"  # of tomorrow

Reader = Callable[[str, Said, bool], Stretch]

GAP = re.compile(
    r"[\s,]{0,3}(?:(?:on|in\s+the|at|around|the|by|before|until|no\s+later\s+than)\s+)?", re.IGNORECASE
)
LIMIT_BEFORE = re.compile(
    r"\b(?:by|before|no\s+later\s+than|due(?:\s+on)?)\s+(?:(?:EOD|COB|(?:the\s+)?(?:close\s+of\s+business|end\s+of\s+(?:the\s+)?day))\s+"
    r"(?:on\s+)?)?(?:the\s+)?$",
    re.IGNORECASE,
)
LIMIT_WITHIN = re.compile(r"\s(?:by|before|until|no\s+later\s+than)\s+\S", re.IGNORECASE)
_LIMIT_INSIDE = re.compile(r"(?:by|before|within)\s", re.IGNORECASE)
_REPEATED = re.compile(
    rf"\b(?:every|each|most|all|any|per|a|other)\s+(?:{_WEEKDAY}\s*(?:,|and|or|&)\s*)*$", re.IGNORECASE
)

_WORKDAYS = re.compile(r"\bmon(?:day)?\s?(?:-|to|through|until)\s?fri(?:day)?\b", re.IGNORECASE)

_SINCE = re.compile(r"\b(?:ever\s+)?since\s+(?:the\s+)?$", re.IGNORECASE)
PAST = re.compile(
    r"\b(?:since\s+(?:the|my|our|his|her|their)|been|rose|(?:(?<!later\s)(?<!earlier\s)than|above|below|versus|compared\s+(?:to|with))\s+(?:on\s+)?(?=\w{3,6}day\b)|"
    r"(?:was|were|did|had)(?:n['’]t)?|couldn['’]t|went|met|saw|(?<!ve\s)(?<!have\s)(?<!has\s)got|came|took|left|bought|ate|gave|made|told|wrote|flew|spent|lost|"
    r"found|began|broke|fell|slept|woke|ran|drove|sent|paid|held|kept|felt|heard|taught|won|quit|built|sold|chose|spoke|grew|drank|rode|sang|swam|threw|wore|caught|"
    r"(?!(?:need|feed|speed|indeed|embed|exceed|proceed|succeed|schedul|plann|suppos|book|mov|postpon|"
    r"reschedul|expect|decid|agre|promis|volunteer|offer|enroll?|register|reserv|interest|want|excit)(?:ed)?\b|signed\s+up\b)\w{2,}ed"
    # Appointments are moved to a day, people to a place.
    rf"|(?:i|we|he|she|they)\s+moved\s+(?:here|there|out|in|into|away|back|house|to\s+(?!\w*day\b|next|the\b|\d|{_MONTH}\b)))\b",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"\b(?:will|going\s+to|gonna|shall|must|(?:have|has|needs?|want|ought|used?)\s+to|should|plan|plans|planning|"
    r"remind|let's|please|by|before|until|due|deadline|can\s+you|(?:am|are|is|'m|'re|'s)\s+(?:getting|having)|don't\s+forget|remember\s+to"
    r"|(?:told|promised)\s+(?:(?:my|the|our)\s+)?\w+\s+(?:that\s+)?(?:i|we)\s+would|(?:said|promised|agreed)\s+(?:that\s+)?(?:i|we)\s+would)\b"
    r"|'ll\b|\b(?:told|promised)\s+(?:(?:my|the|our)\s+)?\w+\s+(?:that\s+)?(?:i|we)'d\b|\b(?:said|promised|agreed)\s+(?:that\s+)?(?:i|we)'d\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[.!?;,\n]|\b(?:but|and|so)\b", re.IGNORECASE)

_AIMS = re.compile(r"\b(?:to|until|till|for|by)\s+(?:the\s+)?$", re.IGNORECASE)  # it was moved to Friday
_REMIND = re.compile(r"\bremind\s+me\b[^.!?\n]*$", re.IGNORECASE)

_CLOCKS = re.compile(
    r"(?P<at>\b(?:at|around|until|till|from)\s+|@\s?)?(?:"
    r"(?<![A-Za-z0-9.:])(?P<h12>1[0-2]|0?[1-9])(?:[:.](?P<m12>[0-5]\d))?\s?(?P<half>[ap])(?:\.m\.|m(?![A-Za-z]))"
    r"|(?<![\d:.])(?P<h24>[01]?\d|2[0-3]):(?P<m24>[0-5]\d)(?![\d:])"
    r"|\b(?P<named>noon|midday|midnight)\b"
    rf"|\b(?P<minutes>half|(?:a\s+)?quarter|five|ten|twenty(?:-five)?)\s+(?P<side>past|to)\s+(?P<spelled>{_SPELLED}|1[0-2]|[1-9])\b"
    rf"|\b(?P<word>{_SPELLED})(?P<sharp>\s+o'?clock)?\b(?=\s*(?:$|[.,;!?)]|in\s+the\b|tonight|today|tomorrow|on\b|sharp|to\b|please))"
    r"|(?<=[t@d\s])(?P<bare>1[0-2]|[1-9])(?P<oclock>\s?o'?clock)?\b(?![:.,/-]?\d|\s?%))",
    re.IGNORECASE,
)
_BARE_END = re.compile(
    r"\s*(?:$|[.,;!?)]|in\s+the\b|tonight|today|tomorrow|on\b|and\b|with\b|for\b|sharp|to\b|about\b)",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"\b(?:in\s+the\s+)?(?:early\s+|late\s+)?(?P<part>morning|afternoon|evening|night)\b", re.IGNORECASE
)
# Without one of these no pattern finds anything; most texts have none, and are done twenty times as fast.
_HINT = re.compile(
    rf"\b(?:at|by|before|until)\s+{_SPELLED}\b|"
    r"\d|day|night|noon|morning|evening|week|month|year|hour|hr|min|EOD|tom+or|tmr|tmw|2mo?r|christmas|xmas|EOW|COB|business|past|halloween|fortnight|o'clock"
    r"|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|\b(?:mon|tue|wed|thu|fri|sat|sun)",
    re.IGNORECASE,
)
_CALLS = re.compile(r"\s?[提叫喊]")  # 15:30提醒我
_MINUTES = {"five": 5, "ten": 10, "twenty": 20, "twenty-five": 25}
_LEADS_TO_CLOCK = re.compile(r"\b(?:by|before|until|from|between|around|at)\s+$", re.IGNORECASE)


def pieces(text: str, said: Said) -> Iterator[Piece]:
    """Every piece of a date in the text, overlapping ones too."""
    if not _HINT.search(text):
        return
    for pattern, read in _DAYS:
        for match in pattern.finditer(text):
            is_void = bool(_REPEATED.search(text, max(0, match.start() - 40), match.start()))
            yield from _day_piece(text, match, read, said, is_void=is_void)
    for match in _WORKDAYS.finditer(text):
        yield Piece(*match.span(), is_void=True)
    for match in _CLOCKS.finditer(text):
        is_number = (match["bare"] and not match["oclock"]) or (match["word"] and not match["sharp"])
        if not is_number or match["at"] or _leads_to_clock(text, match):
            yield _clock_piece(text, match)
    for match in _PARTS.finditer(text):
        part = cast(Part, match["part"].lower())
        is_firm = bool(_REMIND.search(text, max(0, match.start() - 80), match.start()))
        yield Piece(*match.span(), part=part, is_firm=is_firm)


def _day_piece(
    text: str, match: re.Match[str], read: Reader, said: Said, *, is_void: bool
) -> Iterator[Piece]:
    is_past = _is_past(text, match.start(), match.end())
    try:
        day = read(match[0].lower(), said, is_past)
        if read is _named_day and not is_past and not _is_ahead(text, *match.span()):
            before = read(match[0].lower(), said, True)
            day, is_past = (before, True) if is_just_over(before, said) else (day, False)
    except (ValueError, OverflowError):
        return  # February 30th
    part, is_limit = _part_in(match[0].lower()), bool(_LIMIT_INSIDE.match(match[0]))
    yield Piece(*match.span(), day=day, part=part, is_past=is_past, is_limit=is_limit, is_void=is_void)


def _leads_to_clock(text: str, match: re.Match[str]) -> bool:
    return bool(_LEADS_TO_CLOCK.search(text, max(0, match.start() - 10), match.start()))


def _spelled_clock(match: re.Match[str]) -> Clock:
    """ "half past six", "ten to nine"."""
    hour = _spelled_number(match["spelled"])
    name = match["minutes"].lower()
    minutes = 30 if name == "half" else 15 if "quarter" in name else _MINUTES[name]
    if match["side"].lower() == "past":
        return Clock(hour, minutes, has_minutes=True)
    return Clock(hour - 1 or 12, 60 - minutes, has_minutes=True)


def _spelled_number(word: str) -> int:
    return int(word) if word.isdecimal() else _SPELLED_NUMBERS[word.lower()]


def _clock_piece(text: str, match: re.Match[str]) -> Piece:
    is_led = bool(match["at"] or _leads_to_clock(text, match))
    if match["half"]:
        hour = int(match["h12"]) % 12 + (12 if match["half"].lower() == "p" else 0)
        clock, is_firm = Clock(hour, int(match["m12"] or 0), bool(match["m12"]), is_open=False), True
    elif match["h24"]:
        hour, minute = int(match["h24"]), int(match["m24"])
        is_open = 0 < hour <= 12 and not match["h24"].startswith("0")
        clock = Clock(hour, minute, has_minutes=True, is_open=is_open)
        is_firm = is_led or bool(_CALLS.match(text, match.end()))
    elif match["named"]:
        clock = Clock(24 if match["named"].lower() == "midnight" else 12, is_open=False)
        is_firm = is_led
    elif match["spelled"]:
        clock = _spelled_clock(match)
        is_firm = is_led or match["minutes"].lower() not in _MINUTES  # "ten to twelve people"
    elif match["word"]:
        clock, is_firm = Clock(_spelled_number(match["word"])), True
    else:
        clock = Clock(int(match["bare"]))
        is_firm = bool(match["oclock"] or _BARE_END.match(text, match.end()))
    is_past = _is_past(text, match.start(), match.end())
    return Piece(*match.span(), clock=clock, is_firm=is_firm, is_past=is_past)


def _is_past(text: str, start: int, end: int) -> bool:
    if _AIMS.search(text, max(0, start - 12), start):
        return False
    if _SINCE.search(text, max(0, start - 12), start):
        return True
    return bool(PAST.search(_clause(text, start, end))) and not _is_ahead(text, start, end)


def _is_ahead(text: str, start: int, end: int) -> bool:
    is_aim = _AIMS.search(text, max(0, start - 12), start)
    return bool(is_aim or _FUTURE.search(_clause(text, start, end)))


def _clause(text: str, start: int, end: int) -> str:
    clause_start = max((m.end() for m in _CLAUSE_END.finditer(text, max(0, start - 120), start)), default=0)
    clause_end = _CLAUSE_END.search(text, end, end + 120)
    return text[max(clause_start, start - 120) : clause_end.start() if clause_end else end + 120]


def _part_in(words: str) -> Part | None:
    if words == "tonight" or words.endswith(" night"):
        return "night"
    found = re.search(r"morning|afternoon|evening", words)
    return cast(Part, found[0]) if found else None


@functools.lru_cache(maxsize=1024)  # the same turn is recalled again and again
def _by_library(words: str, base: datetime, *, is_past: bool) -> datetime:
    import dateparser  # 70 ms, and only texts with a date need it

    settings = {
        "RELATIVE_BASE": base,
        "PREFER_DATES_FROM": "past" if is_past else "future",
        "PARSERS": ["relative-time", "absolute-time"],
    }
    found = dateparser.parse(words, languages=["en"], settings=settings)
    if found is None:
        raise ValueError("not a date")
    return cast(datetime, found).replace(tzinfo=None)


def _named_day(words: str, said: Said, is_past: bool) -> Stretch:
    words = re.sub(rf"^{_WEEKDAY},?\s+(?:the\s+)?(?=\w)", "", words)
    number = re.search(r"\d+", words)
    if number and "/" not in words and int(number[0]) > _MOST_DAYS:
        raise ValueError("no such day of a month")  # the library would take it for a year
    return whole(_by_library(words, said.midnight, is_past=is_past), "day")


def _slashed(words: str, said: Said, is_past: bool) -> Stretch:
    """12/11 is December 11th or 12 November: whichever is nearer, in the direction that is meant."""
    first, second = (int(number) for number in words.split("/"))
    found = list[Stretch]()
    for month, day in ((first, second), (second, first)):
        with contextlib.suppress(ValueError):
            found.append(_of_year(month, day, said, is_past=is_past))
    if not found:
        raise ValueError("no calendar has it")
    return min(found, key=lambda one: abs(one.start - said.midnight))


def _of_year(month: int, day: int, said: Said, *, is_past: bool) -> Stretch:
    this = said.midnight.replace(month=month, day=day)
    if is_past != (this < said.midnight) and this != said.midnight:
        this = this.replace(year=this.year + (-1 if is_past else 1))
    return whole(this, "day")


def _iso(words: str, _said: Said, _is_past: bool) -> Stretch:
    return whole(datetime.fromisoformat("-".join(f"{int(n):02}" for n in words.split("-"))), "day")


def _weekday(words: str, said: Said, is_past: bool) -> Stretch:
    name = re.sub(r"^(?:this\s+|the\s+)?coming\s+", "this ", words)
    name = re.sub(rf"\b{_SHORT}$", lambda day: day[0][:3], name)
    return whole(_by_library(name, said.midnight, is_past=is_past), "day")


def _word(words: str, said: Said, _is_past: bool) -> Stretch:
    if words.startswith(("this", "tonight")):
        return whole(said.midnight, "day")
    name = re.sub(rf"\b{_MISSPELT}\b", "tomorrow", words).replace("last night", "yesterday")
    return whole(_by_library(name, said.midnight, is_past=False), "day")


def _nth(words: str, said: Said, is_past: bool) -> Stretch:
    return whole(day_of_month(said, int(re.sub(r"\D", "", words)), is_past=is_past), "day")


def _weekday_nth(words: str, said: Said, is_past: bool) -> Stretch:
    """ "Tuesday the 1st" is the nearest such day on either side: "it was moved to Tuesday the 1st"."""
    weekday, number = _WEEKDAYS.index(words[:3]), int(re.sub(r"\D", "", words))
    near = sorted(range(-_NEAR_DAYS, _NEAR_DAYS + 1), key=abs)
    days = (said.midnight + DAY * away for away in near)
    fitting = [day for day in days if (day.day, day.weekday()) == (number, weekday)]
    return whole(fitting[0] if fitting else day_of_month(said, number, is_past=is_past), "day")


def _month(words: str, said: Said, is_past: bool) -> Stretch:
    side, name = words.split()
    is_past = side in ("last", "since") or (is_past and side != "next")
    month = _by_library(f"{name} 1", said.midnight, is_past=is_past)
    this = said.midnight.replace(day=1)
    return whole(this if month.month == this.month and side not in ("last", "next") else month, "month")


def _month_of_year(words: str, said: Said, _is_past: bool) -> Stretch:
    return whole(_by_library(re.sub(r"(?=\d{4})", "1 ", words), said.midnight, is_past=False), "month")


def _year(words: str, _said: Said, _is_past: bool) -> Stretch:
    return whole(datetime(int(words[-4:]), 1, 1), "year")  # noqa: DTZ001 - a wall clock, zone comes later


def _day_of_week(words: str, said: Said, _is_past: bool) -> Stretch:
    """ "Monday next week", "next week on Thursday"."""
    name = re.search(_WEEKDAY, words)
    if name is None:
        raise ValueError("no weekday")
    step = 1 if "next" in words else -1 if "last" in words else 0
    monday = whole(_weeks_away(said, step), "week").start
    return whole(monday + DAY * _WEEKDAYS.index(name[0][:3]), "day")


def _week_from(words: str, said: Said, _is_past: bool) -> Stretch:
    """ "a week from Friday", "Friday week", "two weeks tomorrow"."""
    count = 2 if words.startswith(("two", "2")) or "fortnight" in words else 1
    name = re.search(rf"{_WEEKDAY}|today|tomorrow|now", words)
    if name is None or name[0] in ("today", "now"):
        start = said.midnight
    else:
        start = whole(_by_library(name[0], said.midnight, is_past=False), "day").start
    return whole(start + 7 * count * DAY, "day")


def _holiday(words: str, said: Said, is_past: bool) -> Stretch:
    month, day = next(date for name, date in _HOLIDAYS.items() if words.startswith(name))
    return _of_year(month, day, said, is_past=is_past)


_HOLIDAYS = {
    "christmas eve": (12, 24),
    "christmas": (12, 25),
    "xmas": (12, 25),
    "boxing day": (12, 26),
    "new year's eve": (12, 31),
    "new year": (1, 1),
    "halloween": (10, 31),
    "valentine's": (2, 14),
}


def _european(words: str, said: Said, is_past: bool) -> Stretch:
    """24.12.2026, and "by 24.12." of the nearest such year."""
    day, month, year = [*(int(number) for number in re.findall(r"\d+", words)), 0][:3]
    this = said.midnight.replace(year=year or said.midnight.year, month=month, day=day)
    if not year and is_past != (this < said.midnight) and this != said.midnight:
        this = this.replace(year=this.year + (-1 if is_past else 1))
    return whole(this, "day")


def _period(words: str, said: Said, _is_past: bool) -> Stretch:
    side, unit = words.split()
    step = {"this": 0, "next": 1, "last": -1}[side]
    if unit == "month":
        return whole(next_month(said.midnight.replace(day=1), step), "month")
    if unit == "year":
        return whole(said.midnight.replace(day=1, year=said.midnight.year + step), "year")
    return whole(_weeks_away(said, step), "week")


def _weekend(words: str, said: Said, is_past: bool) -> Stretch:
    step = 1 if words.startswith("next") else -1 if words.startswith("last") else 0
    return weekend(_weeks_away(said, step - (1 if is_past and step == 0 else 0)))


def _end_of(words: str, said: Said, is_past: bool) -> Stretch:
    side = "next" if "next" in words else "this"
    unit = re.search(r"week|month|year", words.replace("eow", "week"))
    return (
        last_day(_period(f"{side} {unit[0]}", said, is_past)) if unit else part_of(said.midnight, "evening")
    )


def _offset(words: str, said: Said, is_past: bool) -> Stretch:
    if is_past and not words.endswith(("ago", "now")):
        raise ValueError("a length of time")  # "it was built in a day"
    words = re.sub(r"^within\b", "in", words)
    words = re.sub(r"\ban?\s+couple\s+of\b", "2", re.sub(r"\ba\s+few\b", "3", words))
    words = re.sub(r"\bhalf\s+an\s+hours?\b", "30 minutes", words)
    words = re.sub(r"\bthree\s+quarters\s+of\s+an\s+hour\b", "45 minutes", words)
    words = re.sub(r"\ba\s+quarter\s+of\s+an\s+hour\b", "15 minutes", words)
    words = re.sub(r"\b[a-z]+(?:-five)?\b", lambda word: str(_TENS.get(word[0], word[0])), words)
    words = re.sub(r"\ban?\s+hour\s+and\s+a\s+half\b", "90 minutes", words)
    found = _by_library(words, said.local, is_past=False)
    if re.search(r"min|hour|hr", words):
        return elapsed(said, (found - said.local).total_seconds())
    months = re.search(r"month|year", words)
    return whole(_same_day(found, said) if months else found, _exactness(words))


_TENS = {"fifteen": 15, "sixty": 60, "ninety": 90} | {
    f"{name}{tail}": value + more
    for name, value in (("twenty", 20), ("thirty", 30), ("forty", 40), ("fifty", 50))
    for tail, more in (("", 0), ("-five", 5))
}


def _exactness(words: str) -> Precision:
    """Who says "five years ago" names a year, "two months ago" a month; what lies ahead is a day."""
    if not words.endswith("ago"):
        return "day"
    if "year" in words:
        return "year"
    return "month" if "month" in words else "day"


def _same_day(found: datetime, said: Said) -> datetime:
    """The library lands on the right month; the day of the month is the writer's own."""
    this = said.midnight
    return months_away(this, (found.year - this.year) * 12 + found.month - this.month)


def _weeks_away(said: Said, count: int) -> datetime:
    return datetime.fromordinal(said.midnight.toordinal() + 7 * count)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_UNITS = r"(?:minute|min|hour|hr|day|week|month|year)s?"
_HALF = r"(?:\s+and\s+a\s+half)?"
_DAYS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (_compiled(r"(?<![A-Za-z0-9_./-])\d{4}-\d{1,2}-\d{1,2}(?![A-Za-z0-9_/-])"), _iso),
    (_compiled(r"(?<![A-Za-z0-9_./-])\d{1,2}/\d{1,2}/\d{4}(?![A-Za-z0-9_/-])"), _named_day),
    (
        _compiled(
            r"(?:(?<=\bby\s)|(?<=\bon\s)|(?<=\bbefore\s)|(?<=\buntil\s)|(?<=\bfor\s)|(?<=\bdue\s))\d{1,2}/\d{1,2}(?![\w/%-]|\s+(?:of|cup|tsp|full|done))"
        ),
        _slashed,
    ),
    (
        _compiled(
            rf"(?:\b{_WEEKDAY},?\s+)?\b(?:{_MONTH}\.?\s+{_NTH}|(?!{_MONTH_AS_WORD}\b){_MONTH}\.?\s+\d{{1,2}}"
            rf"|(?-i:May|March)\s+\d{{1,2}})\b(?!\s?[ap]m|:){_YEAR}"
        ),
        _named_day,
    ),
    (
        _compiled(
            rf"(?:\b{_WEEKDAY},?\s+(?:the\s+)?)?\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\b{_YEAR}"
        ),
        _named_day,
    ),
    # Of a day that no calendar has (29 February 2027) no month is left.
    (
        _compiled(
            r"(?<!\b\d\s)(?<!\b\d\d\s)(?<!\d(?:st|nd|rd|th)\s)(?<!\d\sof\s)(?<!\d(?:st|nd|rd|th)\sof\s)"
            rf"\b{_MONTH}\s+(?:19|20)\d\d\b"
        ),
        _month_of_year,
    ),
    (
        _compiled(
            rf"\b(?!this\s+(?-i:may|mar(?:ch)?)\b|(?!in\b)\w+\s+(?-i:may)\s+{_AFTER_MAY}\b)"
            rf"(?:in|by|before|since|until|last|next|this)\s+{_MONTH}\b(?!\s*\d|')"
        ),
        _month,
    ),
    (_compiled(r"\b(?:in|since|by|until)\s+(?:19|20)\d\d\b(?![-/:.]?\d)"), _year),
    (
        _compiled(
            rf"\b(?:in|within)\s+{_NUMBER}\s+{_UNITS}\b{_HALF}|\b{_NUMBER}\s+{_UNITS}{_HALF}\s+(?:ago|from\s+now)\b"
        ),
        _offset,
    ),
    (
        _compiled(
            r"\b(?:the\s+)?end\s+of\s+(?:the\s+|this\s+|next\s+)?(?:day|week|month|year)\b|\b(?:EOD|EOW|COB|close\s+of\s+business)\b"
            rf"(?!\s+(?:on\s+)?(?:(?:next\s+)?{_WEEKDAY}|today|tomorrow|{_MONTH}|the\s+\d))"
        ),
        _end_of,
    ),
    (_compiled(r"\b(?:this|next|last|the)\s+weekend\b"), _weekend),
    (
        _compiled(
            rf"\b{_WEEKDAY},?\s+(?:of\s+)?(?:next|this|last)\s+week\b|\b(?:next|this|last)\s+week,?\s+(?:on\s+)?{_WEEKDAY}\b"
        ),
        _day_of_week,
    ),
    (
        _compiled(
            rf"\b(?:a|one|two|2)\s+weeks?\s+(?:(?:from|on)\s+{_WEEKDAY}|(?:from\s+)?(?:today|tomorrow))\b|\b{_WEEKDAY}\s+week\b"
            r"|\bin\s+a\s+fortnight\b|\ba\s+fortnight\s+from\s+(?:now|today)\b"
        ),
        _week_from,
    ),
    (
        _compiled(
            r"\b(?:christmas\s+(?:eve|day)|boxing\s+day|new\s+year's\s+(?:eve|day)|halloween|valentine's\s+day)\b"
            r"|(?:(?<=\bby\s)|(?<=\bbefore\s)|(?<=\buntil\s))(?:christmas|xmas|new\s+year(?:'s)?)\b(?!\s+\w*(?:part|dinner|break|holiday|tree))"
        ),
        _holiday,
    ),
    (
        _compiled(
            r"(?<![\d.])\d{1,2}\.\d{1,2}\.(?:19|20)\d\d(?![\d.])|(?:(?<=\bby\s)|(?<=\bon\s)|(?<=\bbefore\s)|(?<=\buntil\s))\d{1,2}\.\d{1,2}\.(?!\d)"
        ),
        _european,
    ),
    (_compiled(r"\b(?:the\s+)?last\s+day\s+of\s+(?:the|this|next)\s+(?:month|year)\b"), _end_of),
    (_compiled(r"\b(?:this|next|last)\s+(?:week|month|year)\b(?!\s+of\b)"), _period),
    (
        _compiled(
            rf"\b(?:the\s+)?day\s+(?:after\s+tomorrow|before\s+yesterday)\b|\b(?:today|tonight|tomorrow|{_MISSPELT}|yesterday"
            r"|this\s+(?:morning|afternoon|evening)|last\s+night)\b"
        ),
        _word,
    ),
    (_compiled(rf"\b{_WEEKDAY},?\s+(?:the\s+)?{_NTH}\b(?!\s+(?:of\s+)?{_MONTH}\b)"), _weekday_nth),
    (_compiled(rf"\b(?:{_SIDE}\s+)?{_WEEKDAY}\b"), _weekday),
    (
        _compiled(
            rf"\b{_SIDE}\s+{_SHORT}\b|\b{_SHORT}\b(?=,?\s+(?:at\s+)?\d{{1,2}}(?::\d\d|\s?[ap]m))"
            rf"|(?:(?<=\bon\s)|(?<=\bby\s)|(?<=\bbefore\s)|(?<=\buntil\s)|(?<=\bme\s)){_SHORT}\b"
            r"(?=\s*(?:$|[.,;!?]|(?:to|at|morning|afternoon|evening|night|about)\b))"
        ),
        _weekday,
    ),
    (_compiled(rf"\bthe\s+{_NTH}(?=\s*(?:$|[.,;:!?)]|{_CLAUSE_WORD}\b))"), _nth),
)
