"""Finds out whether native code can run on this machine before it kills the process."""

import subprocess
import sys
from pathlib import Path


def flags(cpuinfo: Path) -> frozenset[str] | None:
    """What an x86 processor can do, as Linux tells it; None where it is not told."""
    try:
        with cpuinfo.open(encoding="ascii", errors="replace") as lines:
            told = next((line for line in lines if line.startswith("flags")), None)
    except OSError:
        return None
    return frozenset(told.partition(":")[2].split()) if told else None


def survives(code: str, timeout_s: float = 60) -> bool:
    """Whether a child Python process runs the code to its end; costs the start of an interpreter."""
    try:
        # The code is ours; only a child can meet an illegal instruction without taking us along.
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=timeout_s)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
