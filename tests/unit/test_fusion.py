"""Fusion: the order of candidates."""

from dataclasses import replace

import numpy as np
import pytest

from memory.scoring.dialogue import Talk
from memory.scoring.fusion import Candidates, Spread, bm25_spread, fused_scores


def candidates(
    cosines: list[float], bm25: list[float], assistant: tuple[int, ...] = (), store_size: int = 100
) -> Candidates:
    """Candidates of a store whose cosines have mean .5 and deviation .1."""
    is_assistant = np.isin(np.arange(len(bm25)), assistant)
    scores = np.array(bm25)
    spread = bm25_spread(scores.sum(), (scores**2).sum(), store_size)
    return Candidates(
        Spread(0.5, 0.1).standardised(np.array(cosines, np.float32)),
        True,
        scores,
        spread,
        np.zeros(len(bm25)),
        np.full(len(bm25), 0.5),
        is_assistant,
        no_talk(len(bm25)),
    )


def no_talk(count: int) -> Talk:
    """Candidates of which none stands in a talk."""
    none = np.full((count, 2), -1, np.intp)
    return Talk(np.zeros(count, bool), none, none, np.zeros(count, bool), np.zeros(count))


def test_the_sum_has_its_golden_figures() -> None:
    """.5 of the standardised cosine and .3 of the standardised BM25 over the whole store."""
    scores = fused_scores(candidates([0.6, 0.5], [10.0, 0.0]))
    std = np.sqrt(100 / 100 - 0.1**2)
    assert scores[0] == pytest.approx(0.5 * 1.0 + 0.3 * (10.0 - 0.1) / std, rel=1e-5)
    assert scores[1] == pytest.approx(0.3 * -0.1 / std, rel=1e-5)


def test_unmatched_texts_of_the_store_count_as_zero() -> None:
    """The same match is rarer, and so worth more, in a larger store."""
    small = fused_scores(candidates([0.5], [10.0], store_size=10))
    large = fused_scores(candidates([0.5], [10.0], store_size=1000))
    assert large[0] > small[0]


def test_assistant_text_is_ranked_down() -> None:
    """The user's own words stand above the same words of the assistant."""
    scores = fused_scores(candidates([0.5, 0.5], [8.0, 8.0], assistant=(0,)))
    assert scores[0] == pytest.approx(scores[1] - 3.0)


def test_a_pending_vector_counts_as_average() -> None:
    """A text that has no vector yet is neither lifted nor buried."""
    scores = fused_scores(candidates([np.nan, 0.5, 0.6, 0.4], [0.0, 0.0, 0.0, 0.0]))
    assert scores[0] == scores[1]
    assert scores[2] > scores[0] > scores[3]


def test_without_any_cosine_words_decide_alone() -> None:
    """Full text only keeps the order of BM25."""
    some = candidates([np.nan] * 3, [1.0, 5.0, 3.0])
    only = replace(some, has_vectors=False)
    assert np.argsort(-fused_scores(only)).tolist() == [1, 2, 0]


def test_a_time_that_the_question_names_outweighs_a_good_match() -> None:
    """Who asks about a day wants what was said then, the best of it first."""
    some = candidates([0.7, 0.5, 0.55], [8.0, 0.0, 0.0], store_size=10)
    scores = fused_scores(replace(some, named_date=np.array([0.0, 1.0, 1.0])))
    assert np.argsort(-scores).tolist() == [2, 1, 0]


def test_of_two_equal_ones_the_important_stands_first() -> None:
    """Importance orders; it keeps nothing out."""
    some = candidates([0.5, 0.5], [1.0, 1.0])
    scores = fused_scores(replace(some, importance=np.array([0.5, 0.95])))
    assert scores[1] - scores[0] == pytest.approx(0.4 * 0.45)


def test_without_any_match_cosines_decide_alone() -> None:
    """No division by a deviation of nothing."""
    scores = fused_scores(candidates([0.7, 0.6], [0.0, 0.0]))
    assert scores.tolist() == pytest.approx([1.0, 0.5], rel=1e-5)


def test_no_candidates_give_no_scores() -> None:
    """An empty store is no error."""
    assert fused_scores(candidates([], [], store_size=0)).shape == (0,)


def test_a_stale_store_size_is_no_error() -> None:
    """More candidates than the store is said to hold still give finite scores."""
    assert np.isfinite(fused_scores(candidates([0.5, 0.6], [1.0, 2.0], store_size=0))).all()
