"""`forget`, before anything goes: all that would go is named."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from memud_client.testing import StubDaemon

from tests.answers import ITEM, TURN, Memud

TEA = {**ITEM, "id": "m-tea", "memory": "Likes tea", "pinned": False, "trust": "user"}
RENT = {**TEA, "id": "m-rent", "memory": "Pays rent on Fridays", "pinned": True}
CAT = {**TEA, "id": "m-cat", "memory": "Has a cat called Momo", "trust": "edited"}
FACTS = [TEA, RENT, CAT]
DOOMED: dict[str, Any] = {
    "item": TEA,
    "items": FACTS,
    "item_ids": [fact["id"] for fact in FACTS],
    "resource_ids": ["t-1", "t-2"],
    "dry_run": True,
}
ALL_OF_IT = [
    "fact  m-tea  Likes tea",
    "fact  m-rent  [pinned] Pays rent on Fridays",
    "fact  m-cat  [edited by hand] Has a cat called Momo",
    "turn  t-1  I prefer tea",
    "turn  t-2  I prefer tea",
    "facts: 3, turns: 2",
]


@pytest.fixture
def doomed(tmp_path: Path) -> Iterator[StubDaemon]:
    """A daemon where one fact takes two others along."""
    answers = {"forget": DOOMED, "resources.get": TURN}
    with StubDaemon(tmp_path / "doomed", answers) as stub:
        yield stub


def test_a_dry_run_names_every_fact_and_turn(memud: Memud, doomed: StubDaemon) -> None:
    """Nothing goes along unsaid; what a person pinned or corrected is marked."""
    code, out, _ = memud("forget", "m-tea", "--dry-run", "--socket", str(doomed.path))
    assert code == 0
    assert [line.strip() for line in out.splitlines()[1:]] == ALL_OF_IT


def test_a_refusal_names_every_fact_and_turn(memud: Memud, doomed: StubDaemon) -> None:
    """Without a terminal to ask on too, and nothing is purged."""
    code, _, err = memud("forget", "m-tea", "--socket", str(doomed.path))
    assert code == 64
    assert [line.strip() for line in err.splitlines()[1:7]] == ALL_OF_IT
    assert all(params["dry_run"] for method, params in doomed.calls if method == "forget")


class _Keyboard:
    """Standard input of a person who says no."""

    def isatty(self) -> bool:
        return True

    def readline(self, *_: object) -> str:
        return "n\n"


def test_the_question_says_how_much_goes(
    memud: Memud, doomed: StubDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The numbers, and how many of them a person took care of, stand in the very question."""
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdin", _Keyboard())
        code, _, err = memud("forget", "m-tea", "--socket", str(doomed.path))
    assert code == 1
    assert "(facts: 3, turns: 2; pinned or edited by hand: 2)?" in err
    assert "m-cat" in err


def test_a_daemon_of_before_still_names_ids(memud: Memud, tmp_path: Path) -> None:
    """One that sends no facts in full is understood: the ids are there, without words."""
    older = {name: value for name, value in DOOMED.items() if name != "items"}
    with StubDaemon(tmp_path / "x", {"forget": older, "resources.get": TURN}) as stub:
        out = memud("forget", "m-tea", "--dry-run", "--socket", str(stub.path))[1]
    assert "m-tea  Likes tea" in out
    assert "m-cat" in out
