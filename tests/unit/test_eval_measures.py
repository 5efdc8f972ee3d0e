"""The measures of an evaluation, against values counted by hand."""

import pytest

from evaluation.asking import Answer
from evaluation.evidence import Asked, any_evidence, by_kind, evidence_recall, gate_figures
from evaluation.measures import Figure, Hits, figure, hits_figures, percentile, share_found
from evaluation.report import Findings, Report, Tally
from evaluation.store import Question, Said, Store, limited, single
from memory.model import DAY_S


def keys(*names: str) -> list[frozenset[str]]:
    """Results that rest on one turn each."""
    return [frozenset((name,)) for name in names]


def value(found: Figure | None) -> float:
    """Of a figure that must be there."""
    assert found is not None
    return found.value


ASKED = [
    Asked(Question("q1", single("ab"), "one"), Answer(keys("x", "a", "y", "b"), tokens=40)),
    Asked(Question("q2", single("c"), "two"), Answer(keys("y"), tokens=10)),
    Asked(Question("q3", single("de"), "two"), Answer([frozenset("dz"), frozenset("e")], tokens=20)),
    Asked(Question("q4", (), "two"), Answer([])),
]


def test_the_share_counts_pieces_and_no_turn_twice() -> None:
    """A piece is found by any of its turns, and a second one adds nothing."""
    pieces = (frozenset("ab"), frozenset("c"))
    assert share_found(pieces, frozenset("ab")) == 0.5
    assert share_found(pieces, frozenset("bcx")) == 1.0
    assert share_found(pieces, frozenset()) == 0.0


def test_what_had_no_room_is_not_missed() -> None:
    """Of twelve pieces ten places can show ten."""
    pieces = single("abcdefghijkl")
    assert share_found(pieces, frozenset("abcde"), at_most=10) == 0.5
    assert share_found(pieces, frozenset("abcdefghijkl"), at_most=10) == 1.0


def test_no_share_of_nothing() -> None:
    """A question without evidence can't be judged; to count it as found would flatter."""
    with pytest.raises(ValueError, match="nothing is wanted"):
        share_found((), frozenset("a"))


def test_evidence_recall_is_the_mean_over_questions_that_have_evidence() -> None:
    """By hand: first two results give 1/2, 0, 1; all of them 1, 0, 1."""
    assert value(evidence_recall(ASKED, 2)) == pytest.approx(0.5)
    assert value(evidence_recall(ASKED, None)) == pytest.approx(2 / 3)
    assert value(any_evidence(ASKED, 1)) == pytest.approx(1 / 3)
    assert by_kind(ASKED, 2)["R@2.two"] == evidence_recall(ASKED[1:3], 2)


def test_the_gate_counts_prompts_without_evidence_too() -> None:
    """By hand: 4 + 1 + 2 + 0 items on four prompts, three with any."""
    found = gate_figures(ASKED)
    assert value(found["gate.any"]) == 0.75
    assert value(found["gate.items"]) == 1.75
    assert value(found["gate.tokens"]) == 17.5
    assert value(found["gate.recall"]) == pytest.approx(2 / 3)


def test_the_interval_holds_the_mean_and_is_the_same_in_a_second_run() -> None:
    """For 100 answers of which half are right the 95 % interval is about .4 to .6."""
    found = figure([0.0, 1.0] * 50)
    assert found is not None
    assert found == figure([0.0, 1.0] * 50)
    assert found.value == 0.5
    assert 0.38 < found.low < 0.43
    assert 0.57 < found.high < 0.62
    assert found.n == 100


def test_no_figure_of_no_answers() -> None:
    """Nothing measured is no zero."""
    assert figure([]) is None
    assert hits_figures([]) == {}


def test_precision_recall_and_f1_by_hand() -> None:
    """Three told, two right, four wanted."""
    hits = Hits(told=3, right=2, wanted=4)
    assert hits.precision == pytest.approx(2 / 3)
    assert hits.recall == 0.5
    assert hits.f1 == pytest.approx(4 / 7)
    both = hits_figures([hits, Hits(told=1, right=1, wanted=1)])
    assert both["precision"].value == 0.75
    assert both["recall"].value == pytest.approx(3 / 5)


def test_who_says_nothing_says_nothing_wrong() -> None:
    """Precision 1, recall 0, F1 0."""
    hits = Hits(told=0, right=0, wanted=2)
    assert (hits.precision, hits.recall, hits.f1) == (1.0, 0.0, 0.0)


def test_percentiles_lie_between_the_values() -> None:
    """Interpolated as everywhere."""
    assert percentile([1.0, 2.0, 3.0], 0.5) == 2.0
    assert percentile([0.0, 10.0], 0.95) == pytest.approx(9.5)


def test_an_answer_gives_its_results_by_score() -> None:
    """The order of the answer may be another: newest first."""
    answer = Answer(keys("old", "new", "far"), scores=[0.7, 0.9, 0.2])
    assert answer.by_score().keys == keys("new", "old", "far")
    assert answer.place(frozenset(("new", "far"))) == 1
    assert answer.place(frozenset(("gone",))) is None


def test_a_limit_takes_the_first_questions_and_leaves_out_stores_without_any() -> None:
    """So that a first look is quick."""
    said = [Said("k", "user", "text", 1000, "s")]
    asked = [Question("q", single("k"))] * 3
    stores = [Store("a", "en", said, asked), Store("b", "en", said, asked), Store("c", "en", said, asked)]
    assert [(each.name, len(each.questions)) for each in limited(stores, 4)] == [("a", 3), ("b", 1)]
    assert limited(stores, None) == stores
    assert stores[0].as_of == 1000 + DAY_S


def test_a_report_has_each_figure_with_its_interval_and_each_cost() -> None:
    """And leaves out what could not be measured."""
    tally = Tally()
    for ms, tokens in ((1.0, 10), (3.0, 30)):
        tally.add("search", ms, tokens)
    figures = {"R@5": Figure(1 / 3, 0.1, 0.5, 3), "R@10.none": None}
    shown = Report("tiny", {"limit": 3}, Findings({"questions": 3}, figures), tally.costs()).as_json()
    assert shown["figures"] == {"R@5": {"value": 0.3333, "low": 0.1, "high": 0.5, "n": 3}}
    assert shown["costs"] == {"search": {"answers": 2, "p50_ms": 2.0, "p95_ms": 2.9, "tokens": 20.0}}
    assert shown["counts"] == {"questions": 3}
