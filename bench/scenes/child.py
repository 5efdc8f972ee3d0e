"""A real daemon in a process of its own, started, killed and started again on one folder."""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

START_S = 30.0
STOP_S = 20.0
FOREIGN = ("MEMUD_", "OPENAI_", "ANTHROPIC_", "LISTEN_", "WATCHDOG_", "NOTIFY_", "XDG_")
FOLDERS = frozenset(
    {"STATE_DIRECTORY", "RUNTIME_DIRECTORY", "CREDENTIALS_DIRECTORY", "CONFIGURATION_DIRECTORY"}
)


class StartError(Exception):
    """The daemon did not become ready; the message ends with the last lines of its log."""


class Child:
    """`memud run` on its own state folder and socket: no key, no network, nothing of yours touched."""

    def __init__(self, folder: Path) -> None:
        self.state_dir = folder / "state"
        self.socket_path = folder / "memud.sock"
        self.log_path = folder / "daemon.log"
        self._notify_path = folder / "notify.sock"
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """Of the process that was started last."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> float:
        """Start and wait for systemd's READY=1; the seconds it took."""
        begun = time.monotonic()
        self._notify_path.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify, self.log_path.open("ab") as log:
            notify.bind(str(self._notify_path))
            self._process = subprocess.Popen(self._command(), env=self._env(), stdout=log, stderr=log)
            self._wait_ready(notify, begun + START_S)
        return time.monotonic() - begun

    def kill(self) -> None:
        """SIGKILL: no handler runs, no buffer is flushed."""
        self._signal(signal.SIGKILL)

    def stop(self) -> None:
        """SIGTERM, and SIGKILL for one that does not listen."""
        if self._process is not None and self._process.poll() is None:
            try:
                self._signal(signal.SIGTERM)
            except subprocess.TimeoutExpired:
                self._signal(signal.SIGKILL)

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        with contextlib.suppress(ProcessLookupError):
            self._process.send_signal(number)
        self._process.wait(STOP_S)

    def _command(self) -> list[str]:
        where = ["--state-dir", str(self.state_dir), "--socket", str(self.socket_path)]
        return [sys.executable, "-m", "cli", "run", *where]

    def _env(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(FOREIGN) and k not in FOLDERS}
        return kept | {"NOTIFY_SOCKET": str(self._notify_path), "NO_COLOR": "1"}

    def _wait_ready(self, notify: socket.socket, until: float) -> None:
        assert self._process is not None
        while time.monotonic() < until:
            if self._process.poll() is not None:
                raise StartError(f"the daemon ended with exit code {self._process.returncode}\n{self.tail()}")
            if select.select([notify], [], [], 0.1)[0] and b"READY=1" in notify.recv(4096).split(b"\n"):
                return
        self.kill()
        raise StartError(f"the daemon was not ready within {START_S:.0f} s\n{self.tail()}")

    def tail(self, lines: int = 12) -> str:
        """The last lines of its log."""
        text = self.log_path.read_text(errors="replace")
        return "\n".join(text.splitlines()[-lines:])
