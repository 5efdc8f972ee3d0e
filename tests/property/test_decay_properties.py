"""Decay is monotone and stays in bounds."""

from hypothesis import given
from hypothesis import strategies as st

from memory.scoring.decay import decayed_score, retention

UNIT = st.floats(0, 1)
AGES = st.floats(-1e6, 1e6)


@given(AGES, AGES, st.floats(0.1, 1e4))
def test_an_older_memory_never_keeps_more(age: float, other: float, half_life: float) -> None:
    """Retention falls with age, within 0..1."""
    young, old = sorted((age, other))
    assert 0 <= retention(old, half_life) <= retention(young, half_life) <= 1


@given(UNIT, UNIT, UNIT, st.floats(0, 5))
def test_age_takes_and_never_gives(relevance: float, kept: float, more: float, weight: float) -> None:
    """The score is at most the relevance and grows with what is retained."""
    less, most = sorted((kept, more))
    low, high = decayed_score(relevance, less, weight), decayed_score(relevance, most, weight)
    assert 0 <= low <= high + 1e-12
    assert high <= relevance + 1e-12
