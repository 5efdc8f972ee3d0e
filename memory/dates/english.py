"""English dates: our own patterns find the words ("may" and "sun" stay words), dateparser reads the days."""

import re
from collections.abc import Iterator
from typing import cast

from memory.dates.clock import Clock, Part
from memory.dates.english_days import DAYS, MONTH, SPELLED, WEEKDAY, Reader, named_day
from memory.dates.moment import Said, is_just_over
from memory.dates.pieces import Piece

_SPELLED_NUMBERS = {word: place for place, word in enumerate(re.findall(r"[a-z]+", SPELLED), start=1)}

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
    rf"\b(?:every|each|most|all|any|per|a|other)\s+(?:{WEEKDAY}\s*(?:,|and|or|&)\s*)*$", re.IGNORECASE
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
    rf"|(?:i|we|he|she|they)\s+moved\s+(?:here|there|out|in|into|away|back|house|to\s+(?!\w*day\b|next|the\b|\d|{MONTH}\b)))\b",
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
    rf"|\b(?P<minutes>half|(?:a\s+)?quarter|five|ten|twenty(?:-five)?)\s+(?P<side>past|to)\s+(?P<spelled>{SPELLED}|1[0-2]|[1-9])\b"
    rf"|\b(?P<word>{SPELLED})(?P<sharp>\s+o'?clock)?\b(?=\s*(?:$|[.,;!?)]|in\s+the\b|tonight|today|tomorrow|on\b|sharp|to\b|please))"
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
    rf"\b(?:at|by|before|until)\s+{SPELLED}\b|"
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
    for pattern, read in DAYS:
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
        if read is named_day and not is_past and not _is_ahead(text, *match.span()):
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
