"""What the predictions of each detector are worth, and what it means that the user says nothing to one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memory.model import ProactiveItem, ProactiveState

ASKED_FOR: Final = 0.95  # a probability from here on: the user asked for it in so many words


@dataclass(frozen=True, slots=True)
class Worth:
    """`value`, 0..1: how much it helps to be told, where the prediction is right.

    `expects_turn`: the user is expected to turn to the topic, so that silence makes it a miss. Of a deed at
    its time nobody reports; silence says nothing there, and it only expires. `asks_again`: the user will say
    much the same as the evidence did, so that nearness to it shows that the time has come.
    """

    value: float
    expects_turn: bool
    asks_again: bool = False


WORTH: Final[Mapping[str, Worth]] = {
    "commitment": Worth(1.0, expects_turn=False),
    "upcoming": Worth(0.9, expects_turn=False),
    "overtaken": Worth(0.9, expects_turn=False),
    "repeated_intent": Worth(0.9, expects_turn=True, asks_again=True),
    "open_question": Worth(0.8, expects_turn=True, asks_again=True),
    "habit": Worth(0.8, expects_turn=True, asks_again=True),
    "llm_intent": Worth(0.7, expects_turn=True),
}
_OF_OTHERS: Final = Worth(0.7, expects_turn=False)  # such as an older version's


def worth_of(detector: str) -> Worth:
    """What a detector's predictions are worth."""
    return WORTH.get(detector, _OF_OTHERS)


def expecting() -> list[str]:
    """The detectors that expect the user to turn to a topic."""
    return sorted(name for name, worth in WORTH.items() if worth.expects_turn)


def is_reminder(item: ProactiveItem) -> bool:
    """Whether the user asked to be told at that time."""
    return item.due_at is not None and item.probability >= ASKED_FOR


def is_asked_for(item: ProactiveItem) -> bool:
    """Whether it is a reminder, or the user put it off until then."""
    return is_reminder(item) or item.state is ProactiveState.SNOOZED
