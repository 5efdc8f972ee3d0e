"""A real daemon in a process of its own, for the tests: started, asked, stopped, killed."""

import os
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from memud_client import Client

TOO_LONG_S = 30.0
_FOREIGN = ("MEMUD_", "OPENAI_", "ANTHROPIC_", "LISTEN_", "WATCHDOG_", "NOTIFY_", "XDG_")
_FOLDERS = {"STATE_DIRECTORY", "RUNTIME_DIRECTORY", "CREDENTIALS_DIRECTORY", "CONFIGURATION_DIRECTORY"}

# Hands a listening socket over as systemd does: descriptor 3, and the process it is meant for.
_AS_SYSTEMD = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.execve(sys.argv[2], sys.argv[2:], os.environ | {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid())})
"""


def clean_env() -> dict[str, str]:
    """The environment without anything that would tell a daemon where to live or what to use."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(_FOREIGN) and name not in _FOLDERS
    }


class DaemonProcess:
    """`memud run` with its state and socket in `folder`; full text alone unless `embed` says otherwise."""

    def __init__(
        self,
        folder: Path,
        *,
        embed: str = "none",
        env: Mapping[str, str] | None = None,
        before: Callable[[], None] | None = None,
        state_dir: Path | None = None,
        listening: socket.socket | None = None,
        program: Sequence[str] = ("cli", "run"),
    ) -> None:
        self.state_dir = state_dir or folder
        self.socket_path = folder / "memud.sock"
        self.log_path = folder / "daemon.log"
        self.notices: list[bytes] = []
        self._notify_path = folder / "notify"
        self._env = {"MEMUD_EMBED__PROVIDER": embed, "NO_COLOR": "1", **(env or {})}
        self._before = before
        self._listening = listening
        self._program = program
        self._notify: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def database(self) -> Path:
        """The database file."""
        return self.state_dir / "memud.db"

    @property
    def pid(self) -> int:
        """Of the running process."""
        assert self._process is not None
        return self._process.pid

    @property
    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def launch(self) -> None:
        """Start, and do not wait."""
        self._notify_path.unlink(missing_ok=True)
        self._notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._notify.bind(str(self._notify_path))
        with self.log_path.open("ab") as log:
            self._process = subprocess.Popen(
                self._command(),
                env={**clean_env(), **self._env, "NOTIFY_SOCKET": str(self._notify_path)},
                stdout=log,
                stderr=log,
                preexec_fn=self._before,
                pass_fds=[self._listening.fileno()] if self._listening else [],
            )

    def start(self) -> float:
        """Start and wait until it serves; the seconds that took."""
        begun = time.monotonic()
        self.launch()
        if not self.hears(b"READY=1"):
            self.kill()
            raise AssertionError(f"the daemon did not become ready\n{self.log()}")
        return time.monotonic() - begun

    def hears(self, word: bytes) -> bool:
        """Wait for a notice to systemd; False when the process ends first, or too much time passes."""
        assert self._notify is not None
        until = time.monotonic() + TOO_LONG_S
        ended = os.pidfd_open(self.pid)
        try:
            while (left := until - time.monotonic()) > 0:
                ready, _, _ = select.select([self._notify.fileno(), ended], [], [], left)
                if self._notify.fileno() not in ready:
                    return False
                self.notices.append(self._notify.recv(4096))
                if word in self.notices[-1].split(b"\n"):
                    return True
            return False
        finally:
            os.close(ended)

    def client(self, user_id: str | None = None) -> Client:
        """A client of this daemon; the caller closes it."""
        return Client(self.socket_path, user_id=user_id)

    def wait(self) -> int:
        """The exit code, once it has ended by itself."""
        assert self._process is not None
        try:
            return self._process.wait(TOO_LONG_S)
        finally:
            self._close()

    def stop(self) -> int:
        """SIGTERM; the exit code."""
        return self._signal(signal.SIGTERM)

    def kill(self) -> int:
        """SIGKILL: no handler runs, no buffer is flushed."""
        return self._signal(signal.SIGKILL)

    def log(self) -> str:
        """What it wrote."""
        return self.log_path.read_text(errors="replace")

    def _command(self) -> list[str]:
        run = [sys.executable, "-m", *self._program]
        run += ["--state-dir", str(self.state_dir), "--socket", str(self.socket_path)]
        if self._listening is None:
            return run
        return [sys.executable, "-c", _AS_SYSTEMD, str(self._listening.fileno()), *run]

    def _signal(self, number: signal.Signals) -> int:
        assert self._process is not None
        self._process.send_signal(number)
        return self.wait()

    def _close(self) -> None:
        if self._notify is not None:
            self._notify.close()
            self._notify = None
