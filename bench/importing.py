"""`memud import` of a made-up OpenClaw home: events a second the first time, and how many the second adds.

.venv/bin/python -m bench.importing [EVENTS]
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from bench.cpu import own_s, process_s
from bench.running import running

EVENTS = 50_000
_A_SESSION = 500
_WORDS = ("boat", "tea", "garden", "train", "meeting", "invoice", "server", "cake", "rain", "ladder", "river")
_BEGUN_MS = 1_772_960_400_000


def measure(events: int = EVENTS) -> dict[str, Any]:
    """Without vectors. The daemon goes on drawing facts from them in the background afterwards."""
    with tempfile.TemporaryDirectory(prefix="memud-bench-") as folder:
        home, state = Path(folder) / "sessions", Path(folder) / "s"
        _write(home, events)
        with running(state, embedder="none") as (client, process):
            socket = str(client.socket_path)
            first, second = _bring(home, socket, process.pid), _bring(home, socket, process.pid)
    return {"first import": _figures(events, first), "second import": _figures(events, second)}


def _bring(home: Path, socket: str, daemon: int) -> dict[str, Any]:
    before = time.monotonic(), process_s(daemon), own_s()
    command = [sys.executable, "-m", "cli", "import", str(home), "--json", "--socket", socket]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    after = time.monotonic(), process_s(daemon), own_s()
    wall_s, daemon_s, command_s = (round(late - early, 1) for late, early in zip(after, before, strict=True))
    report = json.loads(ended.stdout)
    return {"wall_s": wall_s, "daemon_s": daemon_s, "command_s": command_s, "added": report["accepted"]}


def _figures(events: int, run: dict[str, Any]) -> dict[str, Any]:
    return {
        "events/s": round(events / max(run["wall_s"], 0.1)),
        "wall s": run["wall_s"],
        "CPU s of the daemon": run["daemon_s"],
        "CPU s of the command": run["command_s"],
        "added": run["added"],
    }


def _write(home: Path, events: int) -> None:
    random = Random(7)  # noqa: S311 - no secrets
    home.mkdir()
    index = {}
    for number in range(-(-events // _A_SESSION)):
        session_id = f"{number:08x}-0000-4000-8000-000000000000"
        index[f"agent:main:telegram:direct:{number}"] = {"sessionId": session_id, "chatType": "direct"}
        count = min(_A_SESSION, events - number * _A_SESSION)
        lines = [{"type": "session", "version": 3, "id": session_id}]
        lines += [_message(random, number, place) for place in range(count)]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (home / f"{session_id}.jsonl").write_text(text, encoding="utf-8")
    (home / "sessions.json").write_text(json.dumps(index), encoding="utf-8")


def _message(random: Random, session: int, place: int) -> dict[str, Any]:
    words = " ".join(random.choice(_WORDS) for _ in range(12))
    content = [{"type": "text", "text": f"I think about the {words} number {place} of {session}."}]
    role = "assistant" if place % 2 else "user"
    time_ms = _BEGUN_MS + session * 10_000_000 + place * 1_000
    parent = f"{place - 1:08x}" if place else None
    message = {"role": role, "content": content, "timestamp": time_ms}
    return {"type": "message", "id": f"{place:08x}", "parentId": parent, "message": message}


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS), indent=1))
