"""Every command of the first issue against a live daemon in a process of its own."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from memud_client import Client

from cli.app import COMMANDS, main

pytestmark = pytest.mark.slow

START_S = 30
COMMANDS_OF_THE_FIRST_ISSUE = {
    "run",
    "status",
    "send",
    "recall",
    "search",
    "add",
    "get",
    "list",
    "update",
    "forget",
    "restore",
    "pin",
    "history",
    "explain",
    "proactive",
    "watch",
    "queue",
    "job",
    "import",
    "export",
    "doctor",
    "config",
    "install",
}

Memud = Callable[..., Any]


class Live:
    """A daemon that was started by `memud run`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "s"
        self.command = [sys.executable, "-m", "cli", "run", "--state-dir", str(folder / "state")]
        self.process: subprocess.Popen[bytes]

    def start(self) -> None:
        """Returns when it says READY=1, as systemd would wait."""
        path, log_path = self.folder / "notify", self.folder / "log"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify, log_path.open("ab") as log:
            notify.bind(str(path))
            notify.settimeout(START_S)
            command = [*self.command, "--socket", str(self.socket)]
            env = {**os.environ, "NOTIFY_SOCKET": str(path)}
            self.process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
            while b"READY=1" not in notify.recv(4096):
                continue

    def stop(self) -> int:
        """The exit code after SIGTERM."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(START_S)


@pytest.fixture(scope="module")
def live() -> Iterator[Live]:
    # A socket's path must be short, and pytest's folders are long.
    with tempfile.TemporaryDirectory() as folder:
        daemon = Live(Path(folder))
        daemon.start()
        yield daemon
        assert daemon.stop() == 0


@pytest.fixture
def memud(
    live: Live,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Memud:
    """Runs a command line for a user of this test alone; its JSON answer, after checking the exit code."""
    user = request.node.name[:60]
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def run(*arguments: str, code: int = 0) -> Any:
        ended = main([*arguments, "--json", "--user", user, "--socket", str(live.socket)])
        shown = capsys.readouterr()
        assert ended == code, shown.err
        return json.loads(shown.out or shown.err)

    return run


def test_the_commands_of_the_first_issue_are_there() -> None:
    """None of the contract's commands is missing."""
    assert {name for name, _ in COMMANDS} >= COMMANDS_OF_THE_FIRST_ISSUE


def test_what_is_sent_is_found_at_once_and_kept_once(memud: Memud) -> None:
    """`send`, `search`, `get`: a turn is found as soon as it is accepted; its key counts once."""
    sent = memud("send", "我对花生过敏，别给我推荐含花生的零食", "--session", "s1", "--key", "k1")
    again = memud("send", "other words", "--session", "s1", "--key", "k1")
    assert (sent["accepted"], again["accepted"], again["duplicates"]) == (1, 0, 1)
    (turn_id,) = sent["ids"]
    assert turn_id in {
        source["resource_id"] for hit in memud("search", "花生")["results"] for source in hit["sources"]
    }
    assert memud("get", turn_id)["text"].startswith("我对花生过敏")


def test_a_fact_is_added_seen_corrected_and_explained(memud: Memud) -> None:
    """`add`, `list`, `get`, `update`, `pin`, `history`, `recall`, `explain`: the life of a fact."""
    added = memud("add", "The user's favourite tea is Gyokuro from Uji", "--verbatim")
    item_id = added["item"]["id"]
    assert added["action"] == "added"
    assert [item["id"] for item in memud("list")["results"]] == [item_id]
    assert (
        memud("update", item_id, "--memory", "The user's favourite tea is Sencha from Uji")["item"]["id"]
        == item_id
    )
    assert memud("pin", item_id)["item"]["pinned"] is True
    assert memud("get", item_id)["memory"] == "The user's favourite tea is Sencha from Uji"
    versions = memud("history", item_id)["versions"]
    assert any("Gyokuro" in version["memory"] for version in versions)
    recalled = memud("recall", "Which favourite tea from Uji does the user like?")
    assert item_id in {result["id"] for result in recalled["results"]}
    assert "Sencha" in recalled["context"]
    explained = memud("explain", "Which favourite tea from Uji does the user like?", item_id)
    assert explained["id"] == item_id
    assert explained["factors"]["place"] == 1
    assert explained["reason"].endswith("place 1")


def test_a_fact_is_forgotten_for_good(memud: Memud) -> None:
    """`forget`: the dry run changes nothing; afterwards neither list nor search nor get has it."""
    item_id = memud("add", "The user's locker has number 4711", "--verbatim")["item"]["id"]
    assert memud("forget", item_id, "--dry-run")["dry_run"] is True
    assert memud("get", item_id)["id"] == item_id
    assert item_id in memud("forget", item_id, "--yes")["item_ids"]
    assert memud("get", item_id, code=1)["error"]["reason"] == "not_found"
    assert memud("list")["results"] == []
    assert memud("search", "locker number 4711")["results"] == []


def test_a_dry_run_of_forget_gives_all_facts_in_full(memud: Memud) -> None:
    """`forget --dry-run`: what `forget` then purges is exactly what was named, with its words."""
    item_id = memud("add", "The user's bicycle is a red Peugeot", "--verbatim")["item"]["id"]
    memud("pin", item_id)
    preview = memud("forget", item_id, "--dry-run")
    assert [(item["memory"], item["pinned"]) for item in preview["items"]] == [
        ("The user's bicycle is a red Peugeot", True)
    ]
    assert memud("forget", item_id, "--yes")["item_ids"] == [item["id"] for item in preview["items"]]


def test_what_the_cleanup_took_comes_back(memud: Memud) -> None:
    """`job`, `restore`: an expired fact is archived by the cleanup and restored on request."""
    item_id = memud("add", "The visitor badge is green", "--verbatim", "--valid-until", "2026-01-01")["item"][
        "id"
    ]
    assert memud("job", "run", "cleanup", "--dry-run")["dry_run"] is True
    memud("job", "run", "cleanup", "--yes")
    assert memud("get", item_id, code=1)["error"]["reason"] == "not_found"
    assert memud("restore", item_id)["item"]["id"] == item_id
    assert "monitor" in memud("job")


def test_predictions_are_listed_taken_and_resolved(memud: Memud) -> None:
    """`proactive`: a reminder becomes a prediction with its evidence, which can be dismissed."""
    turn_id = memud("send", "Remind me tomorrow at 9 am to call the dentist", "--session", "s1")["ids"][0]
    # A turn that still waits for its vector is looked at by the next tick.
    ticks = (memud("job", "run", "monitor") and memud("proactive")["results"] for _ in range(200))
    (item,) = next(filter(None, ticks), [])
    assert turn_id in {part["resource_id"] for part in item["evidence"]}
    assert memud("proactive", "dismissed", item["id"])["item"]["state"] == "dismissed"
    assert memud("proactive", "next")["results"] == []
    unknown = memud("proactive", "used", "p-none", code=1)["error"]
    assert (unknown["reason"], unknown["hint"]) == ("not_found", "`memud proactive` shows ids")


def test_the_queue_is_shown_and_refuses_what_is_not_there(memud: Memud) -> None:
    """`queue`: listing is empty or full of entries, an unknown id is refused."""
    memud("send", "I work from home on Fridays", "--session", "s1")
    assert all(entry["session_id"] == "s1" for entry in memud("queue")["results"])
    unknown = memud("queue", "drop", "q-none", "--yes", code=1)["error"]
    assert (unknown["reason"], unknown["hint"]) == ("not_found", "`memud queue list` shows ids")


def test_status_tells_health_and_counts(memud: Memud) -> None:
    """`status`: integers for a program, ok on a good machine."""
    memud("send", "hello there, how are you", "--session", "s1")
    status = memud("status")
    assert status["health"]["status"] == "ok"
    assert status["stats"]["resources"] == 1


def test_a_file_is_imported_once_and_exported(memud: Memud, tmp_path: Path) -> None:
    """`import`, `export`: a second import finds everything known; the bad line is told by its number."""
    file, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    events = [
        {"role": "user", "content": f"Project {name} starts in May", "session_id": "s"} for name in "αβγ"
    ]
    file.write_text("\n".join([*map(json.dumps, events), "{broken"]))
    first, second = memud("import", str(file), code=1), memud("import", str(file), code=1)
    assert (first["accepted"], second["accepted"], second["duplicates"]) == (3, 0, 3)
    assert [fault["line"] for fault in first["bad"]] == [4]
    assert first["lines"] == 4
    memud("add", "The team meets on Mondays", "--verbatim")
    assert memud("export", str(out))["items"] >= 1
    assert "The team meets on Mondays" in out.read_text(encoding="utf-8")
    assert memud("import", str(out))["bad"] == []


def test_an_import_does_not_bring_back_what_was_forgotten(memud: Memud, tmp_path: Path) -> None:
    """`forget`, then `import` of an old file without keys: the turn is left out and the reason told."""
    file = tmp_path / "old.jsonl"
    file.write_text(json.dumps({"role": "user", "content": "My locker is number 4711", "session_id": "s"}))
    said = memud("send", "My locker is number 4711", "--session", "s")["ids"][0]
    memud("forget", said, "--yes")
    report = memud("import", str(file), code=1)
    assert report["accepted"] == 0
    assert [skipped["reason"] for skipped in report["skipped"]] == ["forgotten"]


def test_config_and_doctor_answer(memud: Memud, live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """`config`, `doctor`: every setting has an origin; every check of a good machine is fine."""
    monkeypatch.setenv("MEMUD_STATE_DIR", str(live.folder / "state"))
    assert {row["from"] for row in memud("config")} == {"default"}
    assert [finding for finding in memud("doctor") if not finding["ok"]] == []


def test_watch_shows_what_happens(memud: Memud, live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    """`watch`: a compaction that becomes due is told to a program as one line of JSON."""
    with Client(live.socket, user_id="watched") as client:
        cursor = client.call("subscribe", topics=["compaction"])["cursor"]
        event = {"role": "user", "content": "long talk"}
        full = {"tokens_used": 90, "context_window": 100}
        assert client.call("capture", events=[event], session_id="s1", context=full)["compaction"]["due"]
    command = ["watch", "--topic", "compaction", "--cursor", str(cursor), "--user", "watched"]
    arguments = [sys.executable, "-m", "cli", *command, "--json", "--socket", str(live.socket)]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE) as watching:
        assert watching.stdout is not None
        notice = json.loads(watching.stdout.readline())
        watching.terminate()
    assert (notice["topic"], notice["user_id"]) == ("compaction", "watched")


def test_a_second_daemon_on_the_same_folder_ends_with_75(live: Live) -> None:
    """`run`: two daemons never share a database."""
    command = [*live.command, "--socket", str(live.folder / "other")]
    assert subprocess.run(command, capture_output=True, timeout=START_S).returncode == 75


def test_a_wrong_configuration_ends_run_with_78(live: Live, tmp_path: Path) -> None:
    """`run`: the daemon does not start on settings it can't read."""
    file = tmp_path / "memud.toml"
    file.write_text("[recall]\nlimit = 0\n")
    command = [*live.command, "--config", str(file), "--socket", str(live.folder / "other")]
    shown = subprocess.run(command, capture_output=True, timeout=START_S, text=True)
    assert shown.returncode == 78
    assert "recall.limit" in shown.stdout + shown.stderr


def test_long_text_comes_from_a_pipe(memud: Memud, monkeypatch: pytest.MonkeyPatch) -> None:
    """`send -`: what a program writes is sent as it is, in any language."""
    monkeypatch.setitem(sys.__dict__, "stdin", StringIO("第一行\n第二行\n"))
    (turn_id,) = memud("send", "-", "--session", "s1")["ids"]
    assert memud("get", turn_id)["text"] == "第一行\n第二行"
