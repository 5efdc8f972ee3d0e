"""The gateway's process: started, stopped, and what it wrote."""

import asyncio
import os
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

START_LIMIT_S = 180.0
STOP_LIMIT_S = 30.0
_LOOK_S = 0.2
_READY = "[gateway] ready"


class Gateway:
    """`openclaw gateway run` in a process group of its own."""

    def __init__(self, env: Mapping[str, str], folder: Path, port: int) -> None:
        self.port = port
        self._env = dict(env)
        self._folder = folder
        self._starts = 0
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> str:
        """What it has written since its last start."""
        return self._log_path.read_text(errors="replace")

    async def start(self) -> float:
        """Start and wait until it is ready; the seconds that took."""
        self._starts += 1
        begun = time.monotonic()
        with self._log_path.open("wb") as log:
            self._process = subprocess.Popen(  # noqa: ASYNC220 - starting it takes no time
                ["openclaw", "gateway", "run"],
                env=self._env,
                cwd=self._folder,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        while _READY not in self.log:
            if self._process.poll() is not None or time.monotonic() - begun > START_LIMIT_S:
                raise AssertionError(f"the gateway did not become ready\n{self.log[-4000:]}")
            await asyncio.sleep(_LOOK_S)
        return time.monotonic() - begun

    def stop(self) -> None:
        """End it by SIGTERM, by SIGKILL if it does not listen; nothing of its group is left."""
        if self._process is None:
            return
        group = self._process.pid
        self._process.terminate()
        try:
            self._process.wait(STOP_LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(group, signal.SIGKILL)
            self._process.wait()
        self._process = None

    @property
    def _log_path(self) -> Path:
        return self._folder / f"gateway-{self._starts}.log"


def free_port() -> int:
    """A port of loopback that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
