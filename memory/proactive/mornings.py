"""Sensible local moments: the morning on which something is brought up."""

from datetime import datetime, time, timedelta
from typing import Final

from memory.dates.moment import zone_of

HOUR: Final = 9
_REST_S: Final = 8 * 3600  # a night lies between what was said and its morning


def morning_after(at: int, tz: str) -> int:
    """The first nine o'clock of the writer's wall clock that is a night away, Unix seconds."""
    local = datetime.fromtimestamp(at, zone_of(tz))
    days = (morning_of(at, tz, days_before=-ahead) for ahead in range(3))
    return next(morning for morning in days if morning - local.timestamp() >= _REST_S)


def morning_of(at: int, tz: str, *, days_before: int = 0) -> int:
    """Nine o'clock of the local day of a moment, or of so many days before it, whatever the clocks did."""
    zone = zone_of(tz)
    day = datetime.fromtimestamp(at, zone).date() - timedelta(days=days_before)
    return int(datetime.combine(day, time(HOUR), zone).timestamp())
