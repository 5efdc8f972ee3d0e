"""`memud proactive stats`: how good the predictions were, in both languages, and as a picture."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from memud_client.testing import StubDaemon

from tests.answers import SCORES, SHOWN, Memud

UNJUDGED: Mapping[str, Any] = {
    "states": {"open": 0},
    "detectors": [],
    "days": [],
    "reliability": [],
    "brier": None,
    "topics": [],
}


@pytest.mark.parametrize(
    ("locale", "words"),
    [
        ("en_US.UTF-8", ["used: 3", "Brier score: 0.255", "Throttled: habit", "Dismissed (2 x)", "25%"]),
        ("zh_CN.UTF-8", ["已采用 3 条", "Brier 分数：0.255", "已限制：习惯", "已忽略 2 次", "25%"]),
    ],
)
def test_a_person_reads_what_was_right_and_what_is_throttled(
    locale: str, words: list[str], memud: Memud, daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """States, precision, reliability, and why something is quiet; other people's words stay harmless."""
    monkeypatch.setenv("LC_ALL", locale)
    code, out, err = memud("proactive", "stats")
    assert (code, err) == (0, "")
    assert [word for word in words if word not in out] == []
    assert SHOWN in out
    assert "2026-05-27" in out


def test_a_program_gets_what_the_daemon_says(memud: Memud, daemon: StubDaemon) -> None:
    """Nothing more, nothing less."""
    code, out, _ = memud("proactive", "stats", "--json")
    assert (code, json.loads(out)) == (0, SCORES)


def test_before_anything_is_judged_that_is_what_it_says(memud: Memud, tmp_path: Path) -> None:
    """No table of nothing."""
    with StubDaemon(tmp_path / "new", {"proactive.stats": UNJUDGED}) as new:
        code, out, _ = memud("proactive", "stats", "--socket", str(new.path))
    assert code == 0
    assert out.startswith("No predictions.\nNo guess is judged yet")


@pytest.mark.parametrize("scores", [SCORES, UNJUDGED], ids=["judged", "unjudged"])
def test_the_picture_shows_reliability_and_days(
    scores: Mapping[str, Any], memud: Memud, tmp_path: Path
) -> None:
    """As SVG, beside the answer; of nothing it is empty, and no error."""
    path = tmp_path / "scores.svg"
    with StubDaemon(tmp_path / "other", {"proactive.stats": scores}) as other:
        code, out, err = memud(
            "proactive", "stats", "--json", "--plot", str(path), "--socket", str(other.path)
        )
    assert (code, err, json.loads(out)) == (0, "", scores)
    drawn = path.read_text(encoding="utf-8")
    assert "Precision by day" in drawn
    assert ("2026-05-28" in drawn) is (scores is SCORES)
