"""What took another's place answers for it."""

from typing import Any

from msgspec.structs import replace

from memory.recall.remainder import Replacement
from memory.recall.scored import Scored
from memory.recall.succession import inherited
from tests.scored import fact, turn


def _replaced(one: Scored, *heirs: str, score: float = 0.9) -> Scored:
    changes: dict[str, Any] = {
        "superseded_by": heirs[0],
        "excluded": f"superseded by {heirs[0]}",
        "replacements": tuple(Replacement(heir, "before", "after") for heir in heirs),
    }
    return replace(one, candidate=replace(one.candidate, **changes), score=score, relevance=score)


def _scores(*scored: Scored) -> dict[str, float]:
    return {one.candidate.id: one.score for one in inherited(scored)}


def _weak(key: int) -> Scored:
    return replace(fact(key), score=0.1, relevance=0.1)


def test_the_last_of_a_chain_answers_for_all_before_it() -> None:
    """Each home but the last is hidden, in whichever words the question fits."""
    chain = (_replaced(fact(1), "m-2"), _replaced(fact(2), "m-3", score=0.2), _weak(3), _weak(4))
    assert _scores(*chain) == {"m-1": 0.9, "m-2": 0.2, "m-3": 0.9, "m-4": 0.1}


def test_a_circle_of_replacements_has_an_end() -> None:
    """However it came about, nobody waits for it."""
    assert len(inherited([_replaced(fact(1), "m-2"), _replaced(fact(2), "m-1")])) == 2


def test_a_turn_of_one_statement_speaks_for_what_replaced_it() -> None:
    """Where only the turn was found."""
    assert _scores(_replaced(turn(1), "m-2"), _weak(2))["m-2"] == 0.9


def test_a_turn_of_several_statements_speaks_for_none() -> None:
    """Asked about the job, the new home is no answer."""
    scores = _scores(_replaced(turn(1), "m-2", "m-3"), _replaced(fact(1), "m-3"), _weak(2), _weak(3))
    assert (scores["m-2"], scores["m-3"]) == (0.1, 0.9)


def test_what_still_answers_by_itself_lifts_nobody() -> None:
    """Its other part is asked about."""
    shown = _replaced(fact(1), "m-2")
    shown = replace(shown, candidate=replace(shown.candidate, excluded=None))
    assert _scores(shown, _weak(2))["m-2"] == 0.1
