"""The demo on a conversation that it has never seen."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "bench" / "conversation.jsonl"


def play(conversation: Path, locale: str = "C.UTF-8") -> subprocess.CompletedProcess[str]:
    """Run the demo on a file."""
    command = [sys.executable, str(ROOT / "bench" / "demo.py"), "--conversation", str(conversation)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env={"LANG": locale})


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


@pytest.mark.slow
@pytest.mark.parametrize(("locale", "told"), [("C.UTF-8", "price of NVDA"), ("zh_CN.UTF-8", "英伟达 股价")])
def test_the_demo_that_everybody_sees_first_holds_its_promises(locale: str, told: str) -> None:
    """`make demo` as it ships, in both languages; the story of the third time is told in the reader's."""
    shown = play(SHIPPED, locale)
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert f"“{told}”" in shown.stdout
    assert "✗" not in shown.stdout


def test_the_demo_refuses_a_file_without_events(tmp_path: Path) -> None:
    """Nothing can be proven with nothing: exit code 64, not a success."""
    path = tmp_path / "empty.jsonl"
    path.write_text("not an event\n")
    shown = play(path)
    assert shown.returncode == 64
    assert "line 1" in shown.stdout


@pytest.mark.slow
def test_the_screen_is_chinese_where_the_locale_is(tmp_path: Path) -> None:
    """Reasons, types, dates and numbers too; the numbers of facts agree before and after the kill."""
    path = tmp_path / "mine.jsonl"
    turns = [
        {"role": "robot", "content": "x"},
        {"role": "user", "content": "我更喜欢喝绿茶，不喜欢咖啡。", "timestamp": "2026-05-04T09:00:00+08:00"},
        {"role": "user", "content": "下周五提醒我交房租。", "timestamp": "2026-05-05T09:00:00+08:00"},
        {"role": "user", "content": "[OpenClaw heartbeat poll]", "trigger": "heartbeat"},
    ]
    path.write_text("\n".join(["{torn", *map(json.dumps, turns)]), encoding="utf-8")
    shown = play(path, "zh_CN.UTF-8")
    assert shown.returncode == 0, shown.stdout + shown.stderr
    for words in (
        "不是 JSON",
        "不在 user, assistant, tool, system 之中",
        "心跳消息",
        "偏好",
        "5月4日",
        "周五",
    ):
        assert words in shown.stdout
    assert not re.search(r"not JSON|heartbeat|preference|commitment|\bopen\b| Nov| d\b", shown.stdout)
    assert len(set(re.findall(r"事实共 (\d+) 条", shown.stdout))) == 1
