"""`memud watch` beside a real daemon: shows what comes due, once, whoever else watches."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import StartDaemon
from tests.day import Day, start_day, unix

NOON = unix("2026-12-01 12:00")


@pytest.fixture
def day(start_daemon: StartDaemon, tmp_path: Path) -> Day:
    """Twelve o'clock."""
    return start_day(start_daemon, tmp_path, NOON)


@contextmanager
def watching(day: Day, *options: str) -> Iterator[Any]:
    """What a `memud watch` writes; it waits for predictions when this begins."""
    command = [sys.executable, "-u", "-m", "cli", "watch", "--topic", "proactive"]
    command += ["--socket", str(day.daemon.socket_path), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        yield process.stdout
        process.terminate()


def next_of(output: Any) -> tuple[int, str, str]:
    """Cursor, text and state of the next notice that is shown."""
    notice = json.loads(output.readline())
    return notice["cursor"], notice["payload"]["text"].split(" (")[0], notice["payload"]["state"]


def come_due(day: Day, minutes: int, thing: str) -> None:
    """Let a reminder be made and its time come."""
    with day.daemon.client() as client:
        count = len(client.proactive_list()["results"])
    day.say(f"remind me in {minutes} minutes to {thing}")
    day.wait_for_a_prediction(count + 1)
    day.clock.set(day.clock.now() + minutes * 60)
    day.told(count + 1)


def test_what_was_shown_is_not_shown_again_after_a_restart(day: Day) -> None:
    """With the cursor of before, with none of it, and after the daemon was killed: only what is new."""
    come_due(day, 2, "call Ana")
    with watching(day, "--json", "--cursor", "0") as output:
        cursor, text, state = next_of(output)
        assert (text, state) == ("Reminder: call Ana", "delivered")
    day.daemon.kill()
    day.daemon.start()
    come_due(day, 3, "feed the cat")
    with watching(day, "--json", "--cursor", str(cursor)) as output:
        assert next_of(output)[1] == "Reminder: feed the cat"
    come_due(day, 4, "lock the door")
    with watching(day, "--json", "--cursor", "0") as output:
        assert next_of(output)[1] == "Reminder: lock the door"


def test_what_an_agent_has_said_is_not_shown(day: Day) -> None:
    """OpenClaw's next prompt was quicker; the watcher shows what comes after it."""
    come_due(day, 2, "call Ana")
    with day.daemon.client() as client:
        (brought,) = client.recall("good morning, what is on?", session_id="other")["proactive"]
        assert brought["text"].startswith("Reminder: call Ana")
    come_due(day, 3, "feed the cat")
    with watching(day, "--json", "--cursor", "0") as output:
        assert next_of(output)[1] == "Reminder: feed the cat"


def test_a_person_is_told_in_words_and_how_to_answer(day: Day) -> None:
    """What, why, on what evidence, when, and the commands; the command named works."""
    come_due(day, 2, "call Ana")
    with watching(day, "--cursor", "0") as output:
        shown = [output.readline().decode() for _ in range(6)]
    assert "Reminder: call Ana" in shown[1]
    assert "said on 2026-12-01: “remind me in 2 minutes to call Ana”" in shown[2]
    item_id = shown[1].split()[0]
    assert f"memud proactive used {item_id}" in shown[5]
    with day.daemon.client() as client:
        assert client.proactive_resolve(item_id, "used")["item"]["state"] == "used"
