"""The one place that decides what is said, and when it is better to be quiet."""

from collections.abc import Iterable, Sequence
from datetime import datetime, time
from typing import Final

import apsw

from config.settings import ProactiveSettings
from memory.dates.moment import is_in_calendar, zone_of
from memory.model import ProactiveItem, Scope
from memory.proactive import ledger, notices
from memory.proactive.detector import ASKED_FOR
from memory.store import resources

AT_MOST_IN_RECALL: Final = 3


class Arbiter:
    """Limits delivery, never storage.

    What the user asked for is handed out when it is due: at night too, however much was said that day.
    Everything else needs its probability, a topic that was not brought up lately, room in the day, and a
    user who is awake. Items belong to the user, not to the session they arose in: a reminder finds the
    user wherever they talk next. Reads only; the caller marks what it handed out.
    """

    def __init__(self, settings: ProactiveSettings) -> None:
        self._settings = settings

    def choose(self, connection: apsw.Connection, scope: Scope, now: int, limit: int) -> list[ProactiveItem]:
        """What to bring up now, unasked: due by now, or worth preparing at any time. Most urgent first."""
        ripe = [item for item in self._waiting(connection, scope, now) if _is_ripe(item, now)]
        return self._allowed(connection, scope, ripe, now)[:limit]

    def upcoming(
        self, connection: apsw.Connection, scope: Scope, now: int, recalled_turn_ids: Sequence[str]
    ) -> Sequence[ProactiveItem]:
        """What belongs beside a prompt: what is due, and what rests on a turn that the prompt recalled.

        Beside an unrelated prompt nothing that merely could be said.
        """
        recalled = set(recalled_turn_ids)
        fitting = [
            item
            for item in self._waiting(connection, scope, now)
            if _is_due(item, now) or _rests_on(item, recalled)
        ]
        return self._allowed(connection, scope, fitting, now)[:AT_MOST_IN_RECALL]

    def _waiting(self, connection: apsw.Connection, scope: Scope, now: int) -> list[ProactiveItem]:
        if not self._settings.enabled or not is_in_calendar(now):
            return []
        return ledger.waiting(connection, scope, now)

    def _allowed(
        self, connection: apsw.Connection, scope: Scope, items: Iterable[ProactiveItem], now: int
    ) -> list[ProactiveItem]:
        """Of what could be said, what may be: the order stays."""
        items = list(items)
        if not items:
            return []
        local = _local(connection, scope.user_id, now)
        midnight = int(local.replace(hour=0, minute=0, second=0, fold=0).timestamp())
        since = min(midnight, now - self._settings.cooldown_s)
        told = notices.brought_up(connection, scope.user_id, since, now)
        cooling = {(item_id, topic) for item_id, topic, at in told if at > now - self._settings.cooldown_s}
        today = {item_id for item_id, _, at in told if at >= midnight}
        return self._within_bounds(items, cooling, today, is_quiet=self._is_quiet(local.time()))

    def _within_bounds(
        self,
        items: Iterable[ProactiveItem],
        cooling: set[tuple[str, str]],
        today: set[str],
        *,
        is_quiet: bool,
    ) -> list[ProactiveItem]:
        chosen: list[ProactiveItem] = []
        for item in items:
            if not _is_asked_for(item):
                is_cooling = any(topic == item.topic and other != item.id for other, topic in cooling)
                is_over = len(today - {item.id}) >= self._settings.daily_limit
                is_weak = item.probability < self._settings.min_probability
                if is_quiet or is_cooling or is_over or is_weak:
                    continue
                cooling.add((item.id, item.topic))
                today.add(item.id)
            chosen.append(item)
        return chosen

    def _is_quiet(self, local: time) -> bool:
        start, end = (
            time.fromisoformat(self._settings.quiet_from),
            time.fromisoformat(self._settings.quiet_until),
        )
        if start <= end:
            return start <= local < end
        return local >= start or local < end


def _is_due(item: ProactiveItem, now: int) -> bool:
    return item.due_at is not None and item.due_at <= now


def _is_ripe(item: ProactiveItem, now: int) -> bool:
    return item.due_at is None or item.due_at <= now


def _rests_on(item: ProactiveItem, turn_ids: set[str]) -> bool:
    return any(one.resource_id in turn_ids for one in item.evidence)


def _is_asked_for(item: ProactiveItem) -> bool:
    return item.due_at is not None and item.probability >= ASKED_FOR


def _local(connection: apsw.Connection, user_id: str, now: int) -> datetime:
    """The user's wall clock, in the zone of the last turn said by then."""
    return datetime.fromtimestamp(now, zone_of(resources.latest_zone(connection, user_id, now)))
