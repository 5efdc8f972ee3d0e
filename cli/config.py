"""`memud config`: every setting in force, and where it comes from."""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from cli import exits
from cli.terminal import Terminal, command

ConfigFile = Annotated[Path | None, typer.Option("--config", help="option.config")]
OnlyPath = Annotated[bool, typer.Option("--path", help="option.path")]

_SECRET = re.compile(r"(key|token|secret|password)$")


@command
def config(terminal: Terminal, config_file: ConfigFile = None, path: OnlyPath = False) -> None:
    """Show the settings; ends with 78 if they can't be used."""
    # Only here: pydantic takes longer to load than all other commands take together.
    from config.settings import ConfigError, defaults, load, user_file

    chosen = config_file or user_file(os.environ)
    if path:
        terminal.answer({"path": str(chosen)}, lambda terminal, reply: terminal.show(reply["path"]))
        return
    try:
        values = load(config_file).model_dump(mode="json")
    except ConfigError as error:
        hint = terminal.say("fix.config")
        terminal.fail(str(error), exits.CONFIGURATION, reason="configuration", hint=hint)
    known = dict(_flat(defaults()))
    rows = [_row(key, value, known.get(key), chosen) for key, value in _flat(values)]
    terminal.answer(rows, _show)


def _row(key: str, value: Any, default: Any, chosen: Path) -> dict[str, Any]:
    shown = "***" if _SECRET.search(key) and isinstance(value, str) and value else value
    return {"key": key, "value": shown, "from": _origin(key, value, default, chosen)}


def _origin(key: str, value: Any, default: Any, chosen: Path) -> str:
    variable = "MEMUD_" + key.upper().replace(".", "__")
    if any(name.upper() == variable for name in os.environ):
        return variable
    return "default" if value == default else str(chosen)


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _show(terminal: Terminal, rows: list[dict[str, Any]]) -> None:
    cells = [(row["key"], str(row["value"]), terminal.say.word("from", row["from"])) for row in rows]
    terminal.table(("key", "value", "from"), cells)
