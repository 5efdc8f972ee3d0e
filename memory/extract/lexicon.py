"""What a language's rules look like: cues that make a clause a fact, and signs that it is none."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from memory.model import MemoryType


class Words:
    """A case-blind pattern, compiled when it is first asked: all of them take a sixth of a second.

    Its methods are those of `re.Pattern`.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.pattern, re.IGNORECASE)

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """As `re.Pattern.search`."""
        return self._compiled.search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """As `re.Pattern.match`."""
        return self._compiled.match(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """As `re.Pattern.fullmatch`."""
        return self._compiled.fullmatch(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """As `re.Pattern.finditer`."""
        return self._compiled.finditer(text, start, end)

    def sub(self, new: str, text: str, count: int = 0) -> str:
        """As `re.Pattern.sub`."""
        return self._compiled.sub(new, text, count)


@dataclass(frozen=True, slots=True)
class Cue:
    """A clause with this pattern states a fact of this type.

    `is_lasting` facts never fade (a birthday); what `is_regular` comes again and names no one day.
    """

    memory_type: MemoryType
    pattern: Words
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
    attack: Words
    task: Words
    refused: Words
    chatter: Words
    question: Words
    lead: Words  # words before the fact that can go
    frame: Words  # a part before the fact that belongs to it ("for code, ...")
    event: Words  # what someone has an appointment or a plan for
    no_event: Words
    subject: Words  # who or what a clause is about, at its start
    predicate: Words  # group 1 is a pronoun that the subject takes the place of
    apart: Words  # a subject and a part, with a bar between, that do not belong together
    turn: Words
    joint: Words
    taken_back: Words  # a sentence that makes a joke of the one before it
    tag: Words  # makes a question of all that stands before it (", right?")


def words(*alternatives: str) -> Words:
    """One case-blind pattern of several."""
    return Words("|".join(f"(?:{alternative})" for alternative in alternatives))


def one_of(listed: str) -> str:
    """A group of the listed words, which spaces part; `_` stands for the space inside one of them."""
    return "(?:" + "|".join(word.replace("_", r"\s+") for word in listed.split()) + ")"
