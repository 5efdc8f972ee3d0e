"""The demo on a conversation that it has never seen."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def play(conversation: Path) -> subprocess.CompletedProcess[str]:
    """Run the demo on a file."""
    command = [sys.executable, str(ROOT / "bench" / "demo.py"), "--conversation", str(conversation)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={"LANG": "C.UTF-8"})


@pytest.mark.slow
def test_the_demo_holds_its_promises_on_a_strangers_conversation(tmp_path: Path) -> None:
    """A real daemon takes it, is killed and comes back; a bad line is named and costs nothing else."""
    path = tmp_path / "mine.jsonl"
    turns = [
        {"role": "user", "content": "My sister Anna lives in Porto and teaches chemistry."},
        {"role": "assistant", "content": "Good to know."},
        {"role": "user", "content": "[OpenClaw heartbeat poll]", "trigger": "heartbeat"},
        {"role": "user", "content": "我打算下个月把车卖掉，换一辆电动自行车。", "tz": "Asia/Shanghai"},
    ]
    path.write_text("\n".join(["{torn", *map(json.dumps, turns)]), encoding="utf-8")
    shown = play(path)
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert "line 1 left out" in shown.stdout
    assert "✗" not in shown.stdout


def test_the_demo_refuses_a_file_without_events(tmp_path: Path) -> None:
    """Nothing can be proven with nothing: exit code 64, not a success."""
    path = tmp_path / "empty.jsonl"
    path.write_text("not an event\n")
    shown = play(path)
    assert shown.returncode == 64
    assert "line 1" in shown.stdout
