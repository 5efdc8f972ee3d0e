"""What `install` has changed, kept in OpenClaw's state folder: `uninstall` takes exactly that back."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cli.openclaw.edits import Done, Edit

_VERSION = 1


@dataclass(frozen=True, slots=True)
class Record:
    """`config` is the file that was changed, `created` whether it came into being with the first change."""

    config: Path
    created: bool
    done: list[Done] = field(default_factory=list)


def path_in(state_dir: Path) -> Path:
    """Where the record is."""
    return state_dir / "memud" / "install.json"


def load(state_dir: Path) -> Record | None:
    """The record, or None where there is none; raises ValueError where it can't be read."""
    try:
        kept = json.loads(path_in(state_dir).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    try:
        done = [_done(one) for one in kept["done"]]
        return Record(Path(kept["config"]), bool(kept["created"]), done)
    except (KeyError, TypeError) as error:
        raise ValueError(f"no record of an installation: {error}") from error


def save(state_dir: Path, record: Record) -> None:
    """Keep it, for the owner alone."""
    path = path_in(state_dir)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    kept = {
        "version": _VERSION,
        "config": str(record.config),
        "created": record.created,
        "done": [asdict(one) for one in record.done],
    }
    new = path.with_suffix(".new")
    new.touch(mode=0o600)
    new.write_text(json.dumps(kept, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    new.replace(path)


def put_back(state_dir: Path, record: Record | None) -> None:
    """The record as it was, or none, where what it names was not done after all."""
    if record is None:
        path_in(state_dir).unlink(missing_ok=True)
    else:
        save(state_dir, record)


def _done(kept: dict[str, Any]) -> Done:
    edit = kept["edit"]
    made = [tuple(path) for path in kept["made"]]
    return Done(Edit(edit["kind"], tuple(edit["path"]), edit["after"]), kept["had"], kept["before"], made)
