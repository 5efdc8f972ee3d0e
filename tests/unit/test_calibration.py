"""Calibration: what a relevance rests on, with golden figures and synthetic backgrounds."""

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from memory.scoring.background import (
    LEXICAL_OFFSET,
    OFFSET,
    REFERENCE_SIZE,
    background_prompts,
    fit_lexical_offset,
    fit_offset,
)
from memory.scoring.calibration import (
    familiarity_weight,
    idf,
    lexical_logit,
    lexical_match,
    logit,
    raw_score,
    relevance,
    wanted,
)
from memory.scoring.silence import is_silent_prompt
from memory.terms import cjk_runs, content_terms, index_terms, language


def all_familiar(_: str) -> float:
    """Every word weighs the same."""
    return 1.0


def test_relevance_has_its_golden_figures() -> None:
    """sigmoid(.8 u + 3.0 m - c), with c for the store's size."""
    assert raw_score(2.0, 1.0) == pytest.approx(0.8 * 2 + 3.0)
    assert relevance(logit(2.0, 1.0, REFERENCE_SIZE)) == pytest.approx(1 / (1 + math.exp(-(4.6 - 2.8))))
    assert relevance(logit(0.0, (2.8 + math.log(3)) / 3, REFERENCE_SIZE)) == pytest.approx(0.75)


def test_relevance_never_overflows() -> None:
    """Impossible deviations still give a share of certainty."""
    assert relevance(logit(1e6, 0, 10)) == 1.0
    assert relevance(logit(-1e6, 0, 10)) == 0.0


def test_a_larger_store_asks_for_more() -> None:
    """The best of many chance scores is higher, so the offset grows with the store's logarithm."""
    assert OFFSET.at(REFERENCE_SIZE) == pytest.approx(2.8)
    assert OFFSET.at(0) == OFFSET.at(1) == pytest.approx(2.8 - 0.4 * math.log(300))
    assert OFFSET.at(REFERENCE_SIZE**2) == pytest.approx(2.8 + 0.4 * math.log(300))
    assert relevance(logit(3.0, 0.5, 10)) > relevance(logit(3.0, 0.5, 10_000))
    assert LEXICAL_OFFSET.at(10) < LEXICAL_OFFSET.at(10_000)


def test_lexical_relevance_needs_several_rare_words() -> None:
    """One fair match is not enough, most of a question in rare words is."""
    assert relevance(lexical_logit(0.0, REFERENCE_SIZE)) < 0.25
    assert relevance(lexical_logit(0.5, REFERENCE_SIZE)) < 0.75
    assert relevance(lexical_logit(1.0, REFERENCE_SIZE)) > 0.75
    assert relevance(lexical_logit(1.0, 100_000)) < relevance(lexical_logit(1.0, REFERENCE_SIZE))


def test_idf_is_one_for_unseen_words_and_falls_with_use() -> None:
    """From 1 down to nearly 0, whatever the size of the store."""
    assert idf(1000, 0) == 1.0
    assert idf(0, 0) == 1.0
    assert idf(1000, 10) > idf(1000, 100) > idf(1000, 1000) > 0
    assert idf(1000, 1000) < 0.001


def test_a_small_store_does_not_make_its_words_common() -> None:
    """In a store of two texts that share a word, the word still says something."""
    assert idf(2, 2) > 0.6


def test_a_frequency_above_the_store_size_is_no_error() -> None:
    """Counts may run ahead of the size they are compared with."""
    assert idf(200, 500) == idf(200, 200)


def test_mass_counts_words_and_coverage_their_share() -> None:
    """Two of four equal words: half covered, two matched."""
    coverage, mass = wanted(["a", "b", "c", "d"], {}, all_familiar).found_in({"a", "b", "x"})
    assert (coverage, mass) == (0.5, 2.0)
    assert lexical_match(coverage, mass) == 1.0


def test_common_and_familiar_words_weigh_little() -> None:
    """A store's common word and a prompt's common word both lose their weight."""
    rare = wanted(["a"], {"a": 1.0}, all_familiar).found_in({"a"})[1]
    common = wanted(["a"], {"a": 0.1}, all_familiar).found_in({"a"})[1]
    familiar = wanted(["a"], {"a": 1.0}, lambda _: 0.1).found_in({"a"})[1]
    assert rare > common == familiar


def test_nothing_asked_and_nothing_matched_is_zero() -> None:
    """No division by nothing."""
    assert wanted([], {}, all_familiar).found_in({"a"}) == (0.0, 0.0)
    assert wanted(["a"], {}, all_familiar).found_in(set()) == (0.0, 0.0)
    assert wanted(["a"], {"a": 0.0}, all_familiar).found_in({"a"}) == (0.0, 0.0)


def test_a_time_that_is_asked_about_is_one_more_word() -> None:
    """It matches as well as the time fits, by its own weight."""
    asked = replace(wanted(["a"], {}, all_familiar), date_weight=0.5)
    assert asked.found_in({"a"}, 1.0) == (1.0, 1.5)
    assert asked.found_in({"a"}, 0.0) == pytest.approx((1 / 1.5, 1.0))
    assert asked.found_in(set(), 0.5) == pytest.approx((0.25 / 1.5, 0.25))
    only_a_time = replace(wanted([], {}, all_familiar), date_weight=0.5)
    assert only_a_time.found_in({"a"}, 1.0) == (1.0, 0.5)
    assert wanted(["a"], {}, all_familiar).found_in({"a"}, 1.0) == (1.0, 1.0)


def test_mass_is_capped() -> None:
    """A pasted document does not outweigh a question."""
    assert lexical_match(1.0, 100.0) == lexical_match(1.0, 4.0) == 2.0


def test_words_of_everyday_prompts_weigh_less() -> None:
    """What everybody asks of an assistant tells little about a memory."""
    assert familiarity_weight(index_terms("write")[0]) < 0.6
    assert familiarity_weight(index_terms("Zermatt")[0]) == 1.0
    assert familiarity_weight("怎么") == 1.0  # a stop word, never asked for
    assert familiarity_weight("文章") < familiarity_weight("护照") < familiarity_weight("过敏")


def test_the_background_prompts_are_many_and_balanced() -> None:
    """At least 150, about half in each language, short and long, none twice."""
    prompts = background_prompts()
    chinese = [prompt for prompt in prompts if language(prompt) == "zh"]
    assert len(prompts) >= 150
    assert 0.4 <= len(chinese) / len(prompts) <= 0.6
    assert len(set(prompts)) == len(prompts)
    assert sum(len(content_terms(prompt)) > 15 for prompt in prompts) >= 20
    assert sum(len("".join(cjk_runs(prompt))) > 40 for prompt in chinese) >= 10


def test_most_background_prompts_are_no_courtesies() -> None:
    """They have to be answered by the gate, not by the veto."""
    assert not [prompt for prompt in background_prompts() if is_silent_prompt(prompt) == "courtesy"]


def gumbel(count: int, loc: float, scale: float, seed: int) -> list[float]:
    """Draws of a Gumbel distribution."""
    draws: list[float] = np.random.default_rng(seed).gumbel(loc, scale, count).tolist()
    return draws


@pytest.mark.parametrize("share", [0.01, 0.03, 0.1])
def test_a_fitted_offset_lets_the_allowed_share_through(share: float) -> None:
    """Fitted to 150 draws it holds on average, within a third, for draws it has not seen."""
    unseen = np.array(gumbel(20_000, 2.0, 0.7, 100))
    offsets = [fit_offset(gumbel(150, 2.0, 0.7, seed), share) for seed in range(20)]
    passed = np.mean([(unseen - offset >= math.log(3)).mean() for offset in offsets])
    assert share / 1.33 <= passed <= share * 1.33


def test_a_fitted_offset_is_the_gumbel_quantile() -> None:
    """With very many draws the fit meets the closed form."""
    exact = 2.0 - 0.7 * math.log(-math.log(0.97)) - math.log(3)
    assert fit_offset(gumbel(200_000, 2.0, 0.7, 1)) == pytest.approx(exact, abs=0.03)


def test_equal_scores_give_their_own_quantile() -> None:
    """A store where every prompt scores the same is no error."""
    assert fit_offset([2.0, 2.0, 2.0]) == pytest.approx(2.0 - math.log(3))


def test_across_languages_the_cosine_decides_against_its_own_chance() -> None:
    """No word can match, so a good cosine is enough; a match never makes it less sure."""
    assert relevance(logit(3.5, 0.0, 20)) < 0.75
    assert relevance(logit(3.5, 0.0, 20, crosses=True)) > 0.75
    assert relevance(logit(0.5, 0.0, 20, crosses=True)) < 0.5
    for match in (0.0, 0.5, 1.5):
        assert relevance(logit(2.0, match, 20, crosses=True)) >= relevance(logit(2.0, match, 20))


@pytest.mark.parametrize("share", [0.01, 0.03, 0.1])
def test_a_lexical_fit_lets_about_the_allowed_share_of_unrelated_prompts_through(share: float) -> None:
    """Of normally spread scores: their own quantile, less the logit of .75."""
    spread = NormalDist(1.1, 0.6)
    offset = fit_lexical_offset(spread.samples(20_000, seed=7), share)
    assert 1 - spread.cdf(offset + math.log(3)) == pytest.approx(share, rel=0.1)
    assert fit_lexical_offset([2.0, 2.0], share) == pytest.approx(2.0 - math.log(3))
