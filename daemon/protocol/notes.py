"""`notes.take`, `notes.list`, `notes.forget`: files such as MEMORY.md, and which of them are kept in step."""

from typing import Annotated

from msgspec import Meta

from daemon.protocol.call import Call, Reply
from daemon.protocol.fields import NO_CONTROL, NO_NUL, Seconds

NotePath = Annotated[str, Meta(min_length=1, max_length=4096, pattern=NO_CONTROL)]
Page = Annotated[str, Meta(max_length=1_048_576, pattern=NO_NUL)]


class NotesTakeParams(Call, kw_only=True, frozen=True):
    """A file of notes: MEMORY.md, USER.md, or a daily one such as 2026-03-08.md."""

    path: Annotated[NotePath, Meta(description="Where it is, as `realpath` tells it.")]
    text: Annotated[Page, Meta(description="All that stands in it.")]
    modified_at: Annotated[Seconds | None, Meta(description="When it was written; now, if absent.")] = None
    watch: Annotated[
        bool, Meta(description="True: the daemon reads MEMORY.md and USER.md again whenever they change.")
    ] = False


class NotesTakeResult(Reply, kw_only=True, frozen=True):
    """What became of its lines. The same file again changes nothing."""

    added: Annotated[int, Meta(description="New facts.")]
    known: Annotated[int, Meta(description="Lines that were known.")]
    edited: Annotated[int, Meta(description="Lines whose fact took an older one's place.")]
    ended: Annotated[int, Meta(description="Facts whose line is gone: archived, `restore` brings them back.")]
    forgotten: Annotated[tuple[int, ...], Meta(description="Lines that the user had forgotten.")] = ()
    emptied: Annotated[
        bool, Meta(description="True: a file that said something is empty, and nothing was changed.")
    ] = False


class NotesListParams(Call, kw_only=True, frozen=True):
    """The files that are kept in step."""


class WatchedNotes(Reply, kw_only=True, frozen=True):
    """A file that is kept in step."""

    path: Annotated[str, Meta(description="Where it is.")]
    read_at: Annotated[int | None, Meta(description="When it was last read.")] = None
    trouble: Annotated[
        str | None,
        Meta(
            description="Why nothing is changed for now: `gone`, `unreadable`, `empty`, `link`, `no_file`, "
            "`too_long`, `not_utf8`."
        ),
    ] = None


class NotesListResult(Reply, kw_only=True, frozen=True):
    """By path."""

    results: Annotated[tuple[WatchedNotes, ...], Meta(description="The files.")]


class NotesForgetParams(Call, kw_only=True, frozen=True):
    """Which file is no longer kept in step; its facts stay."""

    path: Annotated[NotePath, Meta(description="As `notes.list` tells it.")]


class NotesForgetResult(Reply, kw_only=True, frozen=True):
    """Done."""

    path: Annotated[str, Meta(description="The file.")]
