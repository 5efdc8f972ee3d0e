"""At which hours a user writes at all: what a habit's hour has to stand out from."""

import math
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

DAY_H = 24
BINS = 48
_SMOOTH_H = 0.75
# Of who has said little, an ordinary day counts as so many half hours with words in them.
_ORDINARY = 6.0
_AWAKE_FROM, _AWAKE_UNTIL, _AWAKE_SHARE = 7, 24, 0.95


@dataclass(frozen=True, slots=True)
class Hours:
    """The density of a user's words over the hours of the wall clock; it sums to 1 over a day."""

    bins: tuple[float, ...]

    def density(self, moment: datetime) -> float:
        """How much of what is said falls into one hour around a moment's time of day; above 0."""
        return self.bins[int((moment.hour + moment.minute / 60) * BINS / DAY_H)]


def hours_of(moments: Iterable[datetime]) -> Hours:
    """Of all that a user said, in local time. However much is said within one half hour counts once."""
    return hours_at({one.date().toordinal() * BINS + one.hour * 2 + one.minute // 30 for one in moments})


def hours_at(half_hours: Collection[int]) -> Hours:
    """Of the half hours in which a user spoke, each counted from any midnight and named once."""
    counts = Counter(half_hour % BINS for half_hour in half_hours)
    total = len(half_hours) + _ORDINARY
    spoken = sorted(counts.items())
    smooth = [sum(count * _KERNEL[(a - b) % BINS] for b, count in spoken) for a in range(BINS)]
    return Hours(tuple((one + _ORDINARY * _ordinary(place)) / total for place, one in enumerate(smooth)))


def _ordinary(place: int) -> float:
    hour = place * DAY_H / BINS
    awake = _AWAKE_UNTIL - _AWAKE_FROM
    is_awake = _AWAKE_FROM <= hour < _AWAKE_UNTIL
    return _AWAKE_SHARE / awake if is_awake else (1 - _AWAKE_SHARE) / (DAY_H - awake)


def _kernel() -> tuple[float, ...]:
    """What one half hour lends to each other, by their distance; in all one half hour's worth."""
    far = [min(place, BINS - place) * DAY_H / BINS for place in range(BINS)]
    weights = [math.exp(-0.5 * (hours / _SMOOTH_H) ** 2) for hours in far]
    return tuple(weight / sum(weights) * BINS / DAY_H for weight in weights)


_KERNEL = _kernel()
