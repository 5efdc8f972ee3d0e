"""Habits: the same thing asked at about the same hour on several days, or on the same weekday for weeks."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import apsw
import numpy as np
from numpy.typing import NDArray

from memory.database import Database
from memory.dates.moment import Said
from memory.embed.anchors import Seen
from memory.model import DAY_S, Evidence, Prediction, Resource
from memory.ports import Clock, Embedder
from memory.proactive import ledger, recording
from memory.proactive.asking import asked
from memory.proactive.asking.around import Around, Places
from memory.proactive.asking.asked import Asked
from memory.proactive.asking.belonging import belonging
from memory.proactive.asking.frame import is_mostly_a_frame
from memory.proactive.asking.heard import WINDOW_S, Heard
from memory.proactive.asking.label import label
from memory.proactive.asking.lens import Lens
from memory.proactive.asking.stating import is_statement
from memory.proactive.asking.telling import is_telling
from memory.proactive.asking.wording import local, month_and_day, quote, weekday
from memory.proactive.habits.hours import BINS, hours_at
from memory.proactive.habits.rhythm import LEAST_TIMES, WEEK, Rhythm, rhythm
from memory.terms import language

LEAD_S: Final = 30 * 60  # prepared so long before it is usually asked
_LATE_S = 2 * 3600  # and expected for so long
_MOST_SURE = 0.9
_LABELLED = 6  # the latest texts that name the topic
_COMPARED = 12  # the latest texts that are looked at for a frame
_SHOWN = 5  # moments in the reason
_THURSDAY = 3  # 1 January 1970


@dataclass(frozen=True, slots=True)
class _Said:
    """An asking with its words and its own wall clock."""

    turn_id: str
    event_key: str
    at: int
    clock: datetime
    text: str


class HabitDetector:
    """Turns of one sense, within four weeks, whose hours or weekdays stand out from the user's ordinary ones.

    Each turn counts in the wall clock of its own zone, so that neither a clock that is put forward nor a
    journey breaks a habit; it is expected in the zone of the last. Predicted anew at each further asking, for
    the next day on which it is likelier than not; not where it was broken too often to be expected at all.
    """

    name = "habit"

    def __init__(
        self, embedder: Embedder, database: Database, clock: Clock, heard: Heard | None = None
    ) -> None:
        self._lens = Lens(embedder, database, clock)
        self._heard = heard or Heard(embedder.name)

    async def prepare(self) -> None:
        """Have the anchors in the embedder's vectors. Raises TemporaryError like it."""
        self._heard.refresh()
        await self._lens.prepare()

    def detect(self, connection: apsw.Connection, turn: Resource) -> list[Prediction]:
        """The next time of the habit that this turn belongs to; none before `prepare` was awaited."""
        anchors = self._lens.anchors
        if anchors is None or not asked.is_asking(turn):
            return []
        seen = self._heard.turn(connection, anchors, turn.id)
        if seen is None:
            return []
        around = self._heard.around(connection, anchors, turn, WINDOW_S)
        members, others = _parted(around, turn, seen)
        if _rhythm(turn, members, others) is None:
            return []  # before any words are read
        askings = _askings(connection, turn, members)
        told = {one.turn_id for one in askings}
        found = _rhythm(turn, [one for one in members if one.id in told], others)
        if found is None or is_mostly_a_frame([one.text for one in askings[-_COMPARED:]]):
            return []
        if is_statement(turn.turn.text, turn.turn.timestamp, turn.turn.tz):
            return []
        return [self._prediction(connection, turn, askings, found)]

    def _prediction(
        self, connection: apsw.Connection, turn: Resource, askings: Sequence[_Said], found: Rhythm
    ) -> Prediction:
        said = turn.turn
        texts = [one.text for one in askings[-_LABELLED:]]
        ids = [one.turn_id for one in askings]
        known = ledger.topic_of(connection, said.scope.user_id, self.name, ids)
        topic = known or label(texts) or quote(said.text)
        here = Said(said.timestamp, said.tz)
        return Prediction(
            detector=self.name,
            topic=topic,
            text=_text(topic, found, askings),
            why=_why(askings),
            probability=round(min(_MOST_SURE, found.share), 2),
            evidence=_evidence(askings),
            due_at=here.unix(found.start) - LEAD_S,
            expires_at=here.unix(found.end) + _LATE_S,
            session_id=said.scope.session_id,
        )


def _parted(around: Around, turn: Resource, seen: Seen) -> tuple[list[Asked], NDArray[np.int64]]:
    """What was said before: the turns of one sense with this one, and the wall clocks of all others."""
    before = around.before(turn)
    near = around.nearest(seen, before)
    alike = near[belonging(seen, around.rows.seen(near))]
    members = [around.rows.asked(int(place)) for place in np.sort(alike)]
    others: Places = np.setdiff1d(before, alike, assume_unique=True)
    return members, around.rows.local_s()[others]


def _askings(connection: apsw.Connection, turn: Resource, members: Sequence[Asked]) -> list[_Said]:
    """The members and the turn, the oldest first, without what asks nothing."""
    said = turn.turn
    told = [
        _Said(one.id, one.event_key, one.at, local(one.at, one.tz), asked.words(connection, one.key))
        for one in sorted(members, key=lambda one: (one.at, one.key))
    ]
    this = _Said(turn.id, said.event_key, said.timestamp, local(said.timestamp, said.tz), said.text)
    return [*(one for one in told if _is_asking(one, said.tz)), this]


def _is_asking(one: _Said, tz: str) -> bool:
    return is_telling(one.text) and not is_statement(one.text, one.at, tz)


def _rhythm(turn: Resource, members: Sequence[Asked], others_s: NDArray[np.int64]) -> Rhythm | None:
    """By one asking of each sitting, against the hours and days of all else that the user says."""
    said = turn.turn
    now, apart = local(said.timestamp, said.tz), _sittings(said.timestamp, members)
    if len(apart) < LEAST_TIMES - 1:
        return None
    days = np.unique(others_s // DAY_S)
    share = (int(np.count_nonzero((days + _THURSDAY) % WEEK == now.weekday())) + 1) / (len(days) + WEEK)
    hours = hours_at(np.unique(others_s // (DAY_S // BINS)).tolist())
    return rhythm(now, [local(one.at, one.tz) for one in apart], hours, share)


def _sittings(until: int, members: Sequence[Asked]) -> list[Asked]:
    """One asking of each sitting before a moment, the latest first."""
    kept: list[Asked] = []
    for one in sorted(members, key=lambda one: -one.at):
        if (kept[-1].at if kept else until) - one.at >= asked.APART_S:
            kept.append(one)
    return kept


def _evidence(askings: Sequence[_Said]) -> tuple[Evidence, ...]:
    return tuple(Evidence(one.turn_id, key=one.event_key) for one in askings[-recording.MAX_EVIDENCE :])


def _text(topic: str, found: Rhythm, askings: Sequence[_Said]) -> str:
    words = language(askings[-1].text)
    days = {one.clock.date() for one in askings}
    count, first = len(days), askings[0].clock
    is_at_an_hour = found.end - found.start <= timedelta(hours=1)
    day = weekday(found.at, words)
    if words == "zh":
        when = f"{f'每到{day}' if found.is_weekly else ''}{f'{found.at:%H:%M}前后' if is_at_an_hour else ''}"
        return f"{when}，你常会问到“{topic}”（{month_and_day(first)}以来已有{count}天），要不要先准备好？"
    around = f"around {found.at:%H:%M}" if is_at_an_hour else ""
    when = " ".join(part for part in (f"on {day}s" if found.is_weekly else "", around) if part)
    since = f"on {count} days since {first:%Y-%m-%d}"
    return f"{when[0].upper()}{when[1:]} you usually ask about “{topic}” ({since}): prepare it?"


def _why(askings: Sequence[_Said]) -> str:
    """As repeated intents say it: the latest moments, and the words of the last."""
    newest = askings[-1].text
    days = [f"{one.clock:%Y-%m-%d %H:%M}" for one in askings[-_SHOWN:]]
    if language(newest) == "zh":
        return f"问于 {'、'.join(days)}；最近一次：“{quote(newest)}”"
    return f"asked on {', '.join(days)}; the last time: “{quote(newest)}”"
