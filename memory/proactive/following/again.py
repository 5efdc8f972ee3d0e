"""What comes again, reminders and birthdays: when its time has come, the next one is put into the ledger."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import apsw

from memory.dates.moment import is_in_calendar
from memory.ids import NewId
from memory.model import DAY_S, Prediction, ProactiveItem
from memory.proactive import ledger, recording
from memory.proactive.commitments.pledges import pledges
from memory.proactive.detectors.commitment import CommitmentDetector, predicted
from memory.proactive.detectors.upcoming import UpcomingDetector, told_anew
from memory.store import items, resources

# A day of the year that was less than a month ago is still read as the one that was.
_JUST_OVER_S: Final = 40 * DAY_S


def rearm(connection: apsw.Connection, now: int, user_id: str | None, new_id: NewId) -> int:
    """For each of them whose time has come, its next time after now; how many.

    The words that asked for it are read anew, so that forgetting them ends it; so does dismissing one. So is
    the fact that tells of a birthday, as it stands.
    """
    if not is_in_calendar(now):
        return 0
    count = 0
    for name, next_times in _NEXT_TIMES.items():
        for item in ledger.come(connection, name, now, user_id):
            prediction = next(next_times(connection, item, now), None)
            if prediction is not None:
                recording.renew(connection, item, prediction, new_id("p"), now)
                count += 1
    return count


def _next_reminders(connection: apsw.Connection, item: ProactiveItem, now: int) -> Iterator[Prediction]:
    for evidence in item.evidence:
        turn = resources.by_id(connection, item.user_id, evidence.resource_id)
        if turn is None:
            continue
        said = turn.turn
        for pledged in pledges(said.text, is_assistant=False, at=now, tz=said.tz):
            prediction = predicted(pledged, said, item.evidence)
            if pledged.repeat and prediction.topic == item.topic:
                yield replace(prediction, why=item.why)


def _next_days(connection: apsw.Connection, item: ProactiveItem, now: int) -> Iterator[Prediction]:
    over = max(now, item.expires_at) + _JUST_OVER_S
    for evidence in item.evidence:
        fact = items.by_id(connection, item.user_id, evidence.item_id) if evidence.item_id else None
        turn = resources.by_id(connection, item.user_id, evidence.resource_id)
        if fact is None or turn is None:
            continue
        prediction = told_anew(fact.item, turn, over)
        if prediction and prediction.topic == item.topic:
            yield replace(prediction, why=item.why)


_NEXT_TIMES: Final = {CommitmentDetector.name: _next_reminders, UpcomingDetector.name: _next_days}
