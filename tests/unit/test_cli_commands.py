"""Each command against a stand-in daemon on a real socket: what is asked, what is shown, how it ends."""

import json
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import typer
from memud_client.testing import Connection, RefusedError, SocketServer, StubDaemon

from cli.app import COMMANDS
from cli.terminal import Terminal, command
from tests.answers import CAPTURED, LINES, SHOWN, SILENT, Memud

_NOT_BY_SOCKET = {
    "run",
    "watch",
    "import",
    "export",
    "doctor",
    "config",
    "eval",
    "bench",
    "openclaw",
    "install",
    "uninstall",
}


def test_every_command_is_covered_here_or_by_a_test_of_its_own() -> None:
    """A new command can't be added without a test."""
    assert {name for name, _ in COMMANDS} - _NOT_BY_SOCKET == set(LINES)


@pytest.mark.parametrize("name", LINES)
def test_a_command_shows_its_answer_to_a_person(name: str, memud: Memud) -> None:
    """The words are there, markup is not interpreted, and no escape sequence of a memory gets through."""
    arguments, expected = LINES[name]
    code, out, _ = memud(name, *arguments)
    assert code == 0
    assert expected in out
    assert "\x1b[31m" not in out


@pytest.mark.parametrize("name", LINES)
def test_a_command_answers_a_program_in_json(name: str, memud: Memud) -> None:
    """Standard output is one JSON value and nothing else."""
    code, out, err = memud(name, *LINES[name][0], "--json")
    assert code == 0
    assert json.loads(out)
    assert err == ""


@pytest.mark.parametrize("name", LINES)
def test_a_command_serves_the_user_and_socket_that_are_named(
    name: str, memud: Memud, daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--user and --socket reach the daemon, and win over the environment."""
    monkeypatch.setenv("MEMUD_SOCKET", "/nowhere")
    code, _, _ = memud(name, *LINES[name][0], "--user", "ann", "--socket", str(daemon.path))
    assert code == 0
    asked = [params.get("user_id") for method, params in daemon.calls if method != "health"]
    assert set(asked) <= {"ann"}


@pytest.mark.parametrize("name", LINES)
def test_without_a_daemon_a_command_ends_with_69_and_says_how_to_start_it(name: str, memud: Memud) -> None:
    """A script can tell an absent daemon from a refusal."""
    code, out, err = memud(name, *LINES[name][0], "--socket", "/nowhere/s")
    assert (code, out) == (69, "")
    assert "memud run" in err


@pytest.mark.parametrize(
    ("arguments", "method", "params"),
    [
        (
            [
                *[
                    "send",
                    "hi",
                    "--session",
                    "s1",
                    "--sender",
                    "Ann",
                    "--key",
                    "k",
                    "--at",
                    "100",
                    "--tz",
                    "Asia/Shanghai",
                    "--public",
                ]
            ],
            "capture",
            {
                "session_id": "s1",
                "events": [
                    {
                        "role": "user",
                        "content": "hi",
                        "key": "k",
                        "sender": "Ann",
                        "timestamp": 100,
                        "tz": "Asia/Shanghai",
                        "private": False,
                    }
                ],
            },
        ),
        (
            ["recall", "q", "--threshold", "0", "--group", "--as-of", "5"],
            "recall",
            {"query": "q", "threshold": 0.0, "private": False, "as_of": 5},
        ),
        (["search", "q", "--all"], "search", {"query": "q", "include_superseded": True}),
        (
            ["add", "x", "--verbatim", "--type", "decision"],
            "add",
            {"memory": "x", "infer": False, "memory_type": "decision"},
        ),
        (["list", "--limit", "2", "--pinned"], "list", {"limit": 2, "pinned": True}),
        (["update", "m-1", "--half-life", "0"], "update", {"id": "m-1", "half_life_days": None}),
        (["update", "m-1", "--public"], "update", {"id": "m-1", "private": False}),
        (["pin", "m-1", "--off"], "pin", {"id": "m-1", "pinned": False}),
        (["get", "t-1"], "resources.get", {"id": "t-1"}),
        (["proactive", "list", "--state", "open"], "proactive.list", {"state": "open"}),
        (["proactive", "next", "--limit", "1"], "proactive.next", {"limit": 1}),
        (["proactive", "next", "p-1"], "proactive.next", {"ids": ["p-1"]}),
        (["proactive", "used", "p-1"], "proactive.resolve", {"id": "p-1", "outcome": "used"}),
        (["proactive", "stats", "--days", "7", "--as-of", "5"], "proactive.stats", {"days": 7, "as_of": 5}),
        (
            ["proactive", "snoozed", "p-1", "--until", "900"],
            "proactive.resolve",
            {"id": "p-1", "outcome": "snoozed", "until": 900},
        ),
        (["queue", "retry", "--state", "dead"], "queue.retry", {"state": "dead"}),
        (["queue", "drop", "q-1", "--yes"], "queue.drop", {"id": "q-1"}),
        (["notes", "forget", "/w/MEMORY.md"], "notes.forget", {"path": "/w/MEMORY.md"}),
        (["job", "run", "monitor"], "job.run", {"name": "monitor"}),
        (["job", "run", "cleanup", "--dry-run"], "job.run", {"name": "cleanup", "dry_run": True}),
        (["job", "run", "cleanup", "-y", "--as-of", "7"], "job.run", {"name": "cleanup", "as_of": 7}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_was_typed_is_what_is_asked(
    arguments: list[str], method: str, params: dict[str, Any], memud: Memud, daemon: StubDaemon
) -> None:
    """Every option reaches its parameter, and what was not given is not sent."""
    code, _, err = memud(*arguments)
    assert (code, err) == (
        0,
        "" if method != "recall" else "Could not help: the index, which is being loaded\n",
    )
    assert daemon.calls[-1][0] == method
    asked = dict(daemon.calls[-1][1])
    assert asked == params


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["recall"],
        ["recall", "q", "--limit", "0"],
        ["recall", "q", "--as-of", "someday"],
        ["update", "m-1"],
        ["proactive", "used"],
        ["proactive", "list", "--days", "7"],
        ["proactive", "stats", "--plot", "scores.pdf"],
        ["proactive", "snoozed", "p-1"],
        ["queue", "drop"],
        ["job", "run"],
        ["job", "run", "cleanings"],
        ["send", ""],
        ["send", "   "],
        ["add", ""],
        ["add", "  "],
        ["update", "m-1", "--memory", ""],
        ["send", "hi", "--tz", "Nowhere/Land"],
        ["import", "/nowhere.jsonl"],
        ["forget", "m-1"],
        ["queue", "drop", "q-1"],
        ["job", "run", "cleanup"],
    ],
    ids=" ".join,
)
def test_wrong_usage_ends_with_64_and_changes_nothing(
    arguments: list[str], memud: Memud, daemon: StubDaemon
) -> None:
    """Also what needs a yes and has no terminal to ask on."""
    code, out, err = memud(*arguments)
    assert (code, out) == (64, "")
    assert err
    asked = {method for method, params in daemon.calls if not params.get("dry_run")}
    assert asked <= {"health", "resources.get"}  # reading only


def test_a_dry_run_of_forget_only_shows(memud: Memud, daemon: StubDaemon) -> None:
    """What would go is shown, nothing is purged."""
    code, out, _ = memud("forget", "m-1", "--dry-run")
    assert code == 0
    assert SHOWN in out
    asked = [(method, params.get("dry_run")) for method, params in daemon.calls]
    assert asked == [("forget", True), ("resources.get", None)]


def test_a_dry_run_of_queue_drop_only_shows(memud: Memud, daemon: StubDaemon) -> None:
    """Only the entries of that id are shown, nothing is dropped."""
    assert "turns: 0" in memud("queue", "drop", "q-2", "--dry-run")[1]
    assert "turns: 1" in memud("queue", "drop", "q-1", "--dry-run")[1]
    assert {method for method, _ in daemon.calls} == {"queue.list"}


def test_silence_is_said_with_what_came_close(memud: Memud, daemon: StubDaemon, tmp_path: Path) -> None:
    """Nothing passing is an answer, not an error."""
    with StubDaemon(tmp_path / "silent", {"recall": SILENT}) as silent:
        code, out, _ = memud("recall", "weather?", "--socket", str(silent.path))
    assert code == 0
    assert "Nothing passes the threshold (0.75)" in out
    assert "Likes jazz" in out


def test_recall_prints_the_block_a_model_would_get(memud: Memud) -> None:
    """The block stands first, as it is, then the results, then what is prepared."""
    out = memud("recall", "tea?")[1]
    assert out.startswith("<memories>\n1. tea\n</memories>\n")
    assert out.index("0.91") < out.index("Call the dentist")


def test_words_come_from_standard_input(
    memud: Memud, daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe can send long text."""
    with monkeypatch.context() as patch:
        patch.setitem(sys.__dict__, "stdin", StringIO("一行\n两行\n"))
        assert memud("send", "-")[0] == 0
    assert daemon.calls[-1][1]["events"][0]["content"] == "一行\n两行"


@pytest.mark.parametrize(
    "arguments", [["send", "-"], ["import", "-"], ["forget", "m-1"], ["queue", "drop", "q-1"]], ids=" ".join
)
def test_a_closed_standard_input_is_an_error_in_words(
    arguments: list[str], memud: Memud, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python has no standard input then; a script gets 64 and a sentence, no traceback."""
    with monkeypatch.context() as patch:
        patch.setitem(sys.__dict__, "stdin", None)
        code, out, err = memud(*arguments)
    assert (code, out) == (64, "")
    assert "Error:" in err


def test_a_turn_may_be_dated_by_how_long_ago_it_was(memud: Memud, daemon: StubDaemon) -> None:
    """As every past moment: the hint that names 3d, 12h and 30m is true."""
    code, out, err = memud("send", "hi", "--at", "3d")
    assert (code, err) == (0, "")
    assert "Accepted" in out


def test_a_turn_of_the_future_is_accepted_with_a_note(memud: Memud, daemon: StubDaemon) -> None:
    """The daemon takes it; a person who mistyped the year sees it."""
    code, out, err = memud("send", "hi", "--at", "2999-01-01")
    assert code == 0
    assert "Accepted" in out
    assert "2999-01-01 00:00 lies in the future" in err
    assert memud("send", "hi", "--at", "2020-01-01")[2] == ""


def test_a_daemon_that_does_not_answer_is_told_in_a_persons_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The parameter of the client library is no option of a command line."""

    def stay_silent(connection: Connection) -> None:
        while connection.read() is not None:
            continue

    @command
    def ask(terminal: Terminal) -> None:
        with terminal.client(timeout_s=0.05) as client:
            client.health()

    with SocketServer(tmp_path / "x", stay_silent) as server, pytest.raises(typer.Exit) as end:
        ask(socket=server.path)
    assert end.value.exit_code == 69
    err = capsys.readouterr().err
    assert "does not answer" in err
    assert "timeout_s" not in err


def test_a_skipped_event_says_why(memud: Memud, tmp_path: Path) -> None:
    """What was not kept is not shown as kept."""
    skipped = [{"key": "k", "reason": "heartbeat", "index": 0, "detail": "no human made it"}]
    reply = {**CAPTURED, "accepted": 0, "ids": [], "skipped": skipped}
    with StubDaemon(tmp_path / "x", {"capture": reply}) as stub:
        _, out, _ = memud("send", "ping", "--socket", str(stub.path))
    assert out == "Skipped: no human made it\n"


def test_a_skipped_event_without_detail_is_told_in_words(memud: Memud, tmp_path: Path) -> None:
    """The daemon's word is code; a person reads a sentence."""
    reply = {**CAPTURED, "accepted": 0, "ids": [], "skipped": [{"key": "k", "reason": "cron", "index": 0}]}
    with StubDaemon(tmp_path / "x", {"capture": reply}) as stub:
        _, out, _ = memud("send", "ping", "--socket", str(stub.path))
    assert out == "Skipped: a timer's turn: no human said it\n"


def test_what_could_not_be_kept_is_a_failure(memud: Memud, tmp_path: Path) -> None:
    """A script does not take a turn that is too large for one that is stored."""
    skipped = [
        {"key": "k", "reason": "too_large", "index": 0, "detail": "an event of 9 bytes; 8 are allowed"}
    ]
    reply = {**CAPTURED, "accepted": 0, "ids": [], "skipped": skipped}
    with StubDaemon(tmp_path / "x", {"capture": reply}) as stub:
        code, out, _ = memud("send", "ping", "--socket", str(stub.path))
    assert (code, out) == (1, "Skipped: an event of 9 bytes; 8 are allowed\n")


def test_status_in_chinese(memud: Memud, monkeypatch: pytest.MonkeyPatch) -> None:
    """A Chinese locale gives Chinese sentences."""
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    _, out, _ = memud("status")
    assert "可用但受限，已运行 2 小时" in out
    assert "事实 12 条" in out


@pytest.mark.parametrize(
    ("reason", "code"),
    [("not_found", 1), ("invalid", 64), ("busy", 1), ("storage_full", 1), ("forbidden", 1)],
)
def test_a_refusal_has_an_exit_code_and_its_hint(
    reason: str, code: int, memud: Memud, tmp_path: Path
) -> None:
    """The daemon's reason is told on standard error, as JSON for a program."""

    def refuse(params: object) -> None:
        raise RefusedError("no such memory", -32000, reason=reason, hint="look with list")

    with StubDaemon(tmp_path / "x", {"pin": refuse}) as stub:
        plain = memud("pin", "m-9", "--socket", str(stub.path))
        as_json = memud("pin", "m-9", "--json", "--socket", str(stub.path))
    assert plain == (code, "", "Error: no such memory\n  look with list\n")
    assert as_json[:2] == (code, "")
    assert json.loads(as_json[2])["error"]["reason"] == reason
