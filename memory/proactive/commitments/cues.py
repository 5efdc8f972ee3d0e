"""What a language's rules for commitments look like."""

import re
from dataclasses import dataclass
from enum import StrEnum


class Pledge(StrEnum):
    """What a sentence commits somebody to."""

    REMINDER = "reminder"  # the user asked to be reminded
    PROMISE = "promise"  # the user means to do it
    DEADLINE = "deadline"  # it ends or is due then
    ASSISTANT = "assistant"  # the assistant means to do it


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that commit. `refused_before` spoils it when it stands right before them in their clause.

    A bound cue commits only where the date stands in its own clause, a firm one only where that date is
    more than a mere "today": much is told about today that nobody has to do. A limited one commits only to
    a limit: the report has to be ready *by* Friday; a timed one only to a time of day: "let's meet at 3" is
    an appointment, "let's meet on Friday" small talk. One that `tells_all` is nothing without its sentence:
    "don't let me oversleep" asks for no oversleeping. One that `is_told` is a fact with a day ("dentist on
    Friday"): where the fact is foreseen as such, nothing is left to say.
    """

    pledge: Pledge
    pattern: re.Pattern[str]
    refused_before: re.Pattern[str]
    is_bound: bool = False
    is_firm: bool = False
    is_limited: bool = False
    is_timed: bool = False
    is_told: bool = False
    tells_all: bool = False


@dataclass(frozen=True, slots=True)
class Cues:
    """The rules of one language.

    A `task` makes its sentence, and what it introduces with a colon, material to work on. `refused` spoils
    every pledge but a reminder. A question is none, except `request` stands in it: "can you remind me ...?".
    """

    of_user: tuple[Cue, ...]
    of_assistant: tuple[Cue, ...]
    task: re.Pattern[str]
    refused: re.Pattern[str]
    question: re.Pattern[str]
    request: re.Pattern[str]
    weary: re.Pattern[str]  # who is tired of reminders asks for none
    lead: re.Pattern[str]  # words before the action that can go
    trail: re.Pattern[str]  # and after it
