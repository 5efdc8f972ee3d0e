"""How far a user's predictions are trusted, from what became of those before."""

import pytest

from memory.model import DAY_S
from memory.proactive.trust import RECOVERED_FROM, Outcome, Trust, trust

NOW = 1_796_000_000
HALF_LIFE_S = 30 * DAY_S


def outcome(
    detector: str, *, right: bool, at: int = NOW, topic: str = "t", dismissed: bool = False, told: bool = True
) -> Outcome:
    return Outcome(detector, topic, right, dismissed, told, at)


def judged(*outcomes: Outcome, now: int = NOW) -> Trust:
    return trust(outcomes, now, HALF_LIFE_S)


def test_of_a_stranger_four_in_five_are_taken_to_be_right() -> None:
    """The prior as it is documented; nothing is throttled, and a probability is what the detector says."""
    nobody = judged()
    assert nobody.precision("habit") == pytest.approx(0.8)
    assert not nobody.is_throttled("habit")
    assert nobody.probability("habit", "t", 0.7) == pytest.approx(0.7)


def test_one_wrong_prediction_throttles_nothing_and_two_in_a_row_do() -> None:
    """The precision is the mean of the posterior: (4 x general + right) / (4 + right + wrong)."""
    one = judged(outcome("habit", right=False))
    assert one.precision("habit") == pytest.approx(4 * (4 / 6) / 5)
    assert not one.is_throttled("habit")
    two = judged(*[outcome("habit", right=False)] * 2)
    assert two.precision("habit") == pytest.approx(4 * (4 / 7) / 6)
    assert two.is_throttled("habit")
    assert not two.is_throttled("commitment")


def test_what_came_true_untold_says_little_about_telling() -> None:
    """Four such hits weigh as one that was told; so do misses that nobody heard of."""
    untold = [outcome("habit", right=True, told=False)] * 4
    assert judged(*untold).precision("habit") == judged(outcome("habit", right=True)).precision("habit")
    assert not judged(*[outcome("habit", right=False, told=False)] * 4).is_throttled("habit")


def test_a_user_who_wants_nothing_is_spared_by_detectors_that_never_spoke() -> None:
    """What four of them were wrong about speaks for the fifth."""
    wrong = [outcome(name, right=False) for name in ("a", "b", "c", "d")]
    assert judged(*wrong).is_throttled("e")
    assert not judged(*wrong[:3]).is_throttled("e")


def test_a_detector_recovers_later_than_it_fell() -> None:
    """Between a half and three fifths it stays as it is."""
    fallen = [outcome("habit", right=False)] * 3
    rising, states = list(fallen), []
    while (now := judged(*rising)).is_throttled("habit"):
        states.append(now.precision("habit"))
        rising.append(outcome("habit", right=True))
    assert any(0.5 <= precision < RECOVERED_FROM for precision in states)
    assert judged(*rising).precision("habit") >= RECOVERED_FROM


def test_time_alone_makes_good_in_the_end() -> None:
    """A detector that was throttled is given another chance after some months."""
    fallen = [outcome("habit", right=False, at=NOW + n) for n in range(4)]
    assert judged(*fallen, now=NOW + DAY_S).is_throttled("habit")
    assert not judged(*fallen, now=NOW + 365 * DAY_S).is_throttled("habit")


def test_a_dismissal_halves_its_topic_and_no_other() -> None:
    """Each one again; with a half-life it grows less."""
    twice = [outcome("habit", right=False, topic="tea", dismissed=True)] * 2
    assert judged(*twice[:1]).halved("tea") == pytest.approx(0.5)
    assert judged(*twice).halved("tea") == pytest.approx(0.25)
    assert judged(*twice).halved("coffee") == 1.0
    assert judged(*twice, now=NOW + HALF_LIFE_S).halved("tea") == pytest.approx(0.5)


def test_what_a_detector_says_is_put_right_by_its_record() -> None:
    """Downwards after misses, upwards after hits, and never out of the range."""
    wrong = judged(*[outcome("habit", right=False, topic="x")] * 9)
    right = judged(*[outcome("habit", right=True, topic="x")] * 9)
    assert 0 <= wrong.probability("habit", "t", 0.7) < 0.7 < right.probability("habit", "t", 0.7) <= 1


def test_the_order_in_which_outcomes_are_read_does_not_matter() -> None:
    """Their own times do."""
    mixed = [outcome("habit", right=n % 3 == 0, at=NOW + n) for n in range(12)]
    assert judged(*mixed) == judged(*mixed[::-1])


def test_two_dismissals_in_a_row_try_the_users_patience() -> None:
    """A third spends it. Something right that was told makes it good; what came true untold does not."""
    no, yes = outcome("a", right=False, dismissed=True), outcome("b", right=True)
    unheard = outcome("b", right=True, told=False)
    assert not judged(no).is_tried
    assert judged(no, unheard, no).is_tried
    assert not judged(no, no).is_spent
    assert judged(*[yes] * 40, no, no, no).is_throttled("b")
    assert not judged(no, no, no, yes).is_throttled("b")
    assert not judged(no, no, yes).is_tried
    assert not judged(no, yes, no).is_tried


def test_absurd_times_are_only_very_old_or_very_new() -> None:
    """No overflow from a clock of another age."""
    ages = [outcome("habit", right=False, at=at) for at in (-(2**62), 0, 2**62)]
    assert 0 < judged(*ages).precision("habit") < 1
