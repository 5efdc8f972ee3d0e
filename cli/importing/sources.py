"""The files behind a path: one, or all of a folder in the order of their names."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cli.importing.formats import Format, recognise
from cli.importing.found import Fault, Passed, Place

_BESIDE_A_DATABASE = ("-wal", "-shm", "-journal")
_NOT_ENTERED = frozenset({".git", "node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Source:
    """A file and how to read it."""

    path: Path
    format: Format
    bytes: int


def sources(path: Path, forced: Format | None = None) -> Iterator[Source | Passed | Fault]:
    """What can be read under a path, and what can't be: a file of no known format, a loop of links, no right.

    A folder's files are visited by name, each file and each folder once, whatever links lead to it.
    Raises OSError if the path itself can't be looked at.
    """
    mode = path.stat().st_mode
    if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
        # A pipe can be read once, and a look at what it is would have been that.
        yield Fault(Place(str(path)), "import.no_file")
        return
    if not stat.S_ISDIR(mode):
        yield _source(path, forced) or Fault(Place(str(path)), "import.foreign")
        return
    seen: set[tuple[int, int]] = set()
    for file in _files(path, seen):
        if isinstance(file, Fault):
            yield file
        else:
            yield _visited(file, forced, seen)


def _files(folder: Path, seen: set[tuple[int, int]]) -> Iterator[Path | Fault]:
    try:
        if not _is_new(folder, seen):
            yield Fault(Place(str(folder)), "import.loop")
            return
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield unreadable(folder, error)
        return
    for entry in entries:
        if entry.name.endswith(_BESIDE_A_DATABASE):
            continue
        try:
            is_folder = entry.is_dir()
        except OSError:
            is_folder = False  # a link to itself: told when it is looked at
        if not is_folder:
            yield Path(entry.path)
        elif entry.name not in _NOT_ENTERED:
            yield from _files(Path(entry.path), seen)


def _visited(file: Path, forced: Format | None, seen: set[tuple[int, int]]) -> Source | Passed | Fault:
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            return Passed(Place(str(file)), "no_file")
        if not _is_new(file, seen):
            return Passed(Place(str(file)), "linked_twice")
        return _source(file, forced) or Passed(Place(str(file)), "foreign")
    except OSError as error:
        return unreadable(file, error)


def _source(file: Path, forced: Format | None) -> Source | None:
    kind = forced or recognise(file)
    return Source(file, kind, file.stat().st_size) if kind else None


def _is_new(path: Path, seen: set[tuple[int, int]]) -> bool:
    found = path.stat()
    identity = found.st_dev, found.st_ino
    is_new = identity not in seen
    seen.add(identity)
    return is_new


def unreadable(path: Path, error: OSError) -> Fault:
    """What the system refused to show."""
    return Fault(Place(str(path)), "import.unreadable", {"cause": error.strerror or str(error)})
