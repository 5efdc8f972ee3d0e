"""What a turn in a talk borrows from those around it: figures worked out by hand."""

import numpy as np
import pytest

from memory.scoring.dialogue import SPEAKER_WEIGHT, Floats, Talk, borrowed, lent, question_share

STANDING = np.array([2.0, 1.0, 0.5, -0.5, 3.0])  # five turns of one talk, in their order
NOBODY = -1.0


def talk(
    *,
    strangers: tuple[int, ...] = (),
    named: tuple[int, ...] = (),
    questions: dict[int, float] | None = None,
) -> Talk:
    """Five turns in a row; `strangers` stand in no talk, `questions` say how much of a turn asks."""
    places = np.arange(5)
    before = np.stack([places - 1, places - 2], axis=1)
    after = np.stack([places + 1, places + 2], axis=1)
    shares = np.zeros(5)
    for place, share in (questions or {}).items():
        shares[place] = share
    return Talk(
        ~np.isin(places, strangers),
        np.where(before < 0, -1, before),
        np.where(after > 4, -1, after),
        np.isin(places, named),
        shares,
    )


def gained(**changes: object) -> Floats:
    """What each turn gets more or less than in a talk of statements by people whom nobody named."""
    return borrowed(STANDING, talk(**changes)) - borrowed(STANDING, talk())  # type: ignore[arg-type]


def test_a_turn_gets_four_tenths_of_the_better_neighbour_at_each_distance() -> None:
    """In the middle: the better of 1 and -.5 beside it, and of 2 and 3 one further."""
    assert borrowed(STANDING, talk())[2] == pytest.approx(0.4 * (1.0 + 3.0))


def test_at_the_edge_nobody_stands_low() -> None:
    """A neighbour that is none counts -1, so the first turn has those after it alone."""
    got = borrowed(STANDING, talk())
    assert got[0] == pytest.approx(0.4 * (1.0 + 0.5))
    assert got[4] == pytest.approx(0.4 * (-0.5 + 0.5))
    below = np.full(5, -2.0)
    assert borrowed(below, talk())[0] == pytest.approx(0.4 * (NOBODY + NOBODY))


def test_a_turn_alone_in_its_talk_borrows_from_nobody() -> None:
    """Its own standing is not among its neighbours, however good it is."""
    none = np.full((1, 2), -1)
    alone = Talk(np.ones(1, bool), none, none, np.zeros(1, bool), np.zeros(1))
    assert borrowed(np.array([9.0]), alone)[0] == pytest.approx(0.4 * (NOBODY + NOBODY))


def test_relevance_gets_half_of_the_better_neighbour_that_is_likely_meant() -> None:
    """The logits 2, 1, .5, -.5, 3: a neighbour below 0 lends nothing, one further away neither."""
    assert lent(STANDING, talk()).tolist() == [0.5, 1.0, 0.5, 1.5, 0.0]


def test_who_stands_in_no_talk_is_lent_nothing() -> None:
    """A fact, or a message to the agent alone."""
    assert lent(STANDING, talk(strangers=(1, 3))).tolist() == [0.5, 0.0, 0.5, 0.0, 0.0]


def test_a_turn_alone_in_its_talk_is_lent_nothing() -> None:
    """Neither by itself, though it is the last of the row."""
    none = np.full((1, 2), -1)
    alone = Talk(np.ones(1, bool), none, none, np.zeros(1, bool), np.zeros(1))
    assert lent(np.array([9.0]), alone).tolist() == [0.0]


def test_the_speaker_whom_a_question_names_gets_one_and_a_half() -> None:
    """The speaker's turns alone, wherever they stand."""
    assert gained(named=(1, 3)) == pytest.approx([0, 1.5, 0, 1.5, 0])


def test_a_turn_that_only_asks_loses_one_and_the_answer_after_it_gains() -> None:
    """The question stands at 2, so what follows it gets four tenths of that."""
    assert gained(questions={0: 1.0}) == pytest.approx([-1.0, 0.4 * 2.0, 0, 0, 0])


def test_half_a_question_counts_half() -> None:
    """Both the loss and the answer's gain go with the share of the words that ask."""
    assert gained(questions={0: 0.5}) == pytest.approx([-0.5, 0.4 * 0.5 * 2.0, 0, 0, 0])


def test_the_answer_to_a_question_that_fits_ill_gains_nothing() -> None:
    """A question below the average takes from the turn after it."""
    assert gained(questions={3: 1.0}) == pytest.approx([0, 0, 0, -1.0, 0.4 * -0.5])


def test_the_last_turn_s_question_is_answered_by_nobody() -> None:
    """The turn at the other end of the talk does not follow it."""
    assert gained(questions={4: 1.0}) == pytest.approx([0, 0, 0, 0, -1.0])


def test_outside_talks_nothing_is_borrowed() -> None:
    """No neighbour and no question counts where one person talks to an agent; a fact has its speaker."""
    got = borrowed(STANDING, talk(strangers=(1, 2), named=(1,), questions={2: 1.0}))
    assert got[[1, 2]].tolist() == [SPEAKER_WEIGHT, 0.0]
    assert got[0] != 0.0


def test_no_candidates_borrow_nothing() -> None:
    """An empty store is no error."""
    none = np.zeros((0, 2), np.intp)
    nobody = Talk(np.zeros(0, bool), none, none, np.zeros(0, bool), np.zeros(0))
    assert borrowed(np.zeros(0), nobody).shape == (0,)


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("Where did you park?", 1.0),
        ("I parked by the lake.", 0.0),
        ("Up now? I am up.", 7 / 16),
        ("Really?! That is news.", 8 / 22),
        ("你把车停哪儿了？", 1.0),
        ("我把车停在湖边。", 0.0),
        ("你好吗？我很好。", 0.5),
        ("I wonder where it is", 0.0),
        ("Which one?\nThe blue one.", 11 / 24),
        ("", 0.0),
        ("???", 0.0),
    ],
)
def test_the_share_of_questions_is_that_of_their_letters(text: str, share: float) -> None:
    """Sentences that end with a question mark, in English and Chinese; a text without words asks nothing."""
    assert question_share(text) == pytest.approx(share)
