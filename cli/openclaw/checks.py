"""`memud openclaw status`: is all there that the plugin needs, and if not, what to do."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import typer
from memud_client import Client, MemudError
from memud_client.paths import default_socket_path

from cli import exits
from cli.openclaw import configuration, host, wishes
from cli.openclaw.configuration import UneditableError, Value
from cli.openclaw.edits import at
from cli.openclaw.heartbeat import reminders
from cli.terminal import Terminal

_ENTRY = ("plugins", "entries", wishes.PLUGIN)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; `detail` is what was found, `advice` the sentence on what to do."""

    name: str
    ok: bool
    detail: str
    advice: str = "openclaw.check.advice"


def status(terminal: Terminal) -> None:
    """Look at everything; ends with 0 only if all is fine."""
    checks = [_openclaw(terminal), *_configured(terminal)]
    terminal.answer([_worded(terminal, check) for check in checks], _show)
    if not all(check.ok for check in checks):
        raise typer.Exit(exits.FAILED)


def _openclaw(terminal: Terminal) -> Check:
    found = host.find(os.environ)
    if found is None:
        return Check("openclaw", False, terminal.say("openclaw.fail.absent"), "openclaw.fail.absent.hint")
    if found.fault:
        fault = terminal.say("openclaw.fail.broken", command=found.command, fault=found.fault)
        return Check("openclaw", False, fault, "openclaw.fail.broken.hint")
    detail = terminal.say("openclaw.version", version=found.version, node=found.node)
    return Check("openclaw", found.release >= host.OLDEST, detail, "openclaw.fail.old.hint")


def _configured(terminal: Terminal) -> Sequence[Check]:
    path = host.config_path(os.environ)
    try:
        value = configuration.read(path).value
    except UneditableError as error:
        reason = terminal.say(f"openclaw.bad.{error.key}", **error.fields)
        return [Check("config", False, terminal.say("openclaw.bad", path=path, reason=reason))]
    if (place := wishes.included_in(value)) is not None:
        detail = terminal.say("openclaw.included", path=path, name=place or path.name)
        return [Check("config", False, detail, "openclaw.included.advice"), _daemon(terminal, value)]
    return [
        Check("config", True, str(path)),
        _plugin(terminal, value),
        _is(value, "slot", ("plugins", "slots", "memory"), wishes.PLUGIN),
        _is(value, "enabled", (*_ENTRY, "enabled"), True),
        _is(value, "access", (*_ENTRY, "hooks", "allowConversationAccess"), True),
        _injection(value),
        _is(value, "built_in", ("plugins", "entries", "memory-core", "enabled"), False),
        _sessions(terminal, value),
        _heartbeat(terminal, value),
        _daemon(terminal, value),
    ]


def _is(value: Value, name: str, path: Sequence[str], wanted: object) -> Check:
    found = at(value, path)
    return Check(name, found == wanted, f"{'.'.join(path)} = {_word(found)}")


def _plugin(terminal: Terminal, value: Value) -> Check:
    paths = at(value, ("plugins", "load", "paths"))
    ours = [path for path in paths if _is_plugin(path)] if isinstance(paths, list) else []
    return Check("plugin", bool(ours), ours[0] if ours else terminal.say("openclaw.no_path"))


def _is_plugin(path: object) -> bool:
    return isinstance(path, str) and wishes.is_plugin(Path(path))


def _injection(value: Value) -> Check:
    """Allowed unless it is forbidden."""
    path = (*_ENTRY, "hooks", "allowPromptInjection")
    return Check("injection", at(value, path) is not False, f"{'.'.join(path)} = {_word(at(value, path))}")


def _sessions(terminal: Terminal, value: Value) -> Check:
    """One session for all chats tells no group from a private chat: nothing private is told there."""
    is_shared = at(value, ("session", "scope")) == "global"
    detail = terminal.say("openclaw.sessions.shared" if is_shared else "openclaw.sessions.apart")
    return Check("sessions", not is_shared, detail, "openclaw.sessions.advice")


def _heartbeat(terminal: Terminal, value: Value) -> Check:
    """No fault: without it reminders wait for the next message."""
    return Check("heartbeat", True, terminal.say(f"openclaw.heartbeat.{reminders(value)}"))


def _daemon(terminal: Terminal, value: Value) -> Check:
    """The daemon that the plugin would ask, not the one that this shell would."""
    given = at(value, (*_ENTRY, "config", "socketPath"))
    path = Path(given) if isinstance(given, str) else terminal.socket or default_socket_path(os.environ)
    try:
        with Client(path) as client:
            health = client.health()
    except MemudError:
        return Check("daemon", False, terminal.say("error.unreachable", path=path), "hint.unreachable")
    words = [terminal.say.word("health", health["status"]), *map(terminal.say.heard, health["reasons"])]
    return Check("daemon", health["status"] != "error", " · ".join(words), "fix.degraded")


def _word(value: object) -> str:
    return "-" if value is None else json.dumps(value, ensure_ascii=False)


def _worded(terminal: Terminal, check: Check) -> dict[str, Any]:
    return {**asdict(check), "advice": "" if check.ok else terminal.say(check.advice)}


def _show(terminal: Terminal, checks: Sequence[dict[str, Any]]) -> None:
    for check in checks:
        verdict = terminal.say("check.ok" if check["ok"] else "check.bad")
        name = terminal.say(f"openclaw.check.{check['name']}")
        terminal.show(f"{verdict:<6} {terminal.say('field.line', name=name, value=check['detail'])}")
    for advice in dict.fromkeys(check["advice"] for check in checks if check["advice"]):
        terminal.show(advice)
