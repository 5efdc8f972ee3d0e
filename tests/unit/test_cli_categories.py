"""The drill-down: from a category to its facts to the very words."""

import json
from pathlib import Path
from typing import Any

import pytest
from memud_client.testing import StubDaemon

from tests.answers import CATEGORY, ITEM, Memud

HOT = "drinks [b]hot[/b]"


def answers(*names: str, **more: Any) -> dict[str, Any]:
    """A daemon that has these categories."""
    return {
        "categories.list": {"results": [{**CATEGORY, "name": name} for name in names]},
        "list": {"results": [ITEM], "cursor": None},
        **more,
    }


def test_categories_are_listed_with_their_size_and_what_they_say(memud: Memud) -> None:
    """A line each; a name is shown as it is, and the way on is told."""
    code, out, _ = memud("categories")
    assert code == 0
    assert HOT in out
    assert "Prefers tea over coffee" in out
    assert "memud categories NAME" in out


def test_a_part_of_the_name_is_enough(memud: Memud, tmp_path: Path) -> None:
    """However it is written; the whole name wins over one that has it inside."""
    with StubDaemon(tmp_path / "c.sock", answers("food and drink", "food")) as stub:
        for typed, asked in (("DRINK", "food and drink"), ("Food", "food")):
            code, out, _ = memud("categories", typed, "--socket", str(stub.path))
            assert code == 0
            assert out.startswith(f"{asked}, facts: 1")
            assert stub.calls[-1] == ("list", {"categories": [asked]})


@pytest.mark.parametrize("typed", ["food", "Foods", "食物", "飲食", "饮食"])
def test_the_usual_names_lead_to_a_category_in_either_language(
    memud: Memud, tmp_path: Path, typed: str
) -> None:
    """What a person calls it need not be what the first fact made it."""
    with StubDaemon(tmp_path / "c.sock", answers("健康", "饮食")) as stub:
        code, out, _ = memud("categories", typed, "--socket", str(stub.path))
    assert code == 0
    assert out.startswith("饮食, facts: 1")


@pytest.mark.parametrize(
    ("typed", "code", "says"), [("o", 64, "food, work"), ("pets", 1, "no category pets"), (" ", 1, "no cat")]
)
def test_a_name_of_several_or_none_is_refused(
    memud: Memud, tmp_path: Path, typed: str, code: int, says: str
) -> None:
    """And what to do is said."""
    with StubDaemon(tmp_path / "c.sock", answers("food", "work")) as stub:
        ended, out, err = memud("categories", typed, "--socket", str(stub.path))
    assert (ended, out) == (code, "")
    assert says in err


def test_a_program_gets_the_category_and_its_facts(memud: Memud) -> None:
    """One JSON value."""
    answer = json.loads(memud("categories", "drinks", "--json")[1])
    assert answer["category"]["sentences"][0]["item_ids"] == ["m-1"]
    assert [fact["id"] for fact in answer["results"]] == ["m-1"]


def test_a_group_sees_what_is_public(memud: Memud, tmp_path: Path) -> None:
    """Both questions are asked as a group would ask them."""
    with StubDaemon(tmp_path / "c.sock", answers("food")) as stub:
        memud("categories", "food", "--group", "--socket", str(stub.path))
        assert all(params["private"] is False for _, params in stub.calls)


def test_a_person_files_a_fact_anew(memud: Memud, tmp_path: Path) -> None:
    """In several, or in none."""
    with StubDaemon(tmp_path / "c.sock", answers(update={"item": ITEM})) as stub:
        memud("update", "m-1", "--category", "tea", "--category", "茶", "--socket", str(stub.path))
        memud("update", "m-1", "--category", "", "--socket", str(stub.path))
        assert [params["categories"] for _, params in stub.calls] == [["tea", "茶"], []]
