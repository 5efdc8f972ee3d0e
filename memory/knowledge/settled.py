"""What is to be settled, and what became of it."""

from dataclasses import dataclass
from enum import StrEnum

from memory.model import Fact
from memory.ports import Vector
from memory.store.items import StoredItem


class Action(StrEnum):
    """What became of a fact."""

    ADDED = "added"
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    MAYBE = "maybe"
    GROWN = "grown"
    KNOWN = "known"  # its key was: nothing was changed


@dataclass(frozen=True, slots=True)
class Settled:
    """The fact as it is stored now; `related_ids` are those it repeats, ends or may contradict."""

    stored: StoredItem
    action: Action
    related_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Embedded:
    """A fact with its vector, None where the embedder is away, the embedder's name, a model's categories."""

    fact: Fact
    vector: Vector | None
    embedder: str
    categories: tuple[str, ...] = ()
