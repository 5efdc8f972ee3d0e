"""Other programs for memory beside memud: the same work, the same probes, the same kill -9, one table.

.venv/bin/python -m bench.peers [--folder DIR] [--json] [NAME ...]

Each has an environment of its own under $XDG_CACHE_HOME/memud-bench, made on demand from the package index.
What can't be installed is skipped with its reason. The control and memud run each time, as ratios are of one
run; the figures of those that were not named stay as they were, without a ratio.
"""

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.markdown import Markdown

from bench.peers.environments import default_folder
from bench.peers.measuring import Measured, measured
from bench.peers.peer import Peer
from bench.peers.telling import told
from bench.results import Figures, Result, read, save, taken

ALWAYS = ("control", "memud")
OTHERS = (
    "mem0_qdrant", "langgraph", "memu_cli", "mem0_faiss", "palaia", "mempalace", "nevertwice", "sqlite_vec",
)  # fmt: skip
_QUESTION = "How does memud do beside other programs for memory, on the same work?"


def main() -> None:
    """Measure the named ones, or all, and keep the result."""
    arguments = _arguments()
    screen = Console(stderr=True, highlight=False)
    names = (*ALWAYS, *(name for name in OTHERS if name in (arguments.peers or OTHERS)))
    result = taken("peers", _QUESTION, "python -m bench.peers", lambda: _all(names, arguments.folder, screen))
    save(_with_others(result) if arguments.peers else result)
    if arguments.json:
        print(json.dumps(asdict(result), ensure_ascii=False, indent=1))
    else:
        Console().print(Markdown(told(result.figures)))


def _with_others(result: Result) -> Result:
    """Those that were measured before and not now stand behind."""
    before = read("peers")
    others = {} if before is None else {k: v for k, v in before.figures.items() if k not in result.figures}
    return replace(result, figures={**result.figures, **others})


def _all(names: Iterable[str], folder: Path, screen: Console) -> Figures:
    return {name: asdict(one) for name, one in _each(names, folder, screen)}


def _each(names: Iterable[str], folder: Path, screen: Console) -> Iterator[tuple[str, Measured]]:
    run = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    for name in names:
        peer: Peer = import_module(f"bench.peers.{name}").PEER
        screen.print(f"[bold]{peer.name}[/bold]  {peer.how}")
        one = measured(name, peer, folder, run)
        if one.skipped:
            screen.print(f"  skipped: {one.skipped}")
        yield name, one


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("peers", nargs="*", metavar="NAME", help=", ".join(OTHERS))
    parser.add_argument("--folder", type=Path, default=default_folder(), help="where environments are kept")
    parser.add_argument("--json", action="store_true", help="figures for a program, on standard output")
    arguments = parser.parse_args()
    if unknown := set(arguments.peers) - set(OTHERS) - set(ALWAYS):
        parser.error(f"no peer {', '.join(sorted(unknown))}; there are {', '.join(OTHERS)}")
    return arguments


if __name__ == "__main__":
    main()
