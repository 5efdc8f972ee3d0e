"""When a provider wants to be asked again, in each form that providers use."""

import math
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime

LONGEST_S = 3600  # whoever asks for more is asked again after an hour


def retry_after_ms(headers: Mapping[str, str], now: int) -> int | None:
    """The wait in `retry-after-ms` or `retry-after` (seconds or HTTP date), up to an hour; None for none.

    `headers` finds a name in any case; `now` is Unix seconds. What can't be read counts as not there.
    """
    exact_ms = _number(headers.get("retry-after-ms"))
    seconds = exact_ms / 1000 if exact_ms is not None else _seconds(headers.get("retry-after"), now)
    return None if seconds is None else round(1000 * min(max(0.0, seconds), LONGEST_S))


def _seconds(value: str | None, now: int) -> float | None:
    number = _number(value)
    return number if number is not None else _until(value, now)


def _number(value: str | None) -> float | None:
    try:
        number = float(value or "")
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _until(value: str | None, now: int) -> float | None:
    try:
        moment = parsedate_to_datetime(value or "")
    except (ValueError, TypeError, OverflowError):
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp() - now
