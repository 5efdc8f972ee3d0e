"""A habit takes the place of what was asked repeatedly: of one thing one item waits."""

from collections.abc import Collection, Sequence

import apsw

from memory.model import Evidence, Prediction, ProactiveItem, Resource
from memory.proactive import ledger
from memory.proactive.detectors.habit import HabitDetector
from memory.proactive.detectors.repeated_intent import RepeatedIntentDetector

_SHARED = 2  # turns that both rest on, for them to be about one thing


def settled(
    connection: apsw.Connection, turn: Resource, found: Sequence[Prediction]
) -> tuple[list[Prediction], list[ProactiveItem]]:
    """What is predicted where habits come first, and the waiting items that a new habit replaces.

    While a habit is expected, what rests on its turns is no repeated intent beside it.
    """
    if not any(one.detector in (HabitDetector.name, RepeatedIntentDetector.name) for one in found):
        return list(found), []
    user_id, at = turn.turn.scope.user_id, turn.turn.timestamp
    new = [_turns(one.evidence) for one in found if one.detector == HabitDetector.name]
    known = ledger.near(connection, user_id, HabitDetector.name, at, 0)
    habits = [*new, *(_turns(item.evidence) for item in known)]
    kept = [
        one
        for one in found
        if one.detector != RepeatedIntentDetector.name or not _is_of_any(one.evidence, habits)
    ]
    repeated = ledger.near(connection, user_id, RepeatedIntentDetector.name, at, 0) if new else []
    replaced = [item for item in repeated if item.state.is_live and _is_of_any(item.evidence, new)]
    return kept, replaced


def _turns(evidence: Collection[Evidence]) -> frozenset[str]:
    return frozenset(one.resource_id for one in evidence)


def _is_of_any(evidence: Collection[Evidence], habits: Collection[frozenset[str]]) -> bool:
    turns = _turns(evidence)
    return any(len(turns & habit) >= min(_SHARED, len(turns)) for habit in habits)
