"""What a set brings: the turns of one user, and what is asked of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memory.model import DAY_S
from memory.terms import Language

Role = Literal["user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class Said:
    """One turn, at the set's own time (Unix seconds), said in the zone `tz`."""

    key: str
    role: Role
    text: str
    timestamp: int
    session_id: str
    sender: str | None = None
    tz: str = "UTC"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and its evidence: each piece is one or more turns of which any will do.

    `kind` is the set's own class of questions, `qid` its number where a set asks for it again.
    """

    text: str
    evidence: Sequence[frozenset[str]]
    kind: str = ""
    qid: str = ""


@dataclass(frozen=True, slots=True)
class Store:
    """All turns of one user, in order, and the questions on them."""

    name: str
    language: Language
    turns: Sequence[Said]
    questions: Sequence[Question] = ()

    @property
    def as_of(self) -> int:
        """When the questions are asked: a day after the last turn."""
        return max(turn.timestamp for turn in self.turns) + DAY_S


def single(keys: Iterable[str]) -> tuple[frozenset[str], ...]:
    """Evidence of which each turn is a piece of its own."""
    return tuple(frozenset((key,)) for key in sorted(set(keys)))


def counts(stores: Sequence[Store]) -> dict[str, int]:
    """How much there is, for the report."""
    return {
        "stores": len(stores),
        "turns": sum(len(store.turns) for store in stores),
        "questions": sum(len(store.questions) for store in stores),
    }


def limited(stores: Sequence[Store], limit: int | None) -> list[Store]:
    """The first `limit` questions in all, and the stores they need; everything without a limit."""
    if limit is None:
        return list(stores)
    kept: list[Store] = []
    for store in stores:
        questions = store.questions[:limit]
        limit -= len(questions)
        if questions:
            kept.append(replace(store, questions=questions))
    return kept
