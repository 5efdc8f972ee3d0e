"""OpenClaw on this machine: its command, its version and Node's, and where it keeps its files."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

OLDEST = (2026, 9)
NEWEST_TRIED = (2026, 9)
_LIMIT_S = 60.0


@dataclass(frozen=True, slots=True)
class Host:
    """The command as it answers. `version` is "" where it does not start; `fault` says why then."""

    command: str
    version: str
    node: str
    fault: str = ""

    @property
    def release(self) -> tuple[int, ...]:
        """Year and month of the version."""
        return tuple(int(part) for part in self.version.split(".")[:2])


def find(env: Mapping[str, str]) -> Host | None:
    """The OpenClaw that this shell would start, or None."""
    command = shutil.which("openclaw", path=env.get("PATH"))
    if command is None:
        return None
    told = _asked([command, "--version"], env)
    node = _asked([shutil.which("node", path=env.get("PATH")) or "node", "--version"], env)
    version = re.search(r"\d{4}\.\d+\.\d+\S*", told.stdout)
    said = (told.stderr or told.stdout).strip() or f"exit code {told.returncode}, no version"
    fault = "" if version else said
    return Host(command, version[0] if version else "", node.stdout.strip().lstrip("v"), fault)


def refusal(host: Host, config: Path, env: Mapping[str, str]) -> str:
    """Why OpenClaw does not accept this configuration; "" where it does."""
    told = _asked([host.command, "config", "validate"], {**env, "OPENCLAW_CONFIG_PATH": str(config)})
    return "" if told.returncode == 0 else (told.stderr or told.stdout).strip()


def state_dir(env: Mapping[str, str]) -> Path:
    """Where OpenClaw keeps its state."""
    given = _set(env, "OPENCLAW_STATE_DIR")
    return _expanded(given, env) if given else _home(env) / ".openclaw"


def config_path(env: Mapping[str, str]) -> Path:
    """Its configuration; where that is a link, the file that it leads to."""
    given = _set(env, "OPENCLAW_CONFIG_PATH")
    path = _expanded(given, env) if given else state_dir(env) / "openclaw.json"
    return path.resolve()


def is_readonly(env: Mapping[str, str]) -> bool:
    """Whether somebody else manages the configuration."""
    return env.get("OPENCLAW_CONFIG_READONLY") == "1" or env.get("OPENCLAW_NIX_MODE") == "1"


def _asked(words: list[str], env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    quiet = {**env, "NO_COLOR": "1", "OPENCLAW_NO_AUTO_UPDATE": "1"}
    try:
        return subprocess.run(  # noqa: S603 - the person's own OpenClaw, with words of ours
            words, env=quiet, capture_output=True, text=True, errors="replace", timeout=_LIMIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return subprocess.CompletedProcess(words, os.EX_UNAVAILABLE, "", str(error))


def _set(env: Mapping[str, str], name: str) -> str:
    """OpenClaw takes these words for no value at all."""
    value = env.get(name, "").strip()
    return "" if value in {"undefined", "null"} else value


def _home(env: Mapping[str, str]) -> Path:
    own = _set(env, "OPENCLAW_HOME")
    return _expanded(own, env) if own else Path(env.get("HOME") or Path.home())


def _expanded(path: str, env: Mapping[str, str]) -> Path:
    if path == "~" or path.startswith("~/"):
        return Path(env.get("HOME") or Path.home()) / path[2:]
    return Path(path)
