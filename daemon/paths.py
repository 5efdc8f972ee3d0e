"""Where this daemon keeps state and socket: as the command line, systemd or the defaults say."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memud_client.paths import SOCKET_NAME, default_socket_path, default_state_dir


@dataclass(frozen=True, slots=True)
class Paths:
    """The database and the socket."""

    database: Path
    socket: Path


def choose(state_dir: Path | None, socket: Path | None, env: Mapping[str, str]) -> Paths:
    """The command line first, then systemd's folders, then the defaults that clients know."""
    state = state_dir or _first(env.get("STATE_DIRECTORY")) or default_state_dir(env)
    runtime = _first(env.get("RUNTIME_DIRECTORY"))
    if socket is None and runtime is not None and "MEMUD_SOCKET" not in env:
        socket = runtime / SOCKET_NAME
    if socket is None and state_dir is not None and "MEMUD_SOCKET" not in env:
        socket = state_dir / SOCKET_NAME  # a second daemon with its own state has its own socket
    return Paths(state.expanduser().absolute() / "memud.db", (socket or default_socket_path(env)).absolute())


def _first(folders: str | None) -> Path | None:
    return Path(folders.split(":")[0]) if folders else None
