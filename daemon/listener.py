"""The socket file: made carefully, never taken from a living daemon, removed only if it is still ours."""

import os
import socket
import stat
from collections.abc import MutableMapping
from dataclasses import dataclass
from pathlib import Path

from daemon.systemd import take_descriptors
from memory.errors import InvalidError, LockedError

_MAX_PATH_BYTES = 107
_BACKLOG = 1024
_PROBE_TIMEOUT_S = 1.0


@dataclass(frozen=True, slots=True)
class Listener:
    """A listening socket. Without a `path` it belongs to systemd, which goes on listening after us."""

    socket: socket.socket
    path: Path | None = None
    inode: int | None = None

    @property
    def is_lost(self) -> bool:
        """Whether the file was deleted: the socket listens on, and nobody can find it."""
        return self.path is not None and not os.path.lexists(self.path)

    def remove(self) -> None:
        """Remove the socket file, unless it is systemd's or another daemon has put its own there."""
        if self.path is None:
            return
        try:
            if self.path.lstat().st_ino == self.inode:
                self.path.unlink()
        except FileNotFoundError:
            return


def listen(path: Path, env: MutableMapping[str, str]) -> Listener:
    """systemd's socket where it hands one over, else our own."""
    descriptors = take_descriptors(env, os.getpid())
    return adopt_listener(descriptors[0]) if descriptors else open_listener(path)


def open_listener(path: Path) -> Listener:
    """Listen at a path, with mode 0600; its folder is made with 0700 if it is missing.

    A file that a dead daemon left is replaced. Raises LockedError when somebody answers there,
    InvalidError for a path that can't be used.
    """
    waiting = path.with_name(f".{os.getpid()}.sock")
    longest = max(len(os.fsencode(path)), len(os.fsencode(waiting)))
    if longest > _MAX_PATH_BYTES:
        raise InvalidError(
            f"the socket path has {longest} bytes, {_MAX_PATH_BYTES} are allowed: {path}",
            hint="Give a shorter one with --socket.",
        )
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _check_free(path)
    return _bind(path, waiting)


def adopt_listener(descriptor: int) -> Listener:
    """The socket that systemd opened for us. Raises InvalidError if it is no listening Unix stream."""
    adopted = socket.socket(fileno=descriptor)
    listens = adopted.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    if adopted.family != socket.AF_UNIX or adopted.type != socket.SOCK_STREAM or not listens:
        adopted.close()
        raise InvalidError(
            f"file descriptor {descriptor} is no listening Unix stream socket",
            hint="Use ListenStream= with a path in the socket unit.",
        )
    return Listener(adopted)


def _bind(path: Path, waiting: Path) -> Listener:
    # Bound under another name and renamed when it listens: nobody ever finds a socket that refuses.
    waiting.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listening.bind(str(waiting))
        waiting.chmod(0o600)
        listening.listen(_BACKLOG)
        waiting.rename(path)
    except OSError:
        listening.close()
        waiting.unlink(missing_ok=True)
        raise
    return Listener(listening, path, path.lstat().st_ino)


def _check_free(path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise InvalidError(f"{path} exists and is no socket", hint="Give another path with --socket.")
    if _is_answered(path):
        raise LockedError(f"another daemon answers at {path}", hint="Stop it, or give another --socket.")


def _is_answered(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_PROBE_TIMEOUT_S)
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except OSError:
            return True  # not ours to enter, or too busy to answer: somebody is there
    return True
