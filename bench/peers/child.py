"""One task for one peer, in the peer's own environment: `python -m bench.peers.child DRIVER TASK FOLDER [N]`.

The answer is the last line of standard output; what a peer prints goes to standard error.
"""

import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from bench.peers.insertion import check, insert
from bench.peers.peer import Peer
from bench.peers.probes import probe
from bench.peers.timing import time

TASKS: dict[str, Callable[..., Any]] = {"time": time, "probe": probe, "insert": insert, "check": check}


def main() -> None:
    """Do it and print the answer."""
    driver, task, folder, *rest = sys.argv[1:]
    answer_to = os.dup(1)
    os.dup2(2, 1)
    peer: Peer = import_module(f"bench.peers.{driver}").PEER
    answer = TASKS[task](peer, Path(folder), *map(int, rest))
    os.write(answer_to, json.dumps(answer, ensure_ascii=False).encode() + b"\n")
    os._exit(0)  # some peers leave threads behind that never end


if __name__ == "__main__":
    main()
