"""The files of a set, as its publishers give them."""

import gzip
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from evaluation.errors import DataError

Read = TypeVar("Read")


def check(data: Path, files: tuple[str, ...]) -> None:
    """Raises DataError naming the first file that is not there."""
    for name in files:
        if not (data / name).is_file():
            raise DataError(f"{data / name}: no such file", hint="name the folder of the sets with --data")


def read_json(path: Path) -> Any:
    """A gzipped JSON document. Raises DataError."""
    return _whole(path, lambda: json.loads(_text(path)))


def read_lines(path: Path) -> list[dict[str, Any]]:
    """A gzipped file of one JSON object a line. Raises DataError."""
    return _whole(path, lambda: list(_objects(path)))


def seconds(text: str) -> int:
    """Unix seconds of an ISO time, taken as UTC whatever zone it names."""
    return _as_utc(datetime.fromisoformat(text))


def seconds_in(form: str, text: str) -> int:
    """Unix seconds of a time in a form of its own, taken as UTC."""
    return _as_utc(datetime.strptime(text, form))  # noqa: DTZ007 - the zone comes in the next line


def _as_utc(moment: datetime) -> int:
    return int(moment.replace(tzinfo=UTC).timestamp())


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    for line in _text(path).rstrip("\n").split("\n"):
        yield json.loads(line)


def _text(path: Path) -> str:
    with gzip.open(path, "rt", encoding="utf-8") as opened:
        return opened.read()


def _whole(path: Path, read: Callable[[], Read]) -> Read:
    try:
        return read()
    except (OSError, EOFError, ValueError) as error:
        raise DataError(f"{path} can't be read: {error}", hint="fetch it again") from error
