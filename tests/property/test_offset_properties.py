"""An offset fitted to a store, whatever was measured: bounded, growing, and sure only by many prompts."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recall.offsets import MOST_MOVED, Fit, Offsets
from memory.recall.recalibration import Chance, fitted
from memory.scoring.background import LEXICAL_OFFSET, OFFSET, fit_lexical_offset, fit_offset
from memory.scoring.calibration import SMALL_STORE

sizes = st.integers(SMALL_STORE, 10**6)
values = st.floats(-50, 50)
scores = st.lists(st.floats(0, 20), min_size=2, max_size=120)
ALL = frozenset(range(SMALL_STORE))


@given(values, sizes, st.integers(1, 110), sizes)
def test_an_offset_stays_near_the_shipped_one(value: float, fitted_at: int, count: int, size: int) -> None:
    """However odd the store was when it was measured, and however large it is now."""
    for offsets in (Offsets("e5"), Offsets("")):
        offsets.use("ana", "zh", Fit(value, fitted_at, count))
        served = offsets.by_vectors if offsets.embedder else offsets.by_words
        moved = served("ana", "zh", size).at(size) - offsets.shipped.at(size)
        assert abs(moved) <= MOST_MOVED + 1e-9


@given(st.floats(-0.9, 0.9), sizes, sizes)
def test_an_offset_grows_with_the_store_as_the_shipped_one_does(
    moved: float, fitted_at: int, size: int
) -> None:
    """From the size it was measured at."""
    offsets = Offsets("e5")
    offsets.use("ana", "en", Fit(OFFSET.at(fitted_at) + moved, fitted_at, 100))
    served = offsets.by_vectors("ana", "en", size)
    assert served.at(size) - OFFSET.at(size) == pytest.approx(moved)
    assert served.at(size) - served.at(fitted_at) == pytest.approx(0.4 * math.log(size / fitted_at))


@given(values, sizes, st.integers(0, SMALL_STORE - 1))
def test_a_small_store_is_served_the_shipped_offset(value: float, fitted_at: int, size: int) -> None:
    """It may have been larger, until most of it was forgotten."""
    offsets = Offsets("e5")
    offsets.use("ana", "en", Fit(value, fitted_at, 100))
    assert offsets.by_vectors("ana", "en", size) == OFFSET
    assert not offsets.is_due("ana", "en", size)


@given(sizes)
def test_a_store_is_due_by_half_more_or_a_third_less(size: int) -> None:
    """And the first time at once."""
    offsets = Offsets("e5")
    assert offsets.is_due("ana", "en", size)
    offsets.use("ana", "en", Fit(3.0, size, 100))
    assert not offsets.is_due("ana", "en", size)
    assert not offsets.is_due("ana", "en", math.ceil(1.5 * size) - 1)
    assert offsets.is_due("ana", "en", math.ceil(1.5 * size))
    assert offsets.is_due("ben", "en", size)
    assert offsets.is_due("ana", "zh", size)
    assert offsets.is_due("ana", "en", size * 2 // 3) == (size * 2 // 3 >= SMALL_STORE)


@given(scores, sizes)
def test_a_fit_lies_between_the_shipped_offset_and_what_was_measured(tops: list[float], size: int) -> None:
    """Nearer to what was measured, the more prompts measured it."""
    own, usual = fit_offset(tops), OFFSET.at(size)
    fit = fitted([Chance(top, ALL) for top in tops], size, OFFSET, fit_offset)
    assert min(own, usual) - 1e-9 <= fit.value <= max(own, usual) + 1e-9
    assert (fit.value - usual) * (len(tops) + 100) == pytest.approx((own - usual) * len(tops), abs=1e-6)
    assert (fit.store_size, fit.count) == (size, len(tops))


@given(scores, sizes)
def test_too_few_texts_in_a_language_tell_nothing(tops: list[float], size: int) -> None:
    """What the prompts found together was less than a small store: the shipped offset serves."""
    keys = frozenset(range(SMALL_STORE - 1))
    fit = fitted([Chance(top, keys) for top in tops], size, LEXICAL_OFFSET, fit_lexical_offset)
    assert fit.count == 0
    offsets = Offsets("")
    offsets.use("ana", "zh", fit)
    assert offsets.by_words("ana", "zh", 2 * size) == LEXICAL_OFFSET
