"""What a language's rules look like: cues that make a clause a fact, and signs that it is none."""

import re
from dataclasses import dataclass

from memory.model import MemoryType


@dataclass(frozen=True, slots=True)
class Cue:
    """A clause with this pattern states a fact of this type.

    `is_lasting` facts never fade (a birthday); what `is_regular` comes again and names no one day.
    """

    memory_type: MemoryType
    pattern: re.Pattern[str]
    is_lasting: bool = False
    is_regular: bool = False


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The rules of one language.

    Sentence cues may span commas, part cues may not; the last cues serve where no part speaks for itself.
    A part with a `predicate` and no subject of its own takes the `subject` of the claim before it, unless
    that tells of a `turn` in somebody's life, which what follows explains; at a `joint` a part may be two.
    `attack` spoils the turn, `task` the rest of it (what follows is material to work on), `refused` the
    sentence, `chatter` the part.
    """

    sentence_cues: tuple[Cue, ...]
    part_cues: tuple[Cue, ...]
    last_cues: tuple[Cue, ...]
    attack: re.Pattern[str]
    task: re.Pattern[str]
    refused: re.Pattern[str]
    chatter: re.Pattern[str]
    question: re.Pattern[str]
    lead: re.Pattern[str]  # words before the fact that can go
    frame: re.Pattern[str]  # a part before the fact that belongs to it ("for code, ...")
    event: re.Pattern[str]  # what someone has an appointment or a plan for
    no_event: re.Pattern[str]
    subject: re.Pattern[str]  # who or what a clause is about, at its start
    predicate: re.Pattern[str]  # group 1 is a pronoun that the subject takes the place of
    apart: re.Pattern[str]  # a subject and a part, with a bar between, that do not belong together
    turn: re.Pattern[str]
    joint: re.Pattern[str]
    taken_back: re.Pattern[str]  # a sentence that makes a joke of the one before it
    tag: re.Pattern[str]  # makes a question of all that stands before it (", right?")


def words(*alternatives: str) -> re.Pattern[str]:
    """One case-blind pattern of several."""
    return re.compile("|".join(f"(?:{alternative})" for alternative in alternatives), re.IGNORECASE)


def one_of(listed: str) -> str:
    """A group of the listed words, which spaces part; `_` stands for the space inside one of them."""
    return "(?:" + "|".join(word.replace("_", r"\s+") for word in listed.split()) + ")"
