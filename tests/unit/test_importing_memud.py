"""memud's own files of events, and the calls they are cut into."""

import json
from collections.abc import Iterable
from typing import Any

from cli.importing.batch import Batch
from cli.importing.found import Fault, Found, Passed, Place, Turn
from cli.importing.memud import read_lines


def _line(**fields: Any) -> str:
    return json.dumps({"role": "user", "content": "hi", **fields}, ensure_ascii=False) + "\n"


def _read(lines: Iterable[str]) -> list[Found]:
    return list(read_lines(lines, "f"))


def test_a_call_has_one_scope_and_stays_small() -> None:
    """Neither another session, nor many events, nor long ones fit into the same call."""
    batch = Batch({"session_id": "a"})
    batch.put(Turn(Place("f", 1), {"session_id": "a"}, {"content": "茶"}))
    assert batch.has_room(Turn(Place("f", 2), {"session_id": "a"}, {"content": "茶"}))
    assert not batch.has_room(Turn(Place("f", 2), {"session_id": "b"}, {"content": "茶"}))
    assert not batch.has_room(Turn(Place("f", 2), {"session_id": "a"}, {"content": "茶" * 1_000_000}))
    for number in range(499):
        batch.put(Turn(Place("f", number), {"session_id": "a"}, {"content": "茶"}))
    assert not batch.has_room(Turn(Place("f", 999), {"session_id": "a"}, {"content": "茶"}))


def test_bad_lines_are_told_by_number_and_the_rest_goes_on() -> None:
    """One broken line costs one line; blank ones are none."""
    lines = [
        _line(),
        "not json\n",
        "\n",
        "[1]\n",
        _line(role=None),
        _line(session_id=7),
        "[" * 100_000,
        '{"role": "user", "content": [NaN]}\n',
        '{"role": "user", "content": "hi", "timestamp": 1e999}\n',
        _line(),
    ]
    found = _read(lines)
    assert [one.place.line for one in found if isinstance(one, Turn)] == [1, 10]
    assert [(one.place.line, one.reason) for one in found if isinstance(one, Fault)] == [
        (2, "import.not_json"),
        (4, "import.not_json"),
        (5, "import.no_content"),
        (6, "import.bad_scope"),
        (7, "import.not_json"),
        (8, "import.not_json"),
        (9, "import.not_json"),
    ]


def test_a_second_import_gives_the_same_keys() -> None:
    """Events without a key are recognised; equal lines are still two events; a given key stays."""
    lines = [_line(), _line(), _line(key="own")]

    def keys() -> list[str]:
        return [one.event["key"] for one in _read(lines) if isinstance(one, Turn)]

    assert keys() == keys()
    assert len(set(keys())) == 3
    assert keys()[2] == "own"


def test_exported_facts_are_passed_over() -> None:
    """An export can be imported: its turns are taken, its facts come from them again."""
    turn = _line(type="turn", id="t-1", text="hi", item_ids=["m-1"], user_id="ann")
    found = _read([turn, json.dumps({"type": "item", "id": "m-1"})])
    assert isinstance(found[0], Turn)
    assert found[0].scope == {"user_id": "ann"}
    assert set(found[0].event) == {"role", "content", "key"}
    assert found[1] == Passed(Place("f", 2), "own_fact")
