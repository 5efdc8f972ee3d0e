"""The formats that can be brought in, each recognised by what stands in the file, never by its name alone."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cli.importing import chatgpt, chats, claude, exports, mem0, memud, notes
from cli.importing.found import Found, Wishes
from cli.importing.openclaw import database, files

_HEAD_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file.

    `recognises` gets the path and the first 64 KiB of the file and reads no more; the first format of the
    list that says yes reads the file. `read` never writes, keeps at most one conversation in memory, and
    raises OSError alone: what is wrong with the content it yields as a Fault.
    """

    name: str
    recognises: Callable[[Path, bytes], bool]
    read: Callable[[Path, Wishes], Iterator[Found]]


FORMATS: Sequence[Format] = (
    Format("openclaw", files.recognises, files.read),
    Format("openclaw-db", database.recognises, database.read),
    Format("openclaw-index", files.recognises_index, files.read_index),
    Format("chatgpt", chatgpt.recognises, chatgpt.read),
    Format("claude", claude.recognises, claude.read),
    Format("mem0", mem0.recognises, mem0.read),
    Format("no-chats", chats.recognises_empty, chats.read_empty),
    Format("notes", notes.recognises, notes.read),
    Format("memud", memud.recognises, memud.read),
    Format("archive", exports.recognises_damaged, exports.read_damaged),
)


def recognise(path: Path) -> Format | None:
    """The format of a file, or None. Raises OSError if it can't be read."""
    with path.open("rb") as opened:
        head = opened.read(_HEAD_BYTES)
    return next((known for known in FORMATS if known.recognises(path, head)), None)


def named(name: str) -> Format | None:
    """The format of that name."""
    return next((known for known in FORMATS if known.name == name), None)
