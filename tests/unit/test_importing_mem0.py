"""mem0's exports become facts in their own words, of their own time."""

import json
from pathlib import Path
from typing import Any

from cli.importing import mem0
from cli.importing.formats import recognise
from cli.importing.found import Fact, Fault, Found, Wishes


def _memory(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"id-{number}", "memory": f"Grows {number} kinds of beans", "hash": "x",
        "created_at": "2026-03-08T09:05:00-08:00", "updated_at": None, "user_id": "kai", **more,
    }  # fmt: skip


def _read(path: Path, content: Any) -> list[Found]:
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    kind = recognise(path)
    assert kind is not None
    assert kind.name == "mem0"
    return list(mem0.read(path, Wishes()))


def test_counts_before_the_list_do_no_harm(tmp_path: Path) -> None:
    """Its platform's pages begin with plain values."""
    page = {"count": 1, "next": None, "previous": "https://x/?page=1", "results": [_memory(1)]}
    (fact,) = _read(tmp_path / "m.json", page)
    assert isinstance(fact, Fact)


def test_a_configuration_is_no_export(tmp_path: Path) -> None:
    """OpenClaw's own names a memory and has ids; it holds no list of memories."""
    config = {
        "models": {"list": [{"id": "m"}]},
        "plugins": {"slots": {"memory": "memud"}},
    }
    path = tmp_path / "openclaw.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    assert recognise(path) is None


def test_memories_keep_words_time_and_key(tmp_path: Path) -> None:
    """Both shapes of `get_all`; the type where memud knows it; one user's export goes to whoever imports."""
    memory = _memory(1, metadata={"type": "preference"}, run_id="r", agent_id="a")
    for content in ({"results": [memory], "relations": []}, [memory]):
        (fact,) = _read(tmp_path / "m.json", content)
        assert isinstance(fact, Fact)
        assert fact.scope == {"agent_id": "a", "session_id": "r"}
        assert fact.statement == {
            "memory": "Grows 1 kinds of beans",
            "key": "mem0:id-1",
            "infer": False,
            "timestamp": 1_772_989_500,
            "memory_type": "preference",
        }


def test_users_of_one_export_are_kept_apart(tmp_path: Path) -> None:
    """Where several are named, nobody's memory goes to another."""
    found = _read(tmp_path / "m.json", [_memory(1), _memory(2, user_id="ann")])
    assert [one.scope.get("user_id") for one in found if isinstance(one, Fact)] == ["kai", "ann"]


def test_what_is_no_memory_is_told_by_line(tmp_path: Path) -> None:
    """A record without words or id costs itself alone."""
    found = _read(tmp_path / "m.json", [_memory(1), {"id": "x"}, _memory(3, id=None), _memory(4)])
    assert [type(one) for one in found] == [Fact, Fault, Fault, Fact]
    assert found[1].place.line == 10
