"""Times as a person writes and reads them."""

import re
from datetime import datetime

_SPAN = re.compile(r"(\d{1,6})([dhm])\Z")
_UNITS_S = {"d": 86_400, "h": 3_600, "m": 60}


def parse(text: str) -> int | None:
    """Unix seconds of `1767225600`, or of `2026-05-01` or `2026-05-01T18:30` in local time. None: no time."""
    if re.fullmatch(r"-?\d{1,12}", text):
        return int(text)
    try:
        return int(datetime.fromisoformat(text).astimezone().timestamp())
    except (ValueError, OverflowError, OSError):
        return None


def parse_ago(text: str, now: int) -> int | None:
    """As `parse`, and `7d`, `12h`, `30m` before now."""
    return now - _span_s(text) if _SPAN.match(text) else parse(text)


def parse_ahead(text: str, now: int) -> int | None:
    """As `parse`, and `7d`, `12h`, `30m` from now."""
    return now + _span_s(text) if _SPAN.match(text) else parse(text)


def show(timestamp: int | None) -> str:
    """Local date and time to the minute; what is no time of our calendar is shown as the number it is."""
    if timestamp is None:
        return "-"
    try:
        return datetime.fromtimestamp(timestamp).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return str(timestamp)


def _span_s(text: str) -> int:
    return int(text[:-1]) * _UNITS_S[text[-1]]
