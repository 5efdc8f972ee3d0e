"""Notes that people and their agents keep in files: MEMORY.md, USER.md and those of single days."""

from collections.abc import Iterator
from pathlib import Path

from tzlocal import get_localzone_name

from cli.importing.found import Document, Fault, Found, Passed, Place, Wishes
from memory.notes import reading
from memory.notes.document import nature_of
from memory.notes.document import read as read_document
from memory.notes.entry import Shelf, entries

_MAX_BYTES = 1_048_576


def recognises(path: Path, head: bytes) -> bool:
    """Whether it is named as notes are, and holds text."""
    return nature_of(path) is not None and b"\0" not in head


def read(path: Path, wishes: Wishes) -> Iterator[Found]:
    """The file as a whole, since only the daemon knows which of its lines it has; and what it passes over."""
    own, place = path.resolve(), Place(str(path))
    nature = nature_of(own)
    if nature is None:
        yield Passed(place, "note_link")
        return
    try:
        contents = reading.read(own, _MAX_BYTES)
    except reading.NotesUnreadableError as error:
        yield Fault(place, f"import.note_{error.trouble}")
        return
    document = read_document(contents.text, nature)
    for reason, count in document.passed.items():
        yield from [Passed(place, reason)] * count
    shelf = Shelf("", str(own), nature, contents.modified_at, get_localzone_name() or "UTC")
    moments = [shelf.moment(entry.note) for entry in entries(document.notes)]
    if moments or nature.is_lasting:
        watch = wishes.watch and nature.is_lasting
        yield Document(place, str(own), contents.text, contents.modified_at, moments, watch)
