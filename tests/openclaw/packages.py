"""The real Node and OpenClaw: found where they were put before, else installed once, outside the tree."""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

NODE = "node@24"
VERSION = "2026.9.6"
OPENCLAW = f"openclaw@{VERSION}"
_BEAT_S = 5.0
_MIB = 1 << 20
_TOLD_LINES = 6


class MissingError(Exception):
    """OpenClaw is not here and can't be brought here; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Packages:
    """`node/` and `app/`, each a folder that npm filled."""

    folder: Path

    @property
    def node_bin(self) -> Path:
        """Where the command `node` is."""
        return self.folder / "node" / "node_modules" / "node" / "bin"

    @property
    def openclaw_bin(self) -> Path:
        """Where the command `openclaw` is."""
        return self.folder / "app" / "node_modules" / ".bin"

    @property
    def is_complete(self) -> bool:
        """Whether both commands are there."""
        return (self.node_bin / "node").is_file() and (self.openclaw_bin / "openclaw").exists()

    def path(self, before: str) -> str:
        """A PATH that finds both first."""
        return os.pathsep.join((str(self.node_bin), str(self.openclaw_bin), before))


def ready(env: Mapping[str, str]) -> Packages:
    """The packages, installed if they are missing; raises MissingError where that can't be done."""
    given = env.get("MEMUD_E2E_OPENCLAW")
    packages = Packages(Path(given).expanduser() if given else _cache(env) / f"openclaw-{VERSION}")
    if packages.is_complete:
        return packages
    if given:
        raise MissingError(f"MEMUD_E2E_OPENCLAW={given} has no node/ and app/ with {NODE} and {OPENCLAW}")
    if shutil.which("npm") is None:
        raise MissingError(f"npm is not installed, and it brings {NODE} and {OPENCLAW}")
    _install(packages)
    return packages


def _cache(env: Mapping[str, str]) -> Path:
    return Path(env.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "memud"


def _install(packages: Packages) -> None:
    """Both packages beside their place, then moved there: a half installation is never taken for a whole."""
    part = packages.folder.with_name(packages.folder.name + ".part")
    shutil.rmtree(part, ignore_errors=True)
    # OpenClaw's own scripts refuse an older Node, so npm runs them by the one that has just come.
    path = Packages(part).path(os.environ["PATH"])
    for name, package in (("node", NODE), ("app", OPENCLAW)):
        _npm(part / name, package, path)
    if not Packages(part).is_complete:
        raise MissingError(f"npm has installed {NODE} and {OPENCLAW}, but their commands are not there")
    shutil.rmtree(packages.folder, ignore_errors=True)
    part.rename(packages.folder)


def _npm(folder: Path, package: str, path: str) -> None:
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"name": "memud-e2e", "private": True}))
    command = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", package]
    print(f"installing {package} into {folder}", flush=True)
    begun = time.monotonic()
    log = folder / "npm.log"
    env = {**os.environ, "PATH": path}
    with log.open("wb") as out, subprocess.Popen(command, cwd=folder, env=env, stdout=out, stderr=out) as npm:
        code = _watched(npm, folder, begun)
    if code:
        raise MissingError(f"npm install {package} ended with {code}:\n{_last_lines(log)}")
    print(f"  {_size(folder)} in {time.monotonic() - begun:.0f} s", flush=True)


def _watched(npm: subprocess.Popen[bytes], folder: Path, begun: float) -> int:
    """The exit code; until then a line now and then says how far it is."""
    while True:
        try:
            return npm.wait(_BEAT_S)
        except subprocess.TimeoutExpired:
            print(f"  {_size(folder)} after {time.monotonic() - begun:.0f} s", flush=True)


def _size(folder: Path) -> str:
    used = sum(_blocks(Path(root, name)) for root, _, names in os.walk(folder) for name in names)
    return f"{used * 512 / _MIB:.0f} MB"


def _blocks(path: Path) -> int:
    try:
        return path.lstat().st_blocks
    except OSError:  # npm moves files while they are counted
        return 0


def _last_lines(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").strip().splitlines()[-_TOLD_LINES:]) or "no output"
