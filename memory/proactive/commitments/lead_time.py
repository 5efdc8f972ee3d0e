"""How long before its time a reminder is wanted: "an hour before", 提前一天."""

import re

_AHEAD = re.compile(
    r"\b(?P<count>half\s+an|an?|one|two|three|\d{1,2})\s+(?P<unit>minute|min|hour|day|week)s?\s+"
    r"(?:before(?:hand)?|earlier|ahead|in\s+advance)\b"
    r"|提前(?P<count_zh>半|[一两二三四五六七十]|\d{1,2})个?(?P<unit_zh>分钟|小时|钟头|天|周|星期)",
    re.IGNORECASE,
)
_COUNTS = {"a": 1.0, "an": 1.0, "one": 1.0, "two": 2.0, "three": 3.0, "半": 0.5, "两": 2.0, "十": 10.0} | {
    digit: float(count) for count, digit in enumerate("一二三四五六七", start=1)
}
_UNITS_S = {
    **dict.fromkeys(("minute", "min", "分钟"), 60),
    **dict.fromkeys(("hour", "小时", "钟头"), 3_600),
    **dict.fromkeys(("day", "天"), 86_400),
    **dict.fromkeys(("week", "周", "星期"), 604_800),
}


def without_lead_time(words: str) -> str:
    """The words without it: what is to be done is not done "an hour before"."""
    return _AHEAD.sub(" ", words)


def lead_s(sentence: str) -> int:
    """The seconds; 0 if nothing of the kind is said."""
    found = _AHEAD.search(sentence)
    if found is None:
        return 0
    count = (found["count"] or found["count_zh"]).lower()
    unit = (found["unit"] or found["unit_zh"]).lower()
    if count.startswith("half"):
        return _UNITS_S[unit] // 2
    return int((_COUNTS.get(count) or float(count)) * _UNITS_S[unit])
