"""What a turn changes in the ledger: it calls off, moves, says that a thing is done, makes it a habit."""

from collections.abc import Iterable
from dataclasses import dataclass

import apsw

from memory.model import Prediction, ProactiveItem, Resource
from memory.proactive.detectors.commitment import CommitmentDetector
from memory.proactive.detectors.upcoming import UpcomingDetector, is_covered
from memory.proactive.following.answered import answered
from memory.proactive.following.calling_off import called_off
from memory.proactive.following.happened import happened
from memory.proactive.following.meant import open_items
from memory.proactive.following.moving import Move, moved
from memory.proactive.following.settling import settled


@dataclass(frozen=True, slots=True)
class Change:
    """What is predicted by a turn, and the ids of the items that end with it."""

    found: list[Prediction]
    closed: list[str]


def follow(connection: apsw.Connection, turn: Resource, found: Iterable[Prediction]) -> Change:
    """What the detectors found, with what the turn says about older items put right.

    A sentence that moves an item makes no second one, nor does a habit stand beside what it grew out of.
    """
    found = list(found)
    moves = moved(connection, turn)
    left, replaced = settled(connection, turn, found)
    ended = [
        *(move.item for move in moves),
        *called_off(connection, turn),
        *happened(connection, turn),
        *answered(connection, turn),
        *replaced,
    ]
    ended += [item for one in left for item in _taken_over(connection, turn, one)]
    kept = [one for one in left if not any(_repeats(one, move) for move in moves)]
    return Change([*kept, *(move.prediction for move in moves)], list(dict.fromkeys(i.id for i in ended)))


def _taken_over(connection: apsw.Connection, turn: Resource, one: Prediction) -> list[ProactiveItem]:
    """The days ahead of which a new commitment reminds from now on."""
    if one.detector != CommitmentDetector.name:
        return []
    items = open_items(connection, turn, UpcomingDetector.name)
    return [item for item in items if is_covered(item.topic, item.due_at, one)]


def _repeats(prediction: Prediction, move: Move) -> bool:
    is_commitment = prediction.detector == CommitmentDetector.name
    return is_commitment and (prediction.topic == move.item.topic or move.sentence[:100] in prediction.why)
