"""The one place that decides what is said, and when it is better to be quiet."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

import apsw

from config.settings import ProactiveSettings
from memory.dates.moment import is_in_calendar, zone_of
from memory.model import DAY_S, ProactiveItem, Resource, Scope
from memory.proactive import ledger, notices, outcomes
from memory.proactive.about import is_about
from memory.proactive.notices import Told
from memory.proactive.trust import Trust, trust
from memory.proactive.worth import is_asked_for, worth_of
from memory.store import resources

AT_MOST_IN_RECALL: Final = 3
_JUST_S: Final = 30 * 60  # what the user said last is just seen for so long
# What has its own time may come so much before the cool-down is over: told at eight today for it was due a
# little earlier, a daily habit would come later each day, and an hour late when the clocks are put forward.
_DAILY_SLACK_S: Final = 2 * 3600
NO_END: Final = 2**62


class Arbiter:
    """Limits delivery, never storage.

    What the user asked for is handed out when it is due: at night too, however much was said that day.
    Everything else needs to be worth it (probability x value), a topic that was not brought up lately, room
    in the day and in the session, a detector that is trusted, and a user who is awake. Nothing that is not
    due is told to who just spoke of it. Items belong to the user, not to the session they arose in: a
    reminder finds the user wherever they talk next. Reads only; the caller marks what it handed out.
    """

    def __init__(self, settings: ProactiveSettings) -> None:
        self._settings = settings

    def choose(
        self, connection: apsw.Connection, scope: Scope, now: int, limit: int, known_until: int = NO_END
    ) -> list[ProactiveItem]:
        """What to bring up now, unasked: due by now, or worth preparing at any time. Most urgent first.

        `known_until`: nothing is known of what was told after it; for a look at a past moment that moment.
        Else what a clock that was set back has told counts too.
        """
        ripe = [item for item in self._waiting(connection, scope, now, known_until) if _is_ripe(item, now)]
        return self._allowed(connection, scope, ripe, (now, known_until), limit)

    def upcoming(
        self,
        connection: apsw.Connection,
        scope: Scope,
        now: int,
        recalled_turn_ids: Sequence[str],
        known_until: int = NO_END,
    ) -> Sequence[ProactiveItem]:
        """What belongs beside a prompt: what is due, and what rests on a turn that the prompt recalled.

        Beside an unrelated prompt nothing that merely could be said.
        """
        recalled = set(recalled_turn_ids)
        fitting = [
            item
            for item in self._waiting(connection, scope, now, known_until)
            if _is_due(item, now) or _rests_on(item, recalled)
        ]
        return self._allowed(connection, scope, fitting, (now, known_until), AT_MOST_IN_RECALL)

    def trust(self, connection: apsw.Connection, user_id: str, now: int) -> Trust:
        """How far the user's detectors and topics are trusted by a moment."""
        half_life_s = self._settings.feedback_half_life_days * DAY_S
        return trust(outcomes.outcomes(connection, user_id, now), now, half_life_s)

    def retry_at(self, connection: apsw.Connection, user_id: str, now: int) -> int:
        """When one item of all that is throttled may be told again; `now` or before: with the next one."""
        known, wait_s = self.trust(connection, user_id, now), self._settings.retry_days * DAY_S
        told = notices.brought_up(connection, user_id, now - wait_s, now)
        moments = [one.at for one in told if known.is_throttled(one.detector) and not one.is_asked_for]
        return max(moments) + wait_s if moments else now

    def _waiting(
        self, connection: apsw.Connection, scope: Scope, now: int, known_until: int
    ) -> list[ProactiveItem]:
        if not self._settings.enabled or not is_in_calendar(now):
            return []
        return ledger.waiting(connection, scope, now, known_until)

    def _allowed(
        self,
        connection: apsw.Connection,
        scope: Scope,
        items: Sequence[ProactiveItem],
        times: tuple[int, int],
        limit: int,
    ) -> list[ProactiveItem]:
        """Of what could be said, what may be: what is worth most gets the room, and the urgent goes first."""
        if not items:
            return []
        moment = self._moment(connection, scope, *times)
        ranked = sorted(items, key=lambda item: (not is_asked_for(item), -moment.worth(item)))
        chosen: set[str] = set()
        for item in ranked:
            if len(chosen) < limit and self._may_be_said(item, moment):
                moment.told.append(_told_now(item, scope, moment.now))
                chosen.add(item.id)
        return [item for item in items if item.id in chosen]

    def _may_be_said(self, item: ProactiveItem, moment: "_Moment") -> bool:
        if not _is_due(item, moment.now) and moment.is_just_seen(item):
            return False
        if is_asked_for(item):
            return True
        return not (
            moment.is_quiet
            or moment.worth_of_trying(item) < self._settings.min_worth
            or self._is_cooling(item, moment)
            or self._is_day_full(item, moment)
            or self._is_throttled(item, moment)
        )

    def _is_cooling(self, item: ProactiveItem, moment: "_Moment") -> bool:
        slack_s = 0 if item.due_at is None else _DAILY_SLACK_S
        cooldown_s = self._settings.cooldown_s - min(slack_s, self._settings.cooldown_s)
        others = (one for one in moment.told if one.topic == item.topic and one.id != item.id)
        return any(abs(moment.now - one.at) < cooldown_s for one in others)

    def _is_day_full(self, item: ProactiveItem, moment: "_Moment") -> bool:
        """Whether the user, or this session, was told as much as there is room for in a day of theirs.

        Who dismissed the last two items is told one a day, until one is right.
        """
        most = min(1, self._settings.daily_limit) if moment.trust.is_tried else self._settings.daily_limit
        others = [one for one in moment.told_today() if one.id != item.id]
        here = [one for one in others if moment.session_id and one.session_id == moment.session_id]
        return len(others) >= most or len(here) >= self._settings.session_limit

    def _is_throttled(self, item: ProactiveItem, moment: "_Moment") -> bool:
        """Of all that is throttled one item may come from time to time, so that it can prove itself again."""
        if not moment.trust.is_throttled(item.detector):
            return False
        wait_s = self._settings.retry_days * DAY_S
        return any(
            one.id != item.id
            and not one.is_asked_for
            and moment.trust.is_throttled(one.detector)
            and abs(moment.now - one.at) < wait_s
            for one in moment.told
        )

    def _moment(self, connection: apsw.Connection, scope: Scope, now: int, known_until: int) -> "_Moment":
        local = _local(connection, scope.user_id, now)
        midnight = local.replace(hour=0, minute=0, second=0, fold=0)
        day = int(midnight.timestamp()), int((midnight + timedelta(days=1)).timestamp())
        reach_s = max(DAY_S, self._settings.cooldown_s, self._settings.retry_days * DAY_S)
        until = min(known_until, now + reach_s)
        return _Moment(
            now,
            day,
            self._is_quiet(local.time()),
            scope.session_id,
            _just_seen(connection, scope.user_id, now),
            self.trust(connection, scope.user_id, now),
            notices.brought_up(connection, scope.user_id, now - reach_s, until),
        )

    def _is_quiet(self, local: time) -> bool:
        start, end = (
            time.fromisoformat(self._settings.quiet_from),
            time.fromisoformat(self._settings.quiet_until),
        )
        if start <= end:
            return start <= local < end
        return local >= start or local < end


@dataclass(frozen=True, slots=True)
class _Moment:
    """All that speaks for and against saying something now. `day` is the user's own, from and until."""

    now: int
    day: tuple[int, int]
    is_quiet: bool
    session_id: str | None
    just_seen: Resource | None
    trust: Trust
    told: list[Told]

    def worth(self, item: ProactiveItem) -> float:
        """Its probability, as the record has put it right, times what it is good for."""
        likely = self.trust.probability(item.detector, item.topic, item.probability)
        return likely * worth_of(item.detector).value

    def worth_of_trying(self, item: ProactiveItem) -> float:
        """The same; but a detector that is throttled may prove itself by what it says, not by its record."""
        if not self.trust.is_throttled(item.detector):
            return self.worth(item)
        return item.probability * self.trust.halved(item.topic) * worth_of(item.detector).value

    def told_today(self) -> Iterable[Told]:
        """What was said unasked on the user's day."""
        start, end = self.day
        return (one for one in self.told if not one.is_asked_for and start <= one.at < end)

    def is_just_seen(self, item: ProactiveItem) -> bool:
        """Whether what the user said last is the item's evidence, or about its topic."""
        turn = self.just_seen
        return turn is not None and (_rests_on(item, {turn.id}) or is_about(turn.turn.text, item.topic))


def _told_now(item: ProactiveItem, scope: Scope, now: int) -> Told:
    return Told(item.id, item.detector, item.topic, is_asked_for(item), scope.session_id, now)


def _is_due(item: ProactiveItem, now: int) -> bool:
    return item.due_at is not None and item.due_at <= now


def _is_ripe(item: ProactiveItem, now: int) -> bool:
    return item.due_at is None or item.due_at <= now


def _rests_on(item: ProactiveItem, turn_ids: set[str]) -> bool:
    return any(one.resource_id in turn_ids for one in item.evidence)


def _just_seen(connection: apsw.Connection, user_id: str, now: int) -> Resource | None:
    """What the user said last, if that was just now."""
    turn = resources.latest_of_user(connection, user_id, now)
    return turn if turn is not None and now - turn.turn.timestamp < _JUST_S else None


def _local(connection: apsw.Connection, user_id: str, now: int) -> datetime:
    """The user's wall clock, in the zone of the last turn said by then."""
    return datetime.fromtimestamp(now, zone_of(resources.latest_zone(connection, user_id, now)))
