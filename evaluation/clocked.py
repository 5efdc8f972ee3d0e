"""The daemon under a clock that a measurement turns: `python -m evaluation.clocked`, then as `memud run`."""

import argparse
import asyncio
import os
from pathlib import Path

from config.settings import load
from daemon import logs, paths
from daemon.app import serve

FILE = "clock"


class FileClock:
    """The Unix seconds that stand in a file, until others are written there."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def now(self) -> int:
        """Unix seconds, UTC."""
        return int(self._path.read_text(encoding="ascii"))

    def turn(self, to: int) -> None:
        """Let it be this late; a reader sees the old time or the new one."""
        draft = self._path.with_suffix(".draft")
        draft.write_text(str(to), encoding="ascii")
        draft.replace(self._path)


def main() -> None:
    """Serve until a signal; the clock lies in the state folder."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--state-dir", type=Path, required=True)
    parser.add_argument("--socket", type=Path, required=True)
    given = parser.parse_args()
    settings, where = load(), paths.choose(given.state_dir, given.socket, os.environ)
    logs.configure(settings.log.level)
    asyncio.run(serve(settings, where, os.environ, FileClock(given.state_dir / FILE)))


if __name__ == "__main__":
    main()
