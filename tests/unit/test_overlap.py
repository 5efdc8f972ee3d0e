"""One result per fact or turn."""

import math

from memory.model import Kind, Layer, MemoryType, Role, Source
from memory.recall.candidate import Candidate
from memory.recall.overlap import without_overlap
from memory.recall.scored import Scored


def scored(key: int, layer: Layer, match: float, *turns: str) -> Scored:
    """A candidate that was said in these turns; a turn is its own."""
    name = turns[0] if layer is Layer.RESOURCE else f"m-{key}"
    sources = tuple(Source(turn, None, None, 0, Role.USER) for turn in turns)
    candidate = Candidate(
        key, name, layer, "text", Kind.SEMANTIC, MemoryType.GENERAL, 0.5, 30, 0, 0, None, None, False,
        Role.USER, sources[0], (), sources,
    )  # fmt: skip
    return Scored(candidate, math.nan, math.nan, 0.0, match, 0.0, 0.0, 0.5, 1.0, 0.5, 0.0, 1.3)


def keys(passed: list[Scored]) -> list[int]:
    """What is left, in order."""
    return [one.candidate.key for one in without_overlap(passed)]


def test_a_fact_that_covers_the_question_stands_for_its_turn_at_the_better_place() -> None:
    """The turn goes, and the fact takes its place when that is the higher one."""
    turn, other, fact = (
        scored(1, Layer.RESOURCE, 1.0, "t-1"),
        scored(2, Layer.RESOURCE, 0.5, "t-2"),
        scored(3, Layer.ITEM, 1.0, "t-1"),
    )
    assert keys([turn, other, fact]) == [3, 2]
    assert keys([fact, other, turn]) == [3, 2]


def test_a_turn_that_says_more_stands_for_its_facts() -> None:
    """Where the question's words are in the turn alone, the facts step back."""
    turn, fact = scored(1, Layer.RESOURCE, 1.2, "t-1"), scored(2, Layer.ITEM, 0.4, "t-1")
    assert keys([fact, turn]) == [1]


def test_facts_of_one_turn_all_stay_and_strangers_are_left_alone() -> None:
    """Two facts of a turn are two things; a turn without facts is itself."""
    facts = [scored(1, Layer.ITEM, 1.0, "t-1"), scored(2, Layer.ITEM, 1.0, "t-1")]
    turn, stranger = scored(3, Layer.RESOURCE, 1.0, "t-1"), scored(4, Layer.RESOURCE, 1.0, "t-9")
    assert keys([*facts, turn, stranger]) == [1, 2, 4]


def test_every_source_of_a_fact_counts() -> None:
    """A fact that was stated twice stands for both turns."""
    fact = scored(1, Layer.ITEM, 1.0, "t-1", "t-2")
    turns = [scored(2, Layer.RESOURCE, 1.0, "t-1"), scored(3, Layer.RESOURCE, 1.0, "t-2")]
    assert keys([*turns, fact]) == [1]


def test_nothing_stays_nothing() -> None:
    """No candidates, no results."""
    assert keys([]) == []
