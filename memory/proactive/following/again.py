"""Reminders that come again: when one's time has come, the next one is put into the ledger."""

from collections.abc import Iterator
from dataclasses import replace

import apsw

from memory.dates.moment import is_in_calendar
from memory.ids import NewId
from memory.model import Prediction, ProactiveItem
from memory.proactive import ledger
from memory.proactive.commitments.pledges import pledges
from memory.proactive.detectors.commitment import CommitmentDetector, predicted
from memory.store import resources


def rearm(connection: apsw.Connection, now: int, user_id: str | None, new_id: NewId) -> int:
    """For each reminder that comes again and whose time has come, its next time after now; how many.

    The words that asked for it are read anew, so that forgetting them ends it; so does dismissing one.
    """
    if not is_in_calendar(now):
        return 0
    count = 0
    for item in ledger.come(connection, CommitmentDetector.name, now, user_id):
        prediction = next(_next_times(connection, item, now), None)
        if prediction is not None:
            ledger.renew(connection, item, prediction, new_id("p"), now)
            count += 1
    return count


def _next_times(connection: apsw.Connection, item: ProactiveItem, now: int) -> Iterator[Prediction]:
    for evidence in item.evidence:
        turn = resources.by_id(connection, item.user_id, evidence.resource_id)
        if turn is None:
            continue
        said = turn.turn
        for pledged in pledges(said.text, is_assistant=False, at=now, tz=said.tz):
            prediction = predicted(pledged, said, item.evidence)
            if pledged.repeat and prediction.topic == item.topic:
                yield replace(prediction, why=item.why)
