"""The work that memud and other programs are measured with."""

import pytest

from bench.peers.work import SIZES, Stub, is_about, note, questions


def test_notes_are_the_same_in_each_process_and_differ_from_one_another() -> None:
    """What one process stored another one knows."""
    assert note(7) == note(7)
    assert len({note(number) for number in range(500)}) == 500
    assert is_about(note(12), 12)
    assert not is_about(note(12), 1)


@pytest.mark.parametrize("size", SIZES[:5])
def test_a_question_lies_at_cosine_seven_tenths_to_its_note(size: int) -> None:
    """And has five of its words."""
    stub = Stub()
    for question, number in questions(size):
        assert number < size
        assert float(stub.query(question) @ stub.passage(note(number))) == pytest.approx(0.7, abs=0.1)
        assert set(question.split()[2:]) <= set(note(number).removesuffix(".").split())


def test_a_text_has_one_vector_however_often_it_is_asked_for() -> None:
    """Of length one, and another than that of another text."""
    stub = Stub(64)
    assert (stub.passage("tea") == stub.passage("tea")).all()
    assert float(stub.passage("tea") @ stub.passage("tea")) == pytest.approx(1)
    assert abs(float(stub.passage("tea") @ stub.passage("coffee"))) < 0.6
