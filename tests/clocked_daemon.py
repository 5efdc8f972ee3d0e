"""A whole daemon whose wall clock a test sets: `python -m tests.clocked_daemon FILE`, then as `memud run`.

FILE holds the Unix seconds that it is, now and until another number is written there.
"""

import argparse
import asyncio
import os
from pathlib import Path

from config.settings import load
from daemon import logs, paths
from daemon.app import serve


class FileClock:
    """The time that stands in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def now(self) -> int:
        """Unix seconds, UTC."""
        return int(self._path.read_text())

    def set(self, now: int) -> None:
        """Let it be this late; at once, for whoever reads."""
        draft = self._path.with_suffix(".draft")
        draft.write_text(str(now))
        draft.replace(self._path)


def main() -> None:
    """Serve until a signal."""
    parser = argparse.ArgumentParser()
    parser.add_argument("clock", type=Path)
    parser.add_argument("--state-dir", type=Path)
    parser.add_argument("--socket", type=Path)
    given = parser.parse_args()
    settings, where = load(), paths.choose(given.state_dir, given.socket, os.environ)
    logs.configure(settings.log.level)
    asyncio.run(serve(settings, where, os.environ, FileClock(given.clock)))


if __name__ == "__main__":
    main()
