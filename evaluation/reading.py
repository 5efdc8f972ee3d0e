"""The files of a set, as its publishers give them."""

import gzip
import json
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.resources import files as package_files
from pathlib import Path
from typing import Any, TypeVar

from evaluation.errors import DataError
from evaluation.forms import Form, fault

Read = TypeVar("Read")
Row = dict[str, Any]


def check(data: Path, files: tuple[str, ...]) -> None:
    """Raises DataError naming the first file that is not there."""
    for name in files:
        if not place(data, name).is_file():
            raise DataError(f"{data / name}: no such file", hint="name the folder of the sets with --data")


def place(data: Path, name: str) -> Path:
    """Where a file of a set lies: in its folder below `data`, or in `data` if that is its folder."""
    alone = data / Path(name).name
    return alone if alone.is_file() else data / name


def own_lines(name: str) -> list[Row]:
    """One JSON object a line, of a file that comes with memud."""
    text = package_files("evaluation").joinpath("data", name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.rstrip("\n").split("\n")]


def read_list(path: Path, form: Form) -> list[Row]:
    """A gzipped JSON list of objects in a form, at least one. Raises DataError."""
    found = _whole(path, lambda: json.loads(_text(path)))
    if not isinstance(found, list):
        raise malformed(path, f"no list, but {type(found).__name__}", form)
    return _checked(path, found, form)


def read_lines(path: Path, form: Form) -> list[Row]:
    """A gzipped file of one JSON object in a form a line, at least one. Raises DataError."""
    return _checked(path, _whole(path, lambda: list(_values(path))), form)


def malformed(path: Path, what: str, form: Form) -> DataError:
    """The error that names a file, what is wrong with it, and what it should hold."""
    should = f"it should hold objects with {', '.join(form)}"
    return DataError(f"{path} has another form than expected: {what}; {should}", hint="fetch it again")


def seconds(text: str) -> int:
    """Unix seconds of an ISO time, taken as UTC whatever zone it names."""
    return _as_utc(datetime.fromisoformat(text))


def seconds_in(form: str, text: str) -> int:
    """Unix seconds of a time in a form of its own, taken as UTC."""
    return _as_utc(datetime.strptime(text, form))  # noqa: DTZ007 - the zone comes in the next line


def _as_utc(moment: datetime) -> int:
    return int(moment.replace(tzinfo=UTC).timestamp())


def _checked(path: Path, values: Sequence[Any], form: Form) -> list[Row]:
    if not values:
        raise malformed(path, "nothing in it", form)
    for number, value in enumerate(values, start=1):
        if wrong := fault(value, form):
            raise malformed(path, f"row {number}: {wrong}", form)
    return list(values)


def _values(path: Path) -> Iterator[Any]:
    for line in _text(path).rstrip("\n").split("\n"):
        yield json.loads(line)


def _text(path: Path) -> str:
    with gzip.open(path, "rt", encoding="utf-8") as opened:
        return opened.read()


def _whole(path: Path, read: Callable[[], Read]) -> Read:
    try:
        return read()
    except (OSError, EOFError, ValueError, RecursionError) as error:
        raise DataError(f"{path} can't be read: {error}", hint="fetch it again") from error
