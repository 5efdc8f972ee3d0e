"""`memud openclaw install`: the plugin and what it needs into OpenClaw, shown before it is written."""

import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import typer
from memud_client.paths import default_socket_path

from cli import exits
from cli.openclaw import configuration, difference, host, record, wishes
from cli.openclaw.configuration import Configuration, UneditableError
from cli.openclaw.edits import Done, Edit, applied
from cli.openclaw.heartbeat import EVERY, Reminders, reminders
from cli.terminal import Terminal, reason_of

_COPY_SUFFIX = ".before-memud"
_HEARTBEAT = "30m"
_TIME = re.compile(r"\d+(?:ms|s|m|h|d)?")


def install(terminal: Terminal, heartbeat: str | None, *, dry_run: bool, yes: bool) -> None:
    """Change what has to change and nothing else; a second time changes nothing."""
    if heartbeat is not None and not _TIME.fullmatch(heartbeat):
        terminal.refuse("openclaw.heartbeat.bad", value=heartbeat)
    found = fit(terminal)
    path = host.config_path(os.environ)
    try:
        _install(terminal, found, path, heartbeat, dry_run=dry_run, yes=yes)
    except UneditableError as error:
        _by_hand(terminal, path, error, heartbeat)
    except OSError as error:
        unwritable = UneditableError("unwritable", cause=reason_of(error, terminal))
        _by_hand(terminal, path, unwritable, heartbeat)


def fit(terminal: Terminal) -> host.Host:
    """The OpenClaw to work with; ends the command where there is none, or it is too old."""
    found = host.find(os.environ)
    if found is None:
        _fail(terminal, "absent", "no_openclaw")
    if found.fault:
        _fail(terminal, "broken", "openclaw_broken", command=found.command, fault=found.fault)
    if found.release < host.OLDEST:
        _fail(terminal, "old", "openclaw_old", version=found.version)
    if found.release > host.NEWEST_TRIED:
        terminal.warn("openclaw.new", version=found.version)
    if host.is_readonly(os.environ):
        _fail(terminal, "readonly", "readonly")
    return found


def copy_of(path: Path) -> Path:
    """Where the configuration is kept as it was before memud came."""
    return path.with_name(path.name + _COPY_SUFFIX)


def _install(
    terminal: Terminal, found: host.Host, path: Path, heartbeat: str | None, *, dry_run: bool, yes: bool
) -> None:
    before = configuration.read(path)
    if name := wishes.obstacle(before.value):
        _fail(terminal, "refused", "refused_by_user", name=name, path=path)
    heartbeat = heartbeat or _offered(terminal, before, dry_run=dry_run, yes=yes)
    plugin = wishes.plugin_dir()
    stale = wishes.stale_paths(before.value, plugin)
    wanted = wishes.edits(before.value, plugin, _socket(terminal), heartbeat)
    if (place := wishes.included_in(before.value, wanted)) is not None:
        raise UneditableError("include", name=place or path.name)
    after, done = applied(wishes.without(before.value, stale), wanted)
    reply = _reply(path, done, stale, dry_run=dry_run)
    if not done and not stale:
        terminal.answer({**reply, "changed": False}, _show_same)
        return
    text = before.with_value(after)
    _show_changes(terminal, path, stale, done)
    _check(terminal, found, before, text)
    if not dry_run:
        terminal.sure(terminal.say("openclaw.ask", path=path), yes=yes, unasked="openclaw.unasked")
        _write(before, text, done)
    terminal.answer({**reply, "changed": not dry_run}, _show_dry if dry_run else _show_next)


def _offered(terminal: Terminal, before: Configuration, *, dry_run: bool, yes: bool) -> str | None:
    """Where nothing wakes the agent: the heartbeat that the person agrees to, if it would help."""
    if reminders(before.value) is not Reminders.OFF:
        return None
    helped, _ = applied(before.value, [Edit("set", EVERY, _HEARTBEAT)])
    if reminders(helped) is Reminders.OFF:
        terminal.warn("openclaw.heartbeat.elsewhere")
        return None
    is_asked = sys.stdin is not None and sys.stdin.isatty() and not (dry_run or yes or terminal.as_json)
    if is_asked and typer.confirm(terminal.say("openclaw.heartbeat.ask", time=_HEARTBEAT), err=True):
        return _HEARTBEAT
    terminal.warn("openclaw.heartbeat.off")
    return None


def _socket(terminal: Terminal) -> Path:
    return (terminal.socket or default_socket_path(os.environ)).absolute()


def _check(terminal: Terminal, found: host.Host, before: Configuration, text: str) -> None:
    """OpenClaw itself looks at the new configuration before it gets it."""
    with configuration.beside(before, text) as new:
        fault = host.refusal(found, new, os.environ)
    if fault:
        _fail(terminal, "invalid", "invalid", fault=fault)


def _write(before: Configuration, text: str, done: list[Done]) -> None:
    """The record first: what is not recorded could not be taken back."""
    state = host.state_dir(os.environ)
    old = record.load(state)
    kept = old or record.Record(before.path, created=before.text is None)
    record.save(state, replace(kept, done=[*kept.done, *done]))
    copy = copy_of(before.path)
    try:
        if before.text is not None and (old is None or not copy.exists()):  # one of an earlier stay is stale
            _copy(before.path, copy)
        configuration.replace(before, text)
    except (OSError, UneditableError):
        record.put_back(state, old)
        raise


def _copy(path: Path, copy: Path) -> None:
    """Whole or not at all, and never readable by others while it comes into being."""
    part = copy.with_name(copy.name + ".part")
    try:
        part.touch(mode=0o600)
        shutil.copy2(path, part)
        part.replace(copy)
    finally:
        part.unlink(missing_ok=True)


def _reply(path: Path, done: Sequence[Done], stale: Sequence[str], *, dry_run: bool) -> dict[str, Any]:
    changes = [{"name": one.name, "before": one.before, "after": one.edit.after} for one in done]
    return {"config": str(path), "changes": changes, "stale": list(stale), "dry_run": dry_run}


def _show_changes(terminal: Terminal, path: Path, stale: Sequence[str], done: Sequence[Done]) -> None:
    if terminal.as_json:
        return
    terminal.show(str(path))
    for line in difference.lines(stale, done):
        terminal.show(f"  {line}")


def _show_same(terminal: Terminal, _: object) -> None:
    terminal.tell("openclaw.same")


def _show_dry(terminal: Terminal, _: object) -> None:
    terminal.tell("dry")


def _show_next(terminal: Terminal, reply: dict[str, Any]) -> None:
    terminal.tell("openclaw.done")
    if (copy := copy_of(Path(reply["config"]))).exists():
        terminal.tell("openclaw.copy", path=copy)
    terminal.tell("openclaw.next")


def _by_hand(terminal: Terminal, path: Path, error: UneditableError, heartbeat: str | None) -> None:
    """The file is left alone; what to put there is said."""
    reason = terminal.say(f"openclaw.bad.{error.key}", **error.fields)
    if error.key not in {"not_json", "twice", "lossy", "no_number", "include"}:
        terminal.fail(terminal.say("openclaw.bad", path=path, reason=reason), exits.FAILED, reason=error.key)
    wanted, _ = applied({}, wishes.edits({}, wishes.plugin_dir(), _socket(terminal), heartbeat))
    terminal.warn("openclaw.by_hand", path=path, reason=reason)
    terminal.show(json.dumps(wanted, ensure_ascii=False, indent=2))
    terminal.fail(terminal.say("openclaw.untouched"), exits.FAILED, reason=error.key)


def _fail(terminal: Terminal, key: str, reason: str, **fields: object) -> NoReturn:
    message = terminal.say(f"openclaw.fail.{key}", **fields)
    terminal.fail(message, exits.FAILED, reason=reason, hint=terminal.say(f"openclaw.fail.{key}.hint"))
