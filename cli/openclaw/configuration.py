"""OpenClaw's configuration as a file: taken only if it can be written back without loss, replaced whole."""

import json
import os
import re
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

Value = dict[str, Any]
_NEW_FILE_MODE = 0o600  # it may get keys of providers
_USUAL_INDENT = "  "


class UneditableError(Exception):
    """Nothing was written, as something would be lost or is not as it must be; `key` names the sentence."""

    def __init__(self, key: str, **fields: object) -> None:
        super().__init__(key, fields)
        self.key = key
        self.fields = fields


@dataclass(frozen=True, slots=True)
class Configuration:
    """What stood in the file at one moment; `text` is None where there is no file."""

    path: Path
    text: str | None
    value: Value

    def with_value(self, value: Value) -> str:
        """The new text, with the old one's indentation and last line."""
        indent = re.search(r"\A\s*\{\r?\n([ \t]+)", self.text or "")
        text = json.dumps(value, ensure_ascii=False, indent=indent[1] if indent else _USUAL_INDENT)
        return text if self.text and not self.text.endswith("\n") else text + "\n"


def read(path: Path) -> Configuration:
    """The file; an absent one is empty. Raises UneditableError."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Configuration(path, None, {})
    except UnicodeDecodeError as error:
        raise UneditableError("utf8") from error
    except OSError as error:
        raise UneditableError("unreadable", cause=error.strerror or str(error)) from error
    if not text.strip():
        return Configuration(path, text, {})
    return Configuration(path, text, _parsed(text))


def replace(configuration: Configuration, text: str) -> None:
    """Put the new text in the file's place at once, unless it has changed since it was read."""
    if read(configuration.path).text != configuration.text:
        raise UneditableError("changed")
    with beside(configuration, text) as new:
        new.replace(configuration.path)


@contextmanager
def beside(configuration: Configuration, text: str) -> Iterator[Path]:
    """A file with this text in the same folder, as private as the configuration; gone at the end."""
    path = configuration.path
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".json", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(stat.S_IMODE(path.stat().st_mode) if path.exists() else _NEW_FILE_MODE)
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def _parsed(text: str) -> Value:
    """JSON without anything that writing it back would lose: comments, double keys, numbers out of range."""
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except json.JSONDecodeError as error:
        raise UneditableError("not_json", line=error.lineno) from error
    except RecursionError as error:
        raise UneditableError("too_deep") from error
    except ValueError as error:  # half a sign, a number beyond all numbers
        raise UneditableError("lossy") from error
    if not isinstance(value, dict):
        raise UneditableError("no_object", name="JSON")
    return value


def _unique(pairs: Iterable[tuple[str, Any]]) -> Value:
    value: Value = {}
    for name, one in pairs:
        if name in value:
            raise UneditableError("twice", name=name)
        value[name] = one
    return value


def _no_number(word: str) -> NoReturn:
    raise UneditableError("no_number", word=word)
