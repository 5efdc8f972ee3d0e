"""`memud openclaw uninstall`: what `install` has changed goes back; what somebody changed since stays."""

import os
from pathlib import Path
from typing import Any

from cli import exits
from cli.openclaw import configuration, difference, host, record
from cli.openclaw.configuration import Configuration, UneditableError
from cli.openclaw.edits import undone
from cli.openclaw.installing import copy_of
from cli.terminal import Terminal, reason_of


def uninstall(terminal: Terminal, *, dry_run: bool, yes: bool) -> None:
    """Take back exactly what the record names; memories, spool and marks stay."""
    state = host.state_dir(os.environ)
    kept = _record(terminal, state)
    if kept is None:
        terminal.answer({"changed": False, "changes": [], "left": []}, _show_absent)
        return
    try:
        _uninstall(terminal, state, kept, dry_run=dry_run, yes=yes)
    except UneditableError as error:
        _by_hand(terminal, kept, error)
    except OSError as error:
        _by_hand(terminal, kept, UneditableError("unwritable", cause=reason_of(error, terminal)))


def _uninstall(terminal: Terminal, state: Path, kept: record.Record, *, dry_run: bool, yes: bool) -> None:
    before = configuration.read(kept.config)
    after, back, left = undone(before.value, kept.done)
    if not terminal.as_json:
        terminal.show(str(kept.config))
        for line in difference.reversed_lines(back):
            terminal.show(f"  {line}")
        for one in left:
            terminal.tell("openclaw.left", name=one.name)
    reply = {
        "config": str(kept.config),
        "changes": [one.name for one in back],
        "left": [one.name for one in left],
        "dry_run": dry_run,
        "changed": not dry_run,
    }
    if not dry_run:
        terminal.sure(terminal.say("openclaw.ask", path=kept.config), yes=yes, unasked="openclaw.unasked")
        _restore(before, after, is_ours=kept.created)
        record.path_in(state).unlink(missing_ok=True)
    terminal.answer(reply, _show_dry if dry_run else _show_gone)


def _restore(before: Configuration, after: dict[str, Any], *, is_ours: bool) -> None:
    """The file as it was, or none where it came with memud and holds nothing else. An equal copy goes too."""
    if before.text is None:
        return
    if is_ours and not after:
        before.path.unlink()
        return
    copy = _copy(before.path)
    if copy.text is None or copy.value != after:
        configuration.replace(before, before.with_value(after))
        return
    configuration.replace(before, copy.text)  # its very lines and blanks
    copy.path.unlink()


def _copy(path: Path) -> Configuration:
    try:
        return configuration.read(copy_of(path))
    except UneditableError:  # somebody has edited it
        return Configuration(copy_of(path), None, {})


def _record(terminal: Terminal, state: Path) -> record.Record | None:
    try:
        return record.load(state)
    except (OSError, ValueError):
        message = terminal.say("openclaw.record", path=record.path_in(state))
        terminal.fail(message, exits.FAILED, reason="record", hint=terminal.say("openclaw.record.hint"))


def _by_hand(terminal: Terminal, kept: record.Record, error: UneditableError) -> None:
    reason = terminal.say(f"openclaw.bad.{error.key}", **error.fields)
    terminal.warn("openclaw.by_hand.back", path=kept.config, reason=reason)
    for line in difference.reversed_lines(reversed(kept.done)):
        terminal.show(f"  {line}")
    terminal.fail(terminal.say("openclaw.untouched"), exits.FAILED, reason=error.key)


def _show_absent(terminal: Terminal, _: object) -> None:
    terminal.tell("openclaw.not_installed")


def _show_dry(terminal: Terminal, _: object) -> None:
    terminal.tell("dry")


def _show_gone(terminal: Terminal, reply: dict[str, Any]) -> None:
    terminal.tell("openclaw.gone")
    if (copy := copy_of(Path(reply["config"]))).exists():
        terminal.tell("openclaw.copy_left", path=copy)
