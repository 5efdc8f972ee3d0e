"""Candidates with their numbers; a test says what it is about."""

import math
from typing import Any

from msgspec.structs import replace

from memory.model import Kind, Layer, MemoryType, Role, Source
from memory.recall.candidate import Candidate
from memory.recall.scored import Scored


def turn(key: int, text: str = "words", at: int = 0, **changes: Any) -> Scored:
    """The turn `t-<key>`, said at a moment; `changes` are of the candidate."""
    source = Source(f"t-{key}", None, None, at, Role.USER)
    candidate = Candidate(
        key, source.resource_id, Layer.RESOURCE, text, Kind.EPISODIC, MemoryType.GENERAL, 0.5, 30, at, at,
        None, None, False, Role.USER, source, (), (source,),
    )  # fmt: skip
    nothing = math.nan
    scored = Scored(candidate, nothing, nothing, 0.0, 0.0, 0.0, 0.0, 0.9, 1.0, 0.9, 0.0, 1.3)
    return changed(scored, **changes)


def fact(key: int, text: str = "words", at: int = 0, **changes: Any) -> Scored:
    """The fact `m-<key>` of the turn `t-<key>`."""
    found = turn(key, text, at)
    return changed(found, **({"id": f"m-{key}", "layer": Layer.ITEM, "kind": Kind.SEMANTIC} | changes))


def changed(one: Scored, **changes: Any) -> Scored:
    """The same with another candidate."""
    return replace(one, candidate=replace(one.candidate, **changes))


def ids(scored: list[Scored]) -> list[str]:
    """What is left, in order."""
    return [one.candidate.id for one in scored]
