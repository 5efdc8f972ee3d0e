"""Where memud keeps its state and its socket; the daemon and its clients read it here, so they agree."""

from collections.abc import Mapping
from pathlib import Path

SOCKET_NAME = "memud.sock"


def default_state_dir(env: Mapping[str, str]) -> Path:
    """The state folder: $MEMUD_STATE_DIR, else memud under $XDG_STATE_HOME, else ~/.local/state/memud."""
    if given := env.get("MEMUD_STATE_DIR"):
        return Path(given).expanduser()
    return _xdg_folder(env.get("XDG_STATE_HOME")) or _home(env) / ".local" / "state" / "memud"


def default_socket_path(env: Mapping[str, str]) -> Path:
    """The socket: $MEMUD_SOCKET, else memud under $XDG_RUNTIME_DIR, else in the state folder."""
    if given := env.get("MEMUD_SOCKET"):
        return Path(given).expanduser()
    folder = _xdg_folder(env.get("XDG_RUNTIME_DIR")) or default_state_dir(env)
    return folder / SOCKET_NAME


def _xdg_folder(base: str | None) -> Path | None:
    """memud's folder in an XDG base folder; relative ones are ignored, as the XDG specification asks."""
    if base and Path(base).is_absolute():
        return Path(base) / "memud"
    return None


def _home(env: Mapping[str, str]) -> Path:
    home = env.get("HOME")
    return Path(home) if home else Path.home()
