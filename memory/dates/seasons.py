"""The seasons, three whole months each, on both sides of the equator."""

import re

from memory.dates.moment import Said, Stretch, next_month
from memory.dates.named import Reader

SEASONS = ("spring", "summer", "autumn", "winter")
_SOUTH = re.compile(
    r"Australia/|Antarctica/|Pacific/(?:Auckland|Chatham)|Africa/(?:Johannesburg|Harare|Maputo|Windhoek|Gaborone)"
    r"|America/(?:Argentina|Buenos_Aires|Sao_Paulo|Santiago|Montevideo|Asuncion|La_Paz|Lima)"
)


def season(
    place: int, *, year: int | None = None, years: int | None = None, side: int | None = None
) -> Reader:
    """A season (spring is 0) of a year, of one so many years from this, or on a side of today.

    It has three whole months, from March in the north and from September in the south of the equator.
    Winter is the one that begins in its year. Side -1 is the latest that is over, 0 the latest that has
    begun (ahead: the first not over), 1 the next to begin.
    """

    def read(said: Said, is_past: bool) -> Stretch:
        month = (2 + 3 * place + (6 if _SOUTH.match(said.tz) else 0)) % 12 + 1
        this = said.midnight.year
        if side is None:
            return _season(this + (years or 0) if year is None else year, month, said)
        near = [_season(this + away, month, said) for away in (-2, -1, 0, 1, 2)]
        today = said.midnight
        if side < 0:
            return [one for one in near if one.end <= today][-1]
        if side > 0 or not is_past:
            return next(one for one in near if (one.start if side > 0 else one.end) > today)
        return [one for one in near if one.start <= today][-1]

    return read


def _season(year: int, month: int, said: Said) -> Stretch:
    start = said.midnight.replace(year=year, month=month, day=1)
    return Stretch(start, next_month(start, 3), "month")
