"""What the plugin needs in OpenClaw's configuration."""

import json
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from cli.openclaw.configuration import UneditableError, Value
from cli.openclaw.edits import Edit, at
from cli.openclaw.heartbeat import EVERY

PLUGIN = "memud"
_ENTRY = ("plugins", "entries", PLUGIN)
_SOCKET = (*_ENTRY, "config", "socketPath")
_PROMPT_TIMEOUT = (*_ENTRY, "hooks", "timeouts", "before_prompt_build")
_PATHS = ("plugins", "load", "paths")
_PROMPT_TIMEOUT_MS = 3_000  # the plugin itself gives up after 0.8 s; this is for a gateway that is stuck


def edits(value: Value, plugin: Path, socket: Path, heartbeat: str | None) -> list[Edit]:
    """All that has to be so. What the user has chosen for the plugin itself stays."""
    wanted = [
        Edit("add", _PATHS, str(plugin)),
        Edit("set", ("plugins", "slots", "memory"), PLUGIN),
        Edit("set", (*_ENTRY, "enabled"), True),
        Edit("set", (*_ENTRY, "hooks", "allowConversationAccess"), True),
        Edit("set", (*_ENTRY, "hooks", "allowPromptInjection"), True),
        Edit("set", ("plugins", "entries", "memory-core", "enabled"), False),
    ]
    chosen = [(_PROMPT_TIMEOUT, _PROMPT_TIMEOUT_MS), (_SOCKET, str(socket))]
    wanted += [Edit("set", path, first) for path, first in chosen if at(value, path) is None]
    if isinstance(at(value, ("plugins", "allow")), list):
        wanted.append(Edit("add", ("plugins", "allow"), PLUGIN))
    if heartbeat:
        wanted.append(Edit("set", EVERY, heartbeat))
    return wanted


def obstacle(value: Value) -> str:
    """What stands in the way and is the user's own decision; "" for nothing."""
    if at(value, ("plugins", "enabled")) is False:
        return "plugins.enabled"
    denied = at(value, ("plugins", "deny"))
    return "plugins.deny" if isinstance(denied, list) and PLUGIN in denied else ""


def included_in(value: Value, wanted: Iterable[Edit] | None = None) -> str | None:
    """Where another file is taken in on the way to one of these edits, or of any; "" for the whole file."""
    edits_to = edits({}, Path(), Path(), None) if wanted is None else wanted
    for edit in edits_to:
        for depth in range(len(edit.path)):
            place = at(value, edit.path[:depth])
            if isinstance(place, dict) and "$include" in place:
                return ".".join(edit.path[:depth])
    return None


def stale_paths(value: Value, plugin: Path) -> list[str]:
    """Folders with this plugin from an installation of memud that is not this one."""
    listed = at(value, _PATHS)
    others = [path for path in listed if path != str(plugin)] if isinstance(listed, list) else []
    return [path for path in others if isinstance(path, str) and _is_ours(Path(path))]


def without(value: Value, paths: list[str]) -> Value:
    """A copy that no longer loads these folders."""
    if not paths:
        return value
    left = [path for path in at(value, _PATHS) if path not in paths]
    plugins = value["plugins"]
    return {**value, "plugins": {**plugins, "load": {**plugins["load"], "paths": left}}}


def plugin_dir() -> Path:
    """The built plugin: a checkout's own before the installed one. Raises UneditableError."""
    installed = Path(sysconfig.get_path("data")) / "share" / "memud" / "openclaw"
    places = (Path(__file__).parents[2] / "plugins" / "openclaw", installed)
    for place in places:
        if is_plugin(place):
            return place
    raise UneditableError("no_plugin", path=installed)


def is_plugin(folder: Path) -> bool:
    """Whether OpenClaw could load the plugin from there."""
    return (folder / "openclaw.plugin.json").is_file() and (folder / "dist" / "index.js").is_file()


def _is_ours(folder: Path) -> bool:
    if folder.parts[-2:] == ("memud", "openclaw"):  # its environment may be gone
        return True
    try:
        manifest = json.loads((folder / "openclaw.plugin.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(manifest, dict) and manifest.get("id") == PLUGIN
