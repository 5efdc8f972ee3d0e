"""What a person reads: words instead of code, one number once, and Chinese where the locale is Chinese."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from memud_client.testing import RefusedError, StubDaemon

from cli import moments
from tests.answers import ITEM, LINES, NEAR_MISS, PREDICTION, RECALLED, RESULT, SILENT, SOURCE, TURN, Memud


@pytest.mark.parametrize(
    ("arguments", "english", "chinese"),
    [
        (
            ["send", "hi", "--role", "bot"],
            "Invalid value for '--role': bot is not one of user, assistant, tool, system",
            "--role 的值无效：bot 不在 user, assistant, tool, system 之中",
        ),
        (
            ["list", "--type", "preferenc"],
            (
                "Invalid value for '--type': preferenc is not one of correction, preference, decision, "
                "observation, general; the nearest is preference"
            ),
            (
                "--type 的值无效：preferenc 不在 correction, preference, decision, observation, general "
                "之中；最接近的是 preference"
            ),
        ),
        (["send"], "Missing argument 'TEXT'.", "缺少参数 TEXT。"),
        (["pin", "x", "--zzz"], "No such option: --zzz", "没有选项 --zzz"),
        (
            ["watc"],
            "No such command 'watc'. Did you mean 'watch'?",
            "没有命令 watc。你是不是想用 'watch'？",
        ),
        (["status", "x"], "Got unexpected extra argument(s) (x)", "多出的参数：x"),
        (["pin", "x", "--user"], "Option '--user' requires an argument.", "选项 --user 需要一个值。"),
        (["pin", "x", "--off=1"], "Option '--off' does not take a value.", "选项 --off 不带值。"),
        (
            ["list", "--limit", "0"],
            "Invalid value for '--limit': Input should be greater than or equal to 1",
            "--limit 的值无效：应不小于 1",
        ),
        (
            ["list", "--limit", "many"],
            (
                "Invalid value for '--limit': Input should be a valid integer, unable to parse string as an "
                "integer"
            ),
            "--limit 的值无效：应为整数",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_command_line_is_told_in_one_sentence(
    arguments: list[str], english: str, chinese: str, memud: Memud, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the reader's language, with the values that are right, and where to look."""
    code, out, err = memud(*arguments)
    assert (code, out, err.splitlines()[0]) == (64, "", f"Error: {english}")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert memud(*arguments)[2].splitlines()[0] == f"错误：{chinese}"
    first, *rest = arguments
    assert json.loads(memud(first, "--json", *rest)[2])["error"]["message"] == chinese


def test_a_turn_carries_the_zone_of_the_person(daemon: StubDaemon) -> None:
    """What TZ says is sent, so that "tomorrow at nine" is nine o'clock there."""
    code = "import sys; from cli.app import main; sys.exit(main(['send', 'hi', '--socket', sys.argv[1]]))"
    for zone in ("Asia/Shanghai", "Europe/Berlin"):
        env = {**os.environ, "TZ": zone}
        subprocess.run(
            [sys.executable, "-c", code, str(daemon.path)], env=env, check=True, capture_output=True
        )
        assert daemon.calls[-1][1]["events"][0]["tz"] == zone


def test_one_column_where_age_made_no_difference(memud: Memud, tmp_path: Path) -> None:
    """Score and relevance stand side by side only where they differ."""
    same = {"recall": {**RECALLED, "results": [{**RESULT, "relevance": 0.91}]}}
    with StubDaemon(tmp_path / "x", same) as stub:
        assert "relevance" not in memud("recall", "tea", "--socket", str(stub.path))[1]
    assert "relevance" in memud("recall", "tea")[1]


def test_a_search_shows_no_score_as_its_order_is_another(memud: Memud) -> None:
    """A column that falls and rises again would look like a fault; a program still gets it."""
    out = memud("search", "tea")[1]
    assert "score" not in out
    assert "0.91" not in out
    assert json.loads(memud("search", "tea", "--json")[1])["results"][0]["score"] == 0.91


def test_facts_are_listed_by_the_date_that_is_shown(memud: Memud, tmp_path: Path) -> None:
    """The latest stated is first, in whatever order they arrived."""
    days = {"m-old": 1_700_000_000, "m-new": 1_780_000_000, "m-mid": 1_750_000_000}
    page = {"results": [{**ITEM, "id": name, "stated_at": at} for name, at in days.items()], "cursor": None}
    with StubDaemon(tmp_path / "x", {"list": page}) as stub:
        out = memud("list", "--socket", str(stub.path))[1]
    assert re.findall("m-...", out) == ["m-new", "m-mid", "m-old"]


@pytest.mark.parametrize(
    ("locale", "ago"),
    [
        ("en_GB.UTF-8", "days ago|weeks ago|months ago|years ago|today"),
        ("zh_CN.UTF-8", "天前|周前|个月前|年前|今天"),
    ],
)
def test_a_listed_fact_shows_the_writer_s_day_and_its_age(
    locale: str, ago: str, memud: Memud, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An evening in UTC was the next day in Shanghai, where it was said; the age is in words."""
    monkeypatch.setenv("LC_ALL", locale)
    assert re.search(rf"2026-05-29 · (\d+ ?)?({ago})", memud("list")[1])


@pytest.mark.parametrize("name", ["recall", "search"])
def test_a_result_shows_its_day_and_age(name: str, memud: Memud) -> None:
    """As the daemon has them, in the language of the question."""
    assert "2026-05-29 · 6 days ago" in memud(name, "tea")[1]


def test_what_no_longer_holds_is_marked_among_results(memud: Memud, tmp_path: Path) -> None:
    """A superseded fact is never taken for what holds now, in `recall` and in `search`."""
    results = [RESULT, {**RESULT, "id": "m-0", "superseded_by": "m-1"}]
    answers = {"recall": {**RECALLED, "results": results}, "search": {"results": results, "degraded": []}}
    with StubDaemon(tmp_path / "x", answers) as stub:
        for name in answers:
            rows = memud(name, "tea", "--socket", str(stub.path))[1].splitlines()
            assert [("superseded" in row) for row in rows if row.startswith("m-")] == [False, True]


def test_the_history_of_a_superseded_fact_says_what_replaced_it(memud: Memud, tmp_path: Path) -> None:
    """The id and the words of the fact that took its place."""
    answers = {
        "history": {"versions": [{**ITEM, "id": "m-0", "superseded_by": "m-9"}], "sources": []},
        "get": {"item": {**ITEM, "id": "m-9", "memory": "Prefers coffee now"}},
    }
    with StubDaemon(tmp_path / "x", answers) as stub:
        out = memud("history", "m-0", "--socket", str(stub.path))[1]
    assert "Replaced by m-9: Prefers coffee now" in out


def test_predictions_are_listed_by_due_date(memud: Memud, tmp_path: Path) -> None:
    """What is due first stands first, what has no date last."""
    due = {"p-none": None, "p-late": 1_790_000_000, "p-soon": 1_780_000_000}
    ledger = {"results": [{**PREDICTION, "id": name, "due_at": at} for name, at in due.items()]}
    with StubDaemon(tmp_path / "x", {"proactive.list": ledger}) as stub:
        out = memud("proactive", "--socket", str(stub.path))[1]
    assert re.findall("p-....", out) == ["p-soon", "p-late", "p-none"]


def test_a_near_miss_tells_its_number_once(memud: Memud, tmp_path: Path) -> None:
    """The reason names the score; a column beside it would say the same."""
    miss = {**NEAR_MISS, "reason": "score 0.60 < threshold 0.75"}
    with StubDaemon(tmp_path / "x", {"recall": {**SILENT, "near_misses": [miss]}}) as stub:
        out = memud("recall", "x", "--socket", str(stub.path))[1]
    assert out.count("0.60") == 1


def test_a_memory_is_shown_in_words(memud: Memud) -> None:
    """Yes and no, dates, and names of fields that a person reads."""
    out = memud("get", "m-1")[1]
    assert "  pinned: yes\n" in out
    assert "  half-life: 180 days\n" in out
    assert f"  last stated: {moments.show(1_780_000_000)}\n" in out
    assert not re.search(r"True|False|_", out)


def test_a_history_marks_what_holds_and_shows_the_words_it_came_from(memud: Memud, tmp_path: Path) -> None:
    """The newest version holds, an older one does not; a turn that was forgotten is said to be."""
    older = {**ITEM, "memory": "Prefers coffee", "superseded_by": "m-1"}
    gone = {**SOURCE, "resource_id": "t-gone"}

    def turn(params: Any) -> Any:
        if params["id"] == "t-gone":
            raise RefusedError("no such turn", reason="not_found")
        return TURN

    answers = {"history": {"versions": [ITEM, older], "sources": [SOURCE, gone]}, "resources.get": turn}
    with StubDaemon(tmp_path / "x", answers) as stub:
        out = memud("history", "m-1", "--socket", str(stub.path))[1]
    now, before = (
        next(line for line in out.splitlines() if words in line) for words in ("tea over", "coffee")
    )
    assert "holds now" in now
    assert "before" not in now or "before" in before
    assert "holds now" not in out.split("Prefers coffee")[0].splitlines()[-1]
    assert "I prefer tea" in out
    assert "(forgotten since)" in out


def test_an_explanation_has_one_place_and_only_factors_that_say_something(
    memud: Memud, tmp_path: Path
) -> None:
    """The place is said in the sentence; what is empty is left out, the rest is named in words."""
    factors = {"cosine": 0.87, "deviation": None, "bm25": 0.0, "relevance": 0.9, "score": 0.9, "place": 2}
    reply = {
        "id": "m-1",
        "recalled": True,
        "reason": "recalled: score 0.90, relevance 0.90, place 2",
        "score": 0.9,
        "threshold": 0.75,
        "factors": factors,
    }
    answers = {"explain": reply, "get": {"item": {**ITEM, "sources": []}}}
    with StubDaemon(tmp_path / "x", answers) as stub:
        out = memud("explain", "q", "m-1", "--socket", str(stub.path))[1]
    assert out.splitlines() == [
        "Prefers tea over coffee [bold]喝茶[/bold]",
        "Recalled, at place 2 of the answer.",
        "score 0.90, threshold 0.75",
        "  closeness in meaning (cosine): 0.87",
        "  relevance, before age (0 to 1): 0.90",
    ]


@pytest.mark.parametrize(
    ("said", "fact", "shown"),
    [
        (
            "Argh, the bus!\nI live in Ghent. What now?",
            "I live in Ghent",
            "Argh, the bus! «I live in Ghent». What now?",
        ),
        ("烦死了。我住在根特。", "我住在根特", "烦死了。«我住在根特»。"),
        ("I live in Ghent", "I live in Ghent", "I live in Ghent"),
    ],
)
@pytest.mark.parametrize("verb", ["history", "explain"])
def test_a_fact_leads_to_its_words_in_the_turn(
    memud: Memud, tmp_path: Path, verb: str, said: str, fact: str, shown: str
) -> None:
    """Those of the fact are marked where the turn says more, by `history` and by `explain`."""
    start = said.index(fact)
    item = {**ITEM, "memory": fact, "sources": [{**SOURCE, "span": [start, start + len(fact)]}]}
    answers = {
        "history": {"versions": [item], "sources": item["sources"]},
        "explain": {
            "id": "m-1",
            "recalled": False,
            "reason": "x",
            "score": 0.1,
            "threshold": 0.75,
            "factors": {},
        },
        "get": {"item": item},
        "resources.get": {**TURN, "text": said},
    }
    with StubDaemon(tmp_path / "x", answers) as stub:
        given = ("m-1",) if verb == "history" else ("q", "m-1")
        out = memud(verb, *given, "--socket", str(stub.path))[1]
    assert f"    {shown}" in out.splitlines()


LATER = {**PREDICTION, "id": "p-2", "due_at": 4_000_000_000}


@pytest.mark.parametrize(
    ("waiting", "said"),
    [
        ([LATER, {**LATER, "id": "p-3", "due_at": 4_100_000_000}], "Waiting: 2, the next one due 2096-10-02"),
        ([{**LATER, "due_at": None}], "Waiting: 1, held back"),
        ([LATER, {**LATER, "due_at": None}], "Waiting: 1, held back"),
        ([LATER, {**LATER, "due_at": None}], "Waiting: 1, the next one due 2096-10-02"),
        ([], "No predictions."),
    ],
)
def test_nothing_due_is_not_nothing(
    waiting: list[dict[str, Any]], said: str, memud: Memud, tmp_path: Path
) -> None:
    """`proactive next` says how many wait, when the next is due, and how many are held back."""
    listed: dict[str, Any] = {
        "proactive.next": {"results": []},
        "proactive.list": lambda params: {"results": waiting if params["state"] == "open" else []},
    }
    with StubDaemon(tmp_path / "x", listed) as stub:
        assert said in memud("proactive", "next", "--socket", str(stub.path))[1]


def test_open_predictions_come_first_and_closed_ones_on_request(memud: Memud, tmp_path: Path) -> None:
    """What is over does not hide what is still to come; how often it is looked is said."""
    over = {**PREDICTION, "id": "p-0", "state": "expired"}
    with StubDaemon(tmp_path / "x", {"proactive.list": {"results": [over, PREDICTION]}}) as stub:
        shown = memud("proactive", "--socket", str(stub.path))[1]
        everything = memud("proactive", "--all", "--socket", str(stub.path))[1]
    assert "p-0" not in shown
    assert "Closed ones not shown: 1" in shown
    assert "memud job run monitor" in shown
    assert everything.index("p-1") < everything.index("p-0")


ENGLISH_WORDS = re.compile(
    r"\b(preference|open|commitment|dead|user|pinned|score|reason|due|queue|ok|off|monitor|cleanup|faded"
    r"|too old|because|expired|rules|None|True|False)\b"
)


@pytest.mark.parametrize("name", ["status", "stats", "list", "get", "history", "proactive", "queue", "job"])
def test_a_chinese_screen_names_everything_in_chinese(
    name: str, memud: Memud, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Types, states, detectors, jobs and fields: none shines through in English."""
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert ENGLISH_WORDS.findall(memud(name, *LINES[name][0])[1].replace("memud job run monitor", "")) == []
