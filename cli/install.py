"""`memud install`, `memud uninstall`: the systemd user units, filled in for this very installation."""

import os
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path

from memud_client.paths import default_state_dir

from cli import exits
from cli.options import DryRun
from cli.terminal import Terminal, command

_UNITS = ("memud.service", "memud.socket")
_PLACE = "@MEMUD@"


@command
def install(terminal: Terminal, dry_run: DryRun = False) -> None:
    """Put the user units in place and say the next step; a second time changes nothing."""
    written: list[str] = []
    for name, text in _filled_units(terminal).items():
        path = _folder() / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            _tell(terminal, "install.same", path)
            continue
        written.append(str(path))
        _tell(terminal, "install.would" if dry_run else "install.write", path)
        if not dry_run:
            _write(path, text)
    if not dry_run:
        _unpack_dates(terminal)
    has_bus = _has_user_bus()
    reply = {"written": written, "dry_run": dry_run, "next": _NEXT if has_bus else _BY_HAND}
    terminal.answer(reply, _show_next if has_bus else _show_by_hand)


@command
def uninstall(terminal: Terminal, dry_run: DryRun = False) -> None:
    """Take the user units away, and what starts them at login; the memories stay."""
    removed: list[str] = []
    for path in (*_started_by(), *(_folder() / name for name in _UNITS)):
        if not (path.is_file() or path.is_symlink()):
            _tell(terminal, "uninstall.absent", path)
            continue
        removed.append(str(path))
        _tell(terminal, "uninstall.would" if dry_run else "uninstall.remove", path)
        if not dry_run:
            path.unlink()
    terminal.answer({"removed": removed, "dry_run": dry_run, "next": _STOP}, _show_stop)


_NEXT = ("systemctl --user daemon-reload", "systemctl --user enable --now memud.socket memud.service")
_BY_HAND = ("memud run",)
# `disable` wants the unit files, and they are gone; `stop` ends what is loaded. The socket goes first, as it
# would wake the service.
_STOP = ("systemctl --user stop memud.socket memud.service", "systemctl --user daemon-reload")


def _has_user_bus() -> bool:
    """Whether `systemctl --user` has someone to speak to."""
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}")
    return shutil.which("systemctl") is not None and (runtime / "systemd" / "private").exists()


def _started_by() -> list[Path]:
    """The links that `systemctl enable` made: without their unit they are errors in the journal."""
    return sorted(link for name in _UNITS for link in _folder().glob(f"*.wants/{name}"))


def _unpack_dates(terminal: Terminal) -> None:
    """A first import unpacks dictionaries beside the library, where the service may not write."""
    # Only here: it loads the library of Chinese dates.
    from memory.dates import is_chinese_available

    if not is_chinese_available():
        terminal.warn("error", message=terminal.say("dates.missing"))
        terminal.warn("hint", hint=terminal.say("fix.dates", python=sys.executable))


def _filled_units(terminal: Terminal) -> dict[str, str]:
    templates = {name: folder / name for folder in _sources() for name in _UNITS if (folder / name).is_file()}
    if set(templates) != set(_UNITS):
        terminal.fail(terminal.say("install.no_units"), exits.CONFIGURATION, reason="no_units")
    memud = _quoted(_memud())
    return {name: path.read_text(encoding="utf-8").replace(_PLACE, memud) for name, path in templates.items()}


def _sources() -> tuple[Path, ...]:
    """Where the templates may be; the last place counts: a checkout's own before installed ones."""
    installed = Path(sysconfig.get_path("data")) / "share" / "memud" / "systemd"
    return installed, Path(__file__).parents[1] / "systemd"


def _memud() -> list[str]:
    """The command of this installation: the script beside this Python, else this Python and the module."""
    script = Path(sys.executable).with_name("memud")
    if script.is_file():
        return [str(script)]
    found = shutil.which("memud")
    return [found] if found else [sys.executable, "-m", "cli"]


def _quoted(words: list[str]) -> str:
    """As systemd reads a command line: % and $ stand for more than themselves, a space ends a word."""
    escaped = (word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%") for word in words)
    return " ".join(f'"{word}"' if " " in word or '"' in word else word for word in escaped)


def _folder() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "systemd" / "user"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _tell(terminal: Terminal, key: str, path: Path) -> None:
    if not terminal.as_json:
        terminal.tell(key, path=path)


def _show_next(terminal: Terminal, _: object) -> None:
    terminal.tell("install.next")
    for line in _NEXT:
        terminal.show(f"  {line}")
    terminal.tell("install.linger", command="loginctl enable-linger")


def _show_by_hand(terminal: Terminal, _: object) -> None:
    terminal.tell("install.no_bus")
    terminal.show(f"  {shlex.join([*_memud(), 'run'])}")


def _show_stop(terminal: Terminal, _: object) -> None:
    terminal.tell("uninstall.next", path=default_state_dir(os.environ))
    for line in _STOP:
        terminal.show(f"  {line}")
