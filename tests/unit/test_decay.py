"""Decay: golden figures of the half-life and of what age takes away."""

import pytest

from config.settings import load
from memory.model import TYPE_DEFAULTS, MemoryType
from memory.scoring.decay import (
    decayed_score,
    faded_cosine,
    literal_score,
    retention,
)


def test_half_is_left_after_one_half_life_and_an_eighth_after_three() -> None:
    """The golden figures."""
    assert retention(14, 14) == 0.5
    assert retention(42, 14) == 0.125
    assert retention(0, 14) == 1.0


def test_an_evergreen_memory_never_fades() -> None:
    """None means no half-life."""
    assert retention(100_000, None) == 1.0


def test_a_memory_from_the_future_is_fresh() -> None:
    """Clocks disagree; no memory counts for more than itself."""
    assert retention(-5, 14) == 1.0


def test_extreme_ages_and_half_lives_stay_in_bounds() -> None:
    """Nothing overflows, and a half-life of nothing fades at once."""
    assert retention(1e12, 1) == 0.0
    assert retention(1, 0) == 0.0
    assert retention(0, 0) == 1.0


def score_at_60_days(memory_type: MemoryType, decay_weight: float) -> float:
    """What is left of a relevance of .85, by the shipped half-life of a type."""
    return decayed_score(0.85, retention(60, TYPE_DEFAULTS[memory_type].half_life_days), decay_weight)


@pytest.mark.parametrize(
    ("memory_type", "score", "passes"),
    [(MemoryType.OBSERVATION, 0.5773, False), (MemoryType.CORRECTION, 0.8468, True)],
)
def test_age_hides_an_observation_and_not_a_correction(
    memory_type: MemoryType, score: float, passes: bool
) -> None:
    """At a relevance of .85 and 60 days only what is meant to last passes .75, by the shipped weights."""
    settings = load().recall
    aged = score_at_60_days(memory_type, getattr(settings.decay_weight, memory_type))
    assert aged == pytest.approx(score, abs=1e-4)
    assert settings.gate == 0.75
    assert (aged >= settings.gate) is passes
    assert score_at_60_days(memory_type, 0.0) == pytest.approx(0.85)


def test_the_golden_score_of_an_old_observation() -> None:
    """sigmoid(logit(.85) - 1.5 x (1 - 2^(-60/14)))."""
    assert decayed_score(0.85, retention(60, 14), 1.5) == pytest.approx(0.57726, abs=1e-4)


def test_a_fresh_memory_keeps_its_relevance() -> None:
    """Retention 1 takes nothing, whatever the weight."""
    assert decayed_score(0.6, 1.0, 1.5) == pytest.approx(0.6)


def test_certainty_is_beyond_age() -> None:
    """A relevance of 0 or 1 has no finite log-odds and stays."""
    assert decayed_score(0.0, 0.1, 1.5) == 0.0
    assert decayed_score(1.0, 0.1, 1.5) == 1.0


def test_every_type_has_a_weight_and_observations_fade_most() -> None:
    """The shipped weights are those of the design."""
    assert load().recall.decay_weight.model_dump() == {
        "observation": 1.5,
        "general": 0.3,
        "decision": 0.3,
        "preference": 0.12,
        "correction": 0.12,
        "resource": 0.12,
    }


def test_the_literal_formulas_multiply() -> None:
    """Half is left after one half-life, an eighth after three, times importance where it counts."""
    assert faded_cosine(0.8, retention(30, 30)) == pytest.approx(0.4)
    assert faded_cosine(0.8, retention(90, 30)) == pytest.approx(0.1)
    assert literal_score(0.8, 0.5, retention(30, 30)) == pytest.approx(0.2)
    assert literal_score(0.8, 0.5, retention(90, 30)) == pytest.approx(0.05)
