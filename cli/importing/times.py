"""Times as other programs write them."""

from datetime import UTC, datetime, timedelta
from typing import Any

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def milliseconds_of(text: Any) -> int | None:
    """Unix milliseconds of an ISO time, of UTC where it names no zone; None for anything else."""
    try:
        moment = datetime.fromisoformat(text)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return (moment - _EPOCH) // timedelta(milliseconds=1)
    except (TypeError, ValueError, OverflowError):
        return None


def seconds_of(text: Any) -> int | None:
    """Unix seconds of an ISO time, likewise."""
    time_ms = milliseconds_of(text)
    return None if time_ms is None else time_ms // 1000
