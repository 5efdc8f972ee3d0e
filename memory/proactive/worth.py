"""What the predictions of each detector are worth, and what it means that the user says nothing to one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Worth:
    """`value`, 0..1: how much it helps to be told, where the prediction is right.

    `expects_turn`: the user is expected to turn to the topic, so that silence makes it a miss. Of a deed at
    its time nobody reports; silence says nothing there, and it only expires.
    """

    value: float
    expects_turn: bool


WORTH: Final[Mapping[str, Worth]] = {
    "commitment": Worth(1.0, expects_turn=False),
    "upcoming": Worth(0.9, expects_turn=False),
    "overtaken": Worth(0.9, expects_turn=False),
    "repeated_intent": Worth(0.9, expects_turn=True),
    "open_question": Worth(0.8, expects_turn=True),
    "habit": Worth(0.8, expects_turn=True),
    "llm_intent": Worth(0.7, expects_turn=True),
}
