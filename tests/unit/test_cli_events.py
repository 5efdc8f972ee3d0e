"""Files of events, cut into calls."""

import json
from typing import Any

from cli.events import Batch, Reading


def _line(**fields: Any) -> str:
    return json.dumps({"role": "user", "content": "hi", **fields}, ensure_ascii=False) + "\n"


def test_events_stay_in_order_and_scopes_apart() -> None:
    """Each call has one session, in the order of the file."""
    sessions = ["a", "a", "b", "a"]
    batches = list(Reading(_line(session_id=name, content=str(n)) for n, name in enumerate(sessions)))
    assert [(batch.scope["session_id"], batch.lines) for batch in batches] == [
        ("a", [1, 2]),
        ("b", [3]),
        ("a", [4]),
    ]


def test_calls_stay_small() -> None:
    """Neither many events nor long ones make a call that the daemon would refuse."""
    many = list(Reading(_line(content=str(n)) for n in range(450)))
    assert [len(batch.events) for batch in many] == [200, 200, 50]
    long = list(Reading(_line(content="茶" * 200_000) for _ in range(3)))
    assert [len(batch.events) for batch in long] == [1, 1, 1]


def test_bad_lines_are_kept_by_number_and_the_rest_goes_on() -> None:
    """One broken line costs one line."""
    lines = [
        _line(),
        "not json\n",
        "\n",
        "[1]\n",
        _line(role=None),
        _line(session_id=7),
        "[" * 100_000,
        _line(),
    ]
    reading = Reading(lines)
    assert [batch.lines for batch in reading] == [[1, 8]]
    assert [(fault["line"], fault["reason"]) for fault in reading.bad] == [
        (2, "import.not_json"),
        (4, "import.not_json"),
        (5, "import.no_content"),
        (6, "import.bad_scope"),
        (7, "import.not_json"),
    ]


def test_a_second_import_gives_the_same_keys() -> None:
    """Events without a key are recognised; equal lines are still two events; a given key stays."""
    lines = [_line(), _line(), _line(key="own")]

    def keys() -> list[str]:
        return [event["key"] for batch in Reading(lines) for event in batch.events]

    assert keys() == keys()
    assert len(set(keys())) == 3
    assert keys()[2] == "own"


def test_what_the_daemon_left_out_is_told_by_line() -> None:
    """The place in a call is translated back to the place in the file."""
    reading = Reading(())
    reading.left_out(Batch({}, [{}, {}], [10, 12]), [{"index": 1, "reason": "too_large", "detail": "600 kB"}])
    assert reading.skipped == [{"line": 12, "reason": "too_large", "detail": "600 kB"}]


def test_every_line_that_says_something_is_counted_once() -> None:
    """Events, bad lines and facts add up to the lines of the file, blank ones apart."""
    lines = [_line(content="a"), "", "oops", json.dumps({"type": "item"}), _line(content="b"), "[1]", "  "]
    reading = Reading(lines)
    events = sum(len(batch.events) for batch in reading)
    assert reading.lines == 5
    assert (events, len(reading.bad), reading.facts) == (2, 2, 1)


def test_exported_facts_are_counted_and_passed_over() -> None:
    """An export can be imported: its turns are taken, its facts come from them again."""
    turn = _line(type="turn", id="t-1", text="hi", item_ids=["m-1"], user_id="ann")
    reading = Reading([turn, json.dumps({"type": "item", "id": "m-1"})])
    (batch,) = reading
    assert batch.scope == {"user_id": "ann"}
    assert set(batch.events[0]) == {"role", "content", "key", "origin"}
    assert reading.facts == 1
