"""What a reader finds in a source, one by one, each with its place for the report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Place:
    """A file and the line in it; the row of a database, the line where a record of a document begins."""

    file: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """Somebody said something: `event` is one of `capture`, `scope` whose it is."""

    place: Place
    scope: Mapping[str, str]
    event: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement that stands by itself: `statement` holds what `add` takes."""

    place: Place
    scope: Mapping[str, str]
    statement: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Document:
    """A file of notes as it stands: the daemon puts its facts in step with it. `path` is its true place."""

    place: Place
    path: str
    text: str
    modified_at: int  # Unix seconds
    moments: Sequence[int]  # of its statements
    watch: bool

    @property
    def statements(self) -> int:
        """How many it holds."""
        return len(self.moments)


@dataclass(frozen=True, slots=True)
class Whole:
    """A record of memud's own export, which comes back as it was."""

    place: Place
    record: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Passed:
    """What is readable and no memory: `reason` is a word, counted in the report."""

    place: Place
    reason: str


@dataclass(frozen=True, slots=True)
class Fault:
    """What can't be read: `reason` is the key of a sentence that says why."""

    place: Place
    reason: str
    fields: Mapping[str, str] = field(default_factory=dict)


Found = Turn | Fact | Document | Whole | Passed | Fault


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the person wants beyond the private sessions that are there."""

    groups: bool = False
    deleted: bool = False
    watch: bool = True
    user: str | None = None
