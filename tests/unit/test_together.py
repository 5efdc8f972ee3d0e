"""What may contradict a recalled fact stands beside it."""

from msgspec.structs import replace

from memory.recall import gate
from memory.recall.gate import Bars
from memory.recall.together import with_partners
from tests.scored import fact, ids, turn

BARS = Bars(0.75, 0.5)
ROME = fact(1, "lives in Rome", 100, maybe=("m-2",))
OSLO = fact(2, "lives in Oslo", 200, maybe=("m-1",))
TEA, TURN = fact(3, "likes tea", 300), turn(4, "tea, please", 400)


def test_a_fact_brings_what_may_contradict_it_the_latest_first() -> None:
    """Though the other one did not pass: the reader sees both, with their dates."""
    assert ids(with_partners([ROME], [TEA, ROME, OSLO])) == ["m-2", "m-1"]
    assert ids(with_partners([OSLO], [TEA, ROME, OSLO])) == ["m-2", "m-1"]


def test_both_stand_at_the_better_place_and_once() -> None:
    """The one below moves up, and all others keep their order."""
    assert ids(with_partners([TEA, ROME, TURN, OSLO], [ROME, OSLO, TEA, TURN])) == [
        "m-3",
        "m-2",
        "m-1",
        "t-4",
    ]


def test_all_that_may_contradict_it_come_along() -> None:
    """Three statements of which nobody knows which holds."""
    bern = fact(5, "lives in Bern", 150, maybe=("m-1",))
    rome = fact(1, "lives in Rome", 100, maybe=("m-2", "m-5"))
    assert ids(with_partners([rome], [rome, OSLO, bern])) == ["m-2", "m-5", "m-1"]


def test_of_one_second_the_one_that_passed_stands_first() -> None:
    """Neither is newer."""
    twin = fact(6, "lives in Turin", 100)
    assert ids(with_partners([fact(1, at=100, maybe=("m-6",))], [twin, ROME])) == ["m-1", "m-6"]


def test_what_may_not_be_shown_is_not_brought() -> None:
    """An excluded or unknown partner stays away."""
    assert ids(with_partners([ROME], [ROME, TEA])) == ["m-1"]


def test_nothing_brings_nothing() -> None:
    """Who did not pass brings nobody."""
    assert with_partners([], [ROME, OSLO]) == []


def test_the_gate_lets_a_partner_in_and_tells_it_as_no_miss() -> None:
    """It is far below admission, and yet no near miss, for it is shown."""
    faint = replace(OSLO, score=0.1, relevance=0.1)
    other = replace(TEA, score=0.2, relevance=0.2)
    verdict = gate.judge([ROME, other, faint], BARS)
    assert ids(verdict.passed) == ["m-2", "m-1"]
    assert [one.candidate.id for one, _ in verdict.missed] == ["m-3"]


def test_a_closed_gate_lets_no_partner_in() -> None:
    """Silence is silence."""
    assert gate.judge([replace(one, score=0.7) for one in (ROME, OSLO)], BARS).passed == []


def test_an_excluded_partner_does_not_pass_the_gate() -> None:
    """What was superseded or is no longer valid is not brought in by a doubt."""
    gone = fact(2, "lives in Oslo", 200, maybe=("m-1",), excluded="no longer valid")
    assert ids(gate.judge([ROME, gone], BARS).passed) == ["m-1"]


def test_a_threshold_of_the_call_holds_for_partners_too() -> None:
    """Who asks for .75 gets nothing below."""
    faint = replace(OSLO, score=0.1, relevance=0.1)
    verdict = gate.judge([ROME, faint], Bars(0.75, 0.75, is_strict=True))
    assert ids(verdict.passed) == ["m-1"]
    both = gate.judge([ROME, replace(OSLO, score=0.76)], Bars(0.75, 0.75, is_strict=True))
    assert ids(both.passed) == ["m-2", "m-1"]
