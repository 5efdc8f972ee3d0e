"""Text of others on a terminal, and times as people write them."""

import json
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli import moments
from cli.plain import one_line, plain, to_json

ESC = "\x1b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"{ESC}[31mred{ESC}[0m", "red"),
        (f"{ESC}]0;title\x07words", "words"),
        (f"{ESC}]8;;http://x\x1b\\link", "link"),
        (f"{ESC}]52;c;cGFzdGU=\x07", ""),
        ("\x9b2Jcleared", "cleared"),
        (f"{ESC}cafter a reset", "after a reset"),
        (f"{ESC}]an unfinished title", "an unfinished title"),
        ("over\rwritten\b\b", "overwritten"),
        ("safe\u202etxt.exe", "safetxt.exe"),
        ("half \ud83d a pair", "half  a pair"),
        ("喝茶 ☕👨‍👩‍👧\n\tcafé", "喝茶 ☕👨‍👩‍👧\n\tcafé"),
    ],
)
def test_nothing_a_terminal_acts_on_gets_through(text: str, shown: str) -> None:
    """Colours, titles, links, clipboard and direction signs go; the words stay."""
    assert plain(text) == shown


@given(st.text(alphabet=st.one_of(st.sampled_from("\x1b[]\\;m\x07\x9b\x90\x9c0?"), st.characters())))
def test_no_escape_survives_however_it_is_nested(text: str) -> None:
    """What is left after removal never forms a new sequence."""
    left = plain(text)
    assert not set(left) & {chr(code) for code in (*range(9), *range(11, 32), *range(127, 160))}
    assert plain(left) == left


@given(st.text(alphabet=st.characters(codec=None, categories=None)))
def test_json_for_programs_loses_nothing_and_holds_no_control_sign(text: str) -> None:
    """A program reads back the exact words, and a terminal that shows them is safe."""
    shown = to_json({"memory": text})
    assert json.loads(shown) == {"memory": text}
    assert not set(shown) & {chr(code) for code in (*range(10), *range(11, 32), *range(127, 160))}
    shown.encode()


def test_one_line_is_one_line() -> None:
    """A table row stays a row."""
    assert one_line("a\n\n b\t\x1b[1mc") == "a b c"


def _local(*parts: int) -> int:
    return int(datetime(*parts).astimezone().timestamp())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1767225600", 1767225600),
        ("2026-05-01", _local(2026, 5, 1)),
        ("2026-05-01T18:30", _local(2026, 5, 1, 18, 30)),
        ("2026-05-01T18:30:00+00:00", 1777660200),
        ("soon", None),
        ("2026-13-01", None),
        ("", None),
    ],
)
def test_times_are_read_as_people_write_them(text: str, expected: int | None) -> None:
    """Unix seconds, a date, a local time, or a time with its zone; nothing is guessed."""
    assert moments.parse(text) == expected


def test_spans_count_from_now() -> None:
    """Three days is back for a question about the past and ahead for a snooze."""
    assert moments.parse_ago("3d", 1_000_000) == 1_000_000 - 3 * 86_400
    assert moments.parse_ahead("90m", 1_000_000) == 1_000_000 + 5_400
    assert moments.parse_ago("3 days", 1_000_000) is None


@pytest.mark.parametrize("timestamp", [2**62, -(2**62)])
def test_a_time_out_of_the_calendar_is_shown_as_its_number(timestamp: int) -> None:
    """One mad timestamp does not end a listing."""
    assert moments.show(timestamp) == str(timestamp)
