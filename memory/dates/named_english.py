"""The times that an English question names, as words; "may I" and "Black Friday" name none."""

import re
from collections.abc import Callable, Iterator

from memory.dates.moment import Said, Stretch
from memory.dates.named import CalendarDate, Named, Portion, Reader
from memory.dates.relative import (
    Unit,
    adjacent,
    at_distance,
    day_of_month_away,
    days_away,
    few_ago,
    latest,
    month_on_side,
    months_from_this,
    offset,
    weekday_after,
    weekday_before,
    weekday_near,
    weekday_of_week,
    weekend_near,
    weekend_of_week,
    weeks_away,
    years_from_this,
)
from memory.dates.seasons import SEASONS, season

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_COUNTED = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_NUMBERS = {"a": 1, "an": 1} | {word: count for count, word in enumerate(_COUNTED, start=1)}
_ORDINALS = {
    "first": 1,
    "1st": 1,
    "second": 2,
    "2nd": 2,
    "third": 3,
    "3rd": 3,
    "fourth": 4,
    "4th": 4,
    "last": -1,
}
_SIDES = {"last": -1, "previous": -1, "past": -1, "this": 0, "next": 1, "coming": 1, "following": 1}

_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_SHORT = r"(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_NOT_A_WORD = r"(?!(?-i:may|march|mar)\b)"  # "3 may come", "march 5 miles"
_YEAR = r"(?:(?:19|20)\d\d\b|(?:last|this|next)\s+year\b)"
_YEAR_AFTER = rf"(?:,?\s+(?:of\s+|in\s+)?(?P<year>{_YEAR}))"
_DAY = r"(?P<day>\d{1,2})"
_NTH = r"(?:st|nd|rd|th)"
_DAY_BEFORE = rf"(?:\b{_WEEKDAY},?\s+(?:the\s+)?)?"
_NUMBER = r"(?:\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_FEW = r"(?:a\s+few|(?:a\s+)?couple(?:\s+of)?|several|half\s+an?)"
_UNIT = r"(?P<unit>minute|min|hour|hr|day|week|month|year)s?"
_LEAD = (
    r"(?:in|during|since|until|till|through|throughout|by|before|after|around|early|mid|late|within"
    r"|(?:month|whole|all|part|half|rest|week|weeks|days?|beginning|start|middle|end)\s+of)"
)
_PORTION = re.compile(
    r"\b(?:(?:the\s+)?(?:(?P<week>first|second|third|fourth|last|1st|2nd|3rd|4th)\s+week"
    r"|(?P<half>first|second)\s+half|(?P<side>very\s+beginning|beginning|start|middle|end))\s+(?:of|in)"
    r"|(?P<near>early|mid|late)(?:\s+in)?)[\s-]+(?:the\s+month\s+of\s+)?$",
    re.IGNORECASE,
)
_PORTIONS: dict[str, Portion] = {
    "early": "early",
    "mid": "middle",
    "late": "late",
    "middle": "middle",
    "end": "late",
}
_NO_DATE_BEFORE = re.compile(
    r"\b(?:black|good|cyber|casual|happy|holy|ash|palm|super|easter|(?:every|each|most|all|any|per|an?|other)"
    rf"(?:\s+{_WEEKDAY}\s*(?:,|and|or|&))*)\s+$",
    re.IGNORECASE,
)

_PERIODS: dict[str, Callable[[int], Reader]] = {
    "week": weeks_away,
    "weekend": weekend_of_week,
    "month": months_from_this,
    "year": years_from_this,
}

Maker = Callable[[re.Match[str]], Named | None]


def named(text: str) -> Iterator[Named]:
    """Every name of a time in the text, overlapping ones too, in no order."""
    for pattern, make in _PATTERNS:
        for match in pattern.finditer(text):
            found = make(match)
            if found is None:
                continue
            if _NO_DATE_BEFORE.search(text, max(0, found.start - 40), found.start):
                yield Named(found.start, found.end, is_void=True)
            else:
                yield found if found.is_weak and found.date and found.date.day else _portioned(text, found)


def _portioned(text: str, found: Named) -> Named:
    """With the words before it that take a part of it: "the first week of June"."""
    lead = _PORTION.search(text, max(0, found.start - 50), found.start)
    if lead is None:
        return found
    words = {name: word.lower() for name, word in lead.groupdict().items() if word}
    portion: Portion
    if "week" in words:
        portion = _ORDINALS[words["week"]]
    elif "half" in words:
        portion = "first half" if words["half"] == "first" else "second half"
    else:
        portion = _PORTIONS.get(words.get("side") or words["near"], "early")
    return Named(lead.start(), found.end, found.date, found.read, portion, comes_again=found.comes_again)


def _calendar(match: re.Match[str]) -> Named | None:
    """A date by its groups `year`, `month` (a word or a number) and `day`."""
    words = match.groupdict()
    day = int(words["day"]) if words.get("day") else None
    month = _month_number(words["month"]) if words.get("month") else None
    if (day is not None and not 1 <= day <= 31) or (month is not None and not 1 <= month <= 12):
        return None
    year, away = _year(words.get("year") or "")
    start = match.start("from") if words.get("from") is not None else match.start()
    return Named(start, match.end(), CalendarDate(year, away, month, day))


def _slashed(match: re.Match[str]) -> Named | None:
    """3/14/2024, or 14/3/2024 where the first can be no month."""
    first, second, year = int(match[1]), int(match[2]), int(match[3])
    month, day = (first, second) if first <= 12 else (second, first)
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return Named(*match.span(), CalendarDate(year, None, month, day))


def _weak(match: re.Match[str]) -> Named | None:
    found = _calendar(match)
    return found and Named(found.start, found.end, found.date, is_weak=True)


def _year(words: str) -> tuple[int | None, int | None]:
    if not words or words.isdecimal():
        return (int(words) if words else None), None
    return None, _SIDES[words.split()[0].lower()]


def _month_number(words: str) -> int:
    return int(words) if words.isdecimal() else _MONTHS.index(words[:3].lower()) + 1


def _month_on_side(match: re.Match[str]) -> Named | None:
    if match["side"].lower() == "this" and match["month"].rstrip(".") in ("may", "march", "mar"):
        return None  # "this may help"
    return Named(
        *match.span(), read=month_on_side(_month_number(match["month"]), _SIDES[match["side"].lower()])
    )


def _weekday(match: re.Match[str]) -> Named:
    weekday, side = _WEEKDAYS.index(match["name"][:3].lower()), (match["side"] or "").lower()
    read = {
        "": weekday_near(weekday),
        "this": weekday_of_week(weekday, 0),
        "last": weekday_before(weekday),
        "previous": weekday_before(weekday),
        "past": weekday_before(weekday),
    }.get(side) or weekday_after(weekday)
    return Named(*match.span(), read=read, comes_again=not side)


def _weekday_of_week(match: re.Match[str]) -> Named:
    weekday = _WEEKDAYS.index((match["name"] or match["name_after"])[:3].lower())
    weeks = _SIDES[(match["side"] or match["side_before"]).lower()]
    return Named(*match.span(), read=weekday_of_week(weekday, weeks))


def _season(match: re.Match[str]) -> Named | None:
    """A season with its year, on a side of today, or led by a preposition; "summer" alone is any summer."""
    if match.start() == match.start("season") and not match["year"]:
        return None
    name = match["season"].lower()
    place = SEASONS.index("autumn" if name == "fall" else name)
    year, away = _year(match["year"] or "")
    if name == "fall" and away is not None and match.start() == match.start("season"):
        return None  # "did he fall last year?"
    side = None if match["year"] else _SIDES[(match["side"] or "this").lower()]
    start = match.start("side") if match["side"] else match.start("season")
    return Named(start, match.end(), read=season(place, year=year, years=away, side=side))


def _word(match: re.Match[str]) -> Named:
    words = " ".join(match[0].lower().split())
    count = {"yesterday": -1, "last night": -1, "tomorrow": 1, "tmrw": 1, "tmr": 1}.get(words, 0)
    if "before" in words or "after" in words:
        count = -2 if "before" in words else 2
    if words.startswith(("yesterday", "tomorrow")):
        count = -1 if words[0] == "y" else 1
    return Named(*match.span(), read=days_away(count))


def _period(match: re.Match[str]) -> Named:
    side, unit = match["side"].lower(), match["unit"].lower()
    if side == "past" and unit != "weekend":
        return Named(*match.span(), read=latest(1, _unit(match)))
    return Named(*match.span(), read=_PERIODS[unit](_SIDES[side]))


def _second_period(match: re.Match[str]) -> Named:
    count = -2 if match["twice"].lower().startswith("before") else 2
    return Named(*match.span(), read=_PERIODS[match["unit"].lower()](count))


def _weekend(match: re.Match[str]) -> Named:
    return Named(*match.span(), read=weekend_near, comes_again=True)


def _ago(match: re.Match[str]) -> Named:
    words, unit = match["count"].lower(), _unit(match)
    if re.match(r"a\s+few|several", words) and unit != "moment":
        return Named(*match.span(), read=few_ago(unit))
    return Named(*match.span(), read=offset(-_count(words, match), unit))


def _from_now(match: re.Match[str]) -> Named:
    return Named(*match.span(), read=offset(_count(match["count"].lower(), match), _unit(match)))


def _in_some_time(match: re.Match[str]) -> Named:
    """ "in two weeks" lies ahead; of the past it tells how long something took."""
    ahead = offset(_count(match["count"].lower(), match), _unit(match))

    def read(said: Said, is_past: bool) -> Stretch:
        if is_past:
            raise ValueError("a span of time, not a date")
        return ahead(said, is_past)

    return Named(*match.span(), read=read)


def _beside(match: re.Match[str]) -> Named:
    """ "The week" or "two weeks", where it says before or after which day."""
    unit = _unit(match)
    read = at_distance(_count(match["count"].lower(), match), unit) if match["count"] else adjacent(1, unit)
    return Named(*match.span(), read=read, is_weak=True, is_beside=True)


def _latest(match: re.Match[str]) -> Named:
    return Named(*match.span(), read=latest(_count(match["count"].lower(), match), _unit(match)))


def _count(words: str, match: re.Match[str]) -> float:
    count = (
        0.5
        if words.startswith("half")
        else 2
        if "couple" in words
        else 3
        if words in ("few", "several")
        else None
    )
    if count is None:
        count = 3 if words.startswith("a ") else int(words) if words.isdecimal() else _NUMBERS[words]
    count += 0.5 if match["half"] else 0
    return count / 60 if match["unit"].lower().startswith("min") else count


def _unit(match: re.Match[str]) -> Unit:
    units: dict[str, Unit] = {"day": "day", "week": "week", "month": "month", "year": "year"}
    return units.get(match["unit"].lower(), "moment")


def _nth_of_month(match: re.Match[str]) -> Named | None:
    day = int(match["day"])
    if not 1 <= day <= 31:
        return None
    return Named(*match.span(), read=day_of_month_away(day, _SIDES[match["side"].lower()]))


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_HALF = r"(?P<half>\s+and\s+a\s+half)?"
_COUNT = rf"(?P<count>{_NUMBER}|{_FEW})"
_AFTER_NTH = (
    r"(?=\s*(?:$|[.,;:!?)-]|(?:at|and|or|for|with|to|in|if|when|because|but|so|then|from|by|through|until"
    r"|we|i|he|she|they)\b))"
)
_PATTERNS: tuple[tuple[re.Pattern[str], Maker], ...] = (
    (
        _compiled(
            r"(?<![A-Za-z0-9_./-])(?P<year>(?:19|20)\d\d)(?P<sign>[-/])(?P<month>\d{1,2})(?:(?P=sign)(?P<day>\d{1,2}))?"
            r"(?![A-Za-z0-9_/-]|\.\d)"
        ),
        _calendar,
    ),
    (_compiled(r"(?<![A-Za-z0-9_./-])(\d{1,2})/(\d{1,2})/((?:19|20)\d\d)(?![A-Za-z0-9_/-])"), _slashed),
    (
        _compiled(rf"{_DAY_BEFORE}(?<![\d.:,])\b{_DAY}{_NTH}\s+(?:of\s+)?(?P<month>{_MONTH}){_YEAR_AFTER}?"),
        _calendar,
    ),
    (
        _compiled(rf"{_DAY_BEFORE}(?<![\d.:,])\b{_DAY}\s+(?P<month>{_NOT_A_WORD}{_MONTH}){_YEAR_AFTER}?"),
        _calendar,
    ),
    (_compiled(rf"{_DAY_BEFORE}(?<![\d.:,])\b{_DAY}\s+(?P<month>{_MONTH}){_YEAR_AFTER}"), _calendar),
    (
        _compiled(
            rf"{_DAY_BEFORE}\b(?P<month>{_NOT_A_WORD}{_MONTH})\s*(?:the\s+)?{_DAY}{_NTH}?\b(?!\s?[ap]\.?m\b|:\d)"
            rf"{_YEAR_AFTER}?"
        ),
        _calendar,
    ),
    (_compiled(rf"{_DAY_BEFORE}\b(?P<month>{_MONTH})\s+(?:the\s+)?{_DAY}{_NTH}\b{_YEAR_AFTER}?"), _calendar),
    (_compiled(rf"\b(?P<month>{_MONTH}){_YEAR_AFTER}"), _calendar),
    (_compiled(rf"\b(?P<year>(?:last|this|next)\s+year)\s+in\s+(?P<month>{_MONTH})"), _calendar),
    (_compiled(rf"\b(?P<side>last|this|next)\s+(?P<month>{_MONTH})(?!\s*\d|['’])"), _month_on_side),
    (_compiled(rf"\b{_LEAD}[\s-]+(?P<from>)(?P<month>{_MONTH})(?!\s*\d|['’]|\s+I\b)"), _calendar),
    (_compiled(rf"\b(?P<month>{_MONTH})(?!\s*\d|['’])"), _weak),
    (
        _compiled(
            rf"\b{_LEAD}\s+(?P<from>)(?:the\s+year\s+)?(?P<year>(?:19|20)\d\d)\b(?![-/:.,]?\d|\s*(?:%|percent|dollars|people|words|steps))"
        ),
        _calendar,
    ),
    (
        _compiled(
            r"\b(?:of|from|between)\s+(?P<from>)(?P<year>(?:19|20)\d\d)\b"
            r"(?=\s*(?:$|[?.!;]|(?:and|to)\s+(?:19|20)\d\d))"
        ),
        _calendar,
    ),
    (_compiled(r"(?<![\w.:/-])(?P<year>(?:19|20)\d\d)(?![\w:/-]|[.,]\d)"), _weak),
    (
        _compiled(
            rf"(?<![\w.:/]){_DAY}{_NTH}?(?=\s*(?:$|[?.!;,–-]|(?:and|or|to|through|until|till|we|i|in|with|at|did)\b))"
        ),
        _weak,
    ),
    (_compiled(rf"\b(?:the\s+)?{_DAY}{_NTH}\s+of\s+(?P<side>last|this|next)\s+month\b"), _nth_of_month),
    (_compiled(rf"\b(?:on\s+)?(?:{_WEEKDAY},?\s+)?the\s+{_DAY}{_NTH}{_AFTER_NTH}"), _calendar),
    (
        _compiled(
            rf"\b(?P<name>{_WEEKDAY})\s+(?:of\s+)?(?P<side>last|this|next)\s+week\b"
            rf"|\b(?P<side_before>last|this|next)\s+week(?:['’]s)?,?\s+(?:on\s+)?(?P<name_after>{_WEEKDAY})\b"
        ),
        _weekday_of_week,
    ),
    (
        _compiled(
            rf"\b(?:(?:the\s+)?(?P<side>this|next|last|past|previous|coming|following)\s+)?(?P<name>{_WEEKDAY})\b"
        ),
        _weekday,
    ),
    (_compiled(rf"\b(?P<side>next|last)\s+(?P<name>{_SHORT})\b"), _weekday),
    (
        _compiled(r"\b(?P<side>last\s)?on\s+(?P<name>(?-i:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun))\b"),
        _weekday,
    ),
    (
        _compiled(
            r"\b(?:(?P<side>last|this|next)\s+|(?:in|during|over|since)\s+the\s+)?"
            rf"(?P<season>spring|summer|autumn|fall|winter)\b{_YEAR_AFTER}?"
        ),
        _season,
    ),
    (
        _compiled(
            r"\b(?:the\s+)?day\s+(?:after\s+tomorrow|before\s+yesterday)\b|\b(?:today|tonight|tmrw?|last\s+night"
            r"|(?:yesterday|tomorrow)(?:\s+(?:morning|afternoon|evening|night))?|this\s+(?:morning|afternoon|evening))\b"
        ),
        _word,
    ),
    (
        _compiled(
            r"\b(?:the\s+)?(?P<side>this|next|last|past|previous|coming)\s+(?P<unit>week|weekend|month|year)\b(?!\s+of\b)"
        ),
        _period,
    ),
    (
        _compiled(r"\bthe\s+(?P<unit>week|weekend|month|year)\s+(?P<twice>before\s+last|after\s+next)\b"),
        _second_period,
    ),
    (_compiled(r"\b(?:(?:on|over|at|during)\s+)?the\s+weekend\b"), _weekend),
    (_compiled(rf"\b{_COUNT}\s+{_UNIT}{_HALF}\s+(?:ago|back|earlier)\b"), _ago),
    (_compiled(rf"\b{_COUNT}\s+{_UNIT}{_HALF}\s+from\s+now\b"), _from_now),
    (_compiled(rf"\b(?:the|{_COUNT})\s+{_UNIT}{_HALF}(?=\s+(?:before|after|prior\s+to)\b)"), _beside),
    (_compiled(rf"\bin\s+{_COUNT}\s+{_UNIT}{_HALF}\b"), _in_some_time),
    (
        _compiled(
            rf"\b(?:the\s+)?(?:last|past|previous)\s+(?P<count>{_NUMBER}|few|several|couple\s+of)\s+{_UNIT}{_HALF}\b"
        ),
        _latest,
    ),
)
