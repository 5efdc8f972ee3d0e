"""What `make bench` shows while it measures."""

import subprocess
import sys
from io import StringIO
from pathlib import Path

from rich.console import Console

from bench.results import Figures, Result
from bench.run import Measure, run

ROOT = Path(__file__).parents[2]


def test_each_measure_is_announced_before_it_begins_and_shown_when_it_is_done() -> None:
    """Nobody looks at an empty screen for minutes."""
    screen = StringIO()
    console = Console(file=screen, width=100)
    seen: list[str] = []

    def measure(answer: str) -> Figures:
        seen.append(screen.getvalue())
        return {answer: {"p50_ms": 1.5}}

    measures = [
        Measure("speed", "how fast", lambda: measure("recall")),
        Measure("size", "how large", lambda: measure("idle")),
    ]
    kept: list[Result] = []
    found = run(measures, console, console, kept.append)
    before_the_first, before_the_second = seen
    assert "1 of 2  speed  how fast" in before_the_first
    assert "recall" not in before_the_first
    assert "recall" in before_the_second
    assert "2 of 2  size  how large" in before_the_second
    assert {name: result.figures for name, result in found.items()} == {
        "speed": {"recall": {"p50_ms": 1.5}},
        "size": {"idle": {"p50_ms": 1.5}},
    }
    assert kept == list(found.values())


def test_an_unknown_measure_is_refused_with_those_that_exist() -> None:
    """At once, not after minutes."""
    command = [sys.executable, "-m", "bench.run", "latncy"]
    shown = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert shown.returncode == 2
    assert "no measure latncy; there are latency, footprint, durability, tokens" in shown.stderr
