"""The table of thresholds by hand-made answers, and the rule of the recommendation."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from memud_client import types

from cli.picture import check
from evaluation.asking import Answer
from evaluation.evidence import Asked
from evaluation.store import Question
from evaluation.thresholds import log, picture
from evaluation.thresholds.log import Again, LogRow
from evaluation.thresholds.table import Row, overall, read_thresholds, recommend, row
from memory.errors import InvalidError


def asked(evidence: Sequence[str], *results: str, tokens: int = 0) -> Asked:
    """A prompt with these pieces of evidence (one turn each) and these turns behind its results."""
    pieces = [frozenset((key,)) for key in evidence]
    return Asked(Question("q", pieces), Answer([frozenset((key,)) for key in results], tokens=tokens))


def measured(threshold: float, false_alarms: float, recall: float = 0.5, of: str = "a") -> Row:
    """A row with the numbers that the rule looks at."""
    return Row(of, threshold, recall, 0.5, false_alarms, 2.0, 100.0, 10, 20)


def test_a_row_is_what_a_hand_computes() -> None:
    """Recall, tokens and items are means over prompts, silent ones too; precision is one over results."""
    given = [
        asked(["1", "2"], "1", "9", tokens=60),  # half of its evidence, one result of two is right
        asked(["3"], "3", "8", "7", tokens=90),  # all of it, one of three
        asked(["4"]),  # silence
    ]
    found = row("mine", 0.75, given, [True, False, False, False])
    assert (found.of, found.threshold, found.prompts, found.unrelated) == ("mine", 0.75, 3, 4)
    assert found.recall == pytest.approx((0.5 + 1 + 0) / 3)
    assert found.precision == pytest.approx(2 / 5)
    assert found.false_alarms == pytest.approx(0.25)
    assert found.items == pytest.approx(5 / 3)
    assert found.tokens == pytest.approx(50)


def test_more_evidence_than_fits_counts_as_found_when_the_answer_is_full_of_it() -> None:
    """Ten of twelve turns are all that ten results can have."""
    keys = [str(number) for number in range(12)]
    assert row("mine", 0.75, [asked(keys, *keys[:10])], [False]).recall == 1.0


def test_silence_everywhere_has_no_precision() -> None:
    """Of no results no share can be right."""
    assert row("mine", 0.9, [asked(["1"])], [False]).precision is None


def test_over_all_sets_each_counts_alike() -> None:
    """However many prompts it has; a set without results has no say in the precision."""
    large = Row("a", 0.75, 0.2, 0.4, 0.02, 4.0, 300.0, 700, 181)
    small = Row("b", 0.75, 0.6, None, 0.04, 0.0, 0.0, 7, 181)
    (found,) = overall([large, small])
    assert found.recall == pytest.approx(0.4)
    assert found.precision == pytest.approx(0.4)
    assert found.false_alarms == pytest.approx(0.03)
    assert (found.items, found.tokens, found.prompts) == (2.0, 150.0, 707)


def test_over_all_sets_each_threshold_has_its_row() -> None:
    """From the lowest, whatever the order they were measured in."""
    rows = [measured(t, 0.0, of=of) for of in ("a", "b") for t in (0.8, 0.7)]
    assert [each.threshold for each in overall(rows)] == [0.7, 0.8]


@pytest.mark.parametrize(
    ("alarms", "threshold", "why"),
    [
        ((0.06, 0.03, 0.01), 0.75, "quiet"),
        ((0.02, 0.01, 0.00), 0.70, "quiet"),
        ((0.09, 0.06, 0.031), 0.80, "quietest"),
        ((0.05, 0.05, 0.05), 0.70, "quietest"),
    ],
)
def test_the_lowest_quiet_threshold_is_taken(alarms: tuple[float, ...], threshold: float, why: str) -> None:
    """At most 3 % of unrelated prompts may get something; if none is so quiet, the quietest is taken."""
    rows = [measured(each, share) for each, share in zip((0.70, 0.75, 0.80), alarms, strict=True)]
    found = recommend(rows[::-1])
    assert (found.threshold, found.why) == (threshold, why)


@pytest.mark.parametrize("text", ["", "a", "0.7;0.8", "0,0.7", "0.7,1.2", "-0.5", "nan"])
def test_what_is_no_threshold_is_refused(text: str) -> None:
    """0 would mean the profile's own as a setting."""
    with pytest.raises(InvalidError):
        read_thresholds(text)


def test_thresholds_are_read_in_order_and_once() -> None:
    """However they are typed."""
    assert read_thresholds(".8, 0.7,.80,1") == (0.7, 0.8, 1.0)


def logged(*given: tuple[str, float, types.MemoryOutcome | None], query: str = "q") -> types.LoggedRecall:
    """A recall of the log with (id, score, outcome) of each memory."""
    results: list[types.GivenMemory] = [
        {"id": key, "score": score, "outcome": outcome} for key, score, outcome in given
    ]
    return {"id": 1, "query": query, "session_id": None, "at": 0, "threshold": 0.75, "results": results}


def test_a_row_of_the_log_is_what_a_hand_computes() -> None:
    """Memories that come up again are judged by their outcome of then; new and undecided ones are not."""
    again = [
        Again(
            logged(("a", 0.9, "used"), ("b", 0.8, "unused"), ("c", 0.7, "used")),
            frozenset({"a", "b", "new"}),
            120,
        ),
        Again(logged(("d", 0.9, "edited"), ("e", 0.9, None), ("f", 0.9, "unknown")), frozenset("def"), 60),
        Again(logged(), frozenset(), 0),
        Again(logged(("g", 0.9, "forgotten"), query=""), frozenset("g"), None),
    ]
    assert log.log_row(0.75, again) == LogRow(0.75, 4, 0.75, 7, 4, 1, 2, 0.25, 0.5, 60.0)
    assert log.log_row(0.75, [Again(logged(), frozenset(), 0)]).used_share is None
    assert log.known_prompts([each.logged for each in again]) == 3


def used(threshold: float, count: int) -> LogRow:
    """A row that gives so many used memories."""
    return LogRow(threshold, 40, 0.5, 100, 90, count, 3, count / 90, 3 / 90, 200.0)


def test_the_highest_threshold_that_keeps_the_used_memories_is_taken() -> None:
    """Nine of ten of what the lowest gives; more silence is worth no more than that."""
    found = log.recommend([used(0.80, 35), used(0.70, 40), used(0.75, 36)], log.NEEDED)
    assert (found.threshold, found.why) == (0.75, "keeps_used")


def test_from_few_prompts_nothing_is_concluded() -> None:
    """Nor from a log in which no memory was ever used."""
    few = log.recommend([used(0.70, 9)], log.NEEDED - 1)
    assert (few.threshold, few.why) == (None, "too_few")
    assert log.recommend([], 0).why == "too_few"
    assert log.recommend([used(0.70, 0)], log.NEEDED).why == "none_used"


CURVES = [
    picture.Curve("overall", [picture.Point(0.7, 0.06, 0.5), picture.Point(0.75, 0.03, 0.4)], True),
    picture.Curve("other", [picture.Point(0.7, 0.09, 0.3), picture.Point(0.75, 0.01, 0.2)]),
]


@pytest.mark.parametrize(("name", "begins"), [("curve.png", b"\x89PNG"), ("curve.SVG", b"<?xml")])
def test_the_picture_is_of_the_kind_that_its_name_says(tmp_path: Path, name: str, begins: bytes) -> None:
    """PNG or SVG."""
    path = tmp_path / name
    check(path)
    picture.draw(path, picture.Axes("title", "x", "y"), CURVES, [0.75])
    assert path.read_bytes().startswith(begins)


def test_the_picture_names_the_marked_thresholds_of_the_main_curve(tmp_path: Path) -> None:
    """And no others."""
    path, points = tmp_path / "curve.svg", [picture.Point(0.71, 0.06, 0.5), picture.Point(0.76, 0.03, 0.4)]
    curves = [picture.Curve("overall", points, True), picture.Curve("other", points)]
    picture.draw(path, picture.Axes("title", "x", "y"), curves, [0.76])
    drawn = path.read_text(encoding="utf-8")
    assert (drawn.count("<!-- 0.76 -->"), drawn.count("<!-- 0.71 -->")) == (1, 0)


@pytest.mark.parametrize("name", ["curve.pdf", "curve", "no-such-folder/curve.png"])
def test_a_picture_that_can_not_be_written_is_refused_before_the_work(tmp_path: Path, name: str) -> None:
    """A measurement of minutes must not end in a wrong name."""
    with pytest.raises(InvalidError):
        check(tmp_path / name)


def test_without_matplotlib_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is an extra that most people never need."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(InvalidError) as caught:
        check(tmp_path / "curve.png")
    assert "memud[plot]" in caught.value.hint
