"""Where a sentence ends."""

import pytest

from memory.extract.clauses import sentences


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Call me at 5 p.m. tomorrow. Thanks!", ["Call me at 5 p.m. tomorrow", "Thanks"]),
        ("I'll pay it on Dec. 12 at noon. Bye.", ["I'll pay it on Dec. 12 at noon", "Bye"]),
        ("The visa runs out on Sept. 3. Oh dear.", ["The visa runs out on Sept. 3", "Oh dear"]),
        ("I finish at 5 p.m. Then I rest.", ["I finish at 5 p.m", "Then I rest"]),
        ("It was in Dec. I had left by then.", ["It was in Dec", "I had left by then"]),
        ("Ask Dr. Wu. 下午五点。好", ["Ask Dr. Wu", "下午五点", "好"]),
    ],
)  # fmt: skip
def test_a_point_of_a_short_form_ends_no_sentence(text: str, told: list[str]) -> None:
    """Hours and months keep their points where more of the same sentence follows, and only there."""
    assert [one.text for one in sentences(text)] == told
