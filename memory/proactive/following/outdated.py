"""What rests on a fact that was replaced or reworded since is taken back, and predicted anew if it can be."""

from collections.abc import Iterator

import apsw

from memory.ids import NewId
from memory.model import Prediction, ProactiveItem
from memory.proactive import ledger, recording
from memory.proactive.detectors.upcoming import UpcomingDetector, told_anew
from memory.store import items, resources


def take_back(connection: apsw.Connection, now: int, user_id: str | None, new_id: NewId) -> int:
    """Close what no longer rests on anything; how many. A day that a person put right is predicted anew."""
    found = ledger.outdated(connection, now, user_id)
    for item in found:
        recording.call_off(connection, [item.id], now, now)
        for prediction in _anew(connection, item, now):
            recording.renew(connection, item, prediction, new_id("p"), now)
    return len(found)


def _anew(connection: apsw.Connection, item: ProactiveItem, now: int) -> Iterator[Prediction]:
    for evidence in item.evidence if item.detector == UpcomingDetector.name else ():
        fact = items.by_id(connection, item.user_id, evidence.item_id) if evidence.item_id else None
        turn = resources.by_id(connection, item.user_id, evidence.resource_id)
        if fact is not None and turn is not None and (prediction := told_anew(fact.item, turn, now)):
            yield prediction
