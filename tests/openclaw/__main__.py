"""`make e2e-openclaw`: the plugin inside the real OpenClaw, proven in what the model and memud get to see."""

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

from tests.openclaw.packages import MissingError, Packages, ready
from tests.openclaw.proofs import (
    access,
    capture,
    flush,
    group,
    loop,
    machines,
    outage,
    proactive,
    recall,
    start,
    tools,
    undone,
)
from tests.openclaw.report import Proof, Report
from tests.openclaw.stand import standing

UNAVAILABLE = 69
PROOFS = (
    Proof("`memud openclaw install` puts the plugin into OpenClaw", start.prove),
    Proof("the memory stands before the user's words", recall.prove),
    Proof("captured once a turn, over a restart of the gateway", capture.prove),
    Proof("a loop of 100 rounds adds nothing", loop.prove),
    Proof("a group sees no private fact", group.prove),
    Proof("heartbeat and cron leave no row", machines.prove),
    Proof("the model's tools work", tools.prove),
    Proof("a full window is summed up once, a manual compaction too", flush.prove),
    Proof("a due reminder is said, and said once", proactive.prove),
    Proof("memud killed, hanging and back: replies never wait for it", outage.prove),
    Proof("without access to conversations the health says so", access.prove),
    Proof("`memud openclaw uninstall` gives the configuration back", undone.prove),
)


def main() -> int:
    """0: everything proven, or skipped where that is allowed; 1: something failed; 69: no OpenClaw here."""
    options = argparse.ArgumentParser(prog="python -m tests.openclaw")
    options.add_argument("--if-possible", action="store_true", help="skip where OpenClaw can't be installed")
    options.add_argument("--only", nargs="+", metavar="WORD", help="the start, and proofs with these words")
    given = options.parse_args()
    try:
        packages = ready(os.environ)
    except MissingError as error:
        print(f"{'skipped' if given.if_possible else 'not possible'}: {error}")
        return 0 if given.if_possible else UNAVAILABLE
    return asyncio.run(_prove(packages, _chosen(given.only)))


def _chosen(words: list[str] | None) -> list[Proof]:
    first, *others = PROOFS
    return [first, *(one for one in others if not words or any(word in one.promise for word in words))]


async def _prove(packages: Packages, proofs: list[Proof]) -> int:
    folder = Path(tempfile.mkdtemp(prefix="memud-e2e-"))
    report = Report()
    async with standing(folder, packages) as stand:
        for proof in proofs:
            await report.take(proof, stand)
    print(report.summary())
    if report.failed:
        print(f"logs are in {folder}")
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
