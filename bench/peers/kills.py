"""kill -9 of a peer and all its processes while it takes notes, three times on the same store."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.peers.insertion import acked, openings

AFTER_S = (1.0, 1.7, 2.3)
_OPENS_S = 90.0

Start = Callable[[str, Path, int], "subprocess.Popen[bytes]"]


def kill_thrice(start: Start, folder: Path, after_s: Sequence[float] = AFTER_S) -> dict[str, Any]:
    """How many notes were acknowledged before each kill, and whether it opened again."""
    (folder / "store").mkdir(parents=True)
    counts: list[int] = []
    for wait_s in after_s:
        before = len(acked(folder))
        process = start("insert", folder, before + 10 * len(counts))  # numbers in flight are not used again
        opened = _opens(process, folder, len(counts) + 1)
        if opened:
            time.sleep(wait_s)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if not opened:
            return {"acked": len(acked(folder)), "kills": len(counts), "opens_again": False}
        counts.append(len(acked(folder)) - before)
    return {"acked": sum(counts), "kills": len(counts), "opens_again": True}


def _opens(process: "subprocess.Popen[bytes]", folder: Path, times: int) -> bool:
    """Whether it has opened its store so often before it ended or the time was over."""
    end = time.monotonic() + _OPENS_S
    while openings(folder) < times:
        if process.poll() is not None or time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
