"""Reads a file of notes: a plain file at its very place, of a sane size, in UTF-8. Never writes."""

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from memory.errors import InvalidError, MemudError
from memory.notes.document import nature_of


class NotesUnreadableError(MemudError):
    """The file can't be read now. `trouble` is the word for it."""

    def __init__(self, trouble: str) -> None:
        super().__init__(trouble)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Contents:
    """A file's words; `stamp` changes with them. `modified_at` in Unix seconds."""

    text: str
    stamp: str
    modified_at: int


def check_path(path: str) -> Path:
    """A path under which notes may be taken in. Raises InvalidError for any other."""
    if not Path(path).is_absolute() or os.path.normpath(path) != path:
        raise InvalidError("the path of notes must be absolute and plain", hint="give it as `realpath` does")
    if nature_of(Path(path)) is None:
        raise InvalidError(
            "this is no file of notes",
            hint="notes are MEMORY.md, USER.md, and daily ones such as 2026-03-08.md",
        )
    return Path(path)


def stamp_of(path: Path) -> str:
    """How the file looks without being opened. Raises NotesUnreadableError."""
    try:
        return _stamp(path.lstat())
    except OSError as error:
        raise NotesUnreadableError(_word(error)) from error


def read(path: Path, max_bytes: int) -> Contents:
    """The whole file, as it was at one moment. Raises NotesUnreadableError."""
    try:
        if os.path.realpath(path) != str(path):
            raise NotesUnreadableError("link")  # what a link leads to may change under the same name
        # Without waiting: a pipe under that name would hold us for ever.
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(opened, "rb") as file:
            before = os.fstat(opened)
            if not stat.S_ISREG(before.st_mode):
                raise NotesUnreadableError("no_file")
            raw = file.read(max_bytes + 1)
            after = os.fstat(opened)
    except OSError as error:
        raise NotesUnreadableError(_word(error)) from error
    if len(raw) > max_bytes:
        raise NotesUnreadableError("too_long")
    if _stamp(before) != _stamp(after):
        raise NotesUnreadableError("busy")
    return Contents(_decoded(raw), _stamp(after), int(after.st_mtime))


def _decoded(raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotesUnreadableError("not_utf8") from error


def _stamp(found: os.stat_result) -> str:
    return f"{found.st_size}:{found.st_mtime_ns}:{found.st_ino}"


def _word(error: OSError) -> str:
    return "gone" if isinstance(error, FileNotFoundError | NotADirectoryError) else "unreadable"
