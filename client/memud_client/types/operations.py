"""The capture queue and the jobs. Times are Unix seconds, UTC."""

from typing import Any, Literal, TypedDict

from memud_client.types.scope import ReadScope, Scope


class QueueListOptions(ReadScope, total=False):
    """Filters of `queue.list`; without `state` all but `done`."""

    state: Literal["queued", "leased", "done", "dead"]
    limit: int
    cursor: str


class QueueChangeOptions(Scope, total=False):
    """One entry by `id` (or a short prefix), or all of a `state`; one of the two is needed."""

    id: str
    state: Literal["queued", "dead"]


class JobOptions(Scope, total=False):
    """Options of `job.run`; without `user_id` it serves every user."""

    dry_run: bool
    backend: Literal["exact", "vss", "faiss"]
    as_of: int


class AgentState(Scope, total=False):
    """What a plugin tells of itself in `agent.report`."""

    instance: str
    version: str
    problems: list[str]
    reminders: Literal["wake", "next-turn", "off"]
    turns: int
    recalls: int
    captures: int
    spooled: int


class AgentReply(TypedDict):
    """What `health` says of the plugin, for a person."""

    reasons: list[str]


class NotesOptions(Scope, total=False):
    """Options of `notes.take`; with `watch` the daemon reads the file again whenever it changes."""

    modified_at: int
    watch: bool


class NotesReply(TypedDict):
    """What became of the lines of a file of notes."""

    added: int
    known: int
    edited: int
    ended: int
    forgotten: list[int]
    emptied: bool


class WatchedNotes(TypedDict):
    """A file that is kept in step; `trouble` says why nothing is changed for now."""

    path: str
    read_at: int | None
    trouble: str | None


class WatchedNotesReply(TypedDict):
    """The files that are kept in step, by path."""

    results: list[WatchedNotes]


class ForgottenNotes(TypedDict):
    """The file that is no longer kept in step."""

    path: str


class ExportOptions(Scope, total=False):
    """Which records of `export`: `everything` adds turns that gave no fact."""

    everything: bool
    limit: int
    cursor: str


class ExportReply(TypedDict):
    """A page of records; `cursor` leads to the next, None ends."""

    records: list[dict[str, Any]]
    cursor: str | None


class SkippedRecord(TypedDict):
    """A record that was not kept, by its place in the call."""

    index: int
    reason: str
    detail: str


class ImportReply(TypedDict):
    """What became of records."""

    added: int
    known: int
    skipped: list[SkippedRecord]


class QueueEntry(TypedDict):
    """A turn on its way to becoming facts."""

    id: str
    resource_id: str
    key: str
    session_id: str | None
    state: str
    attempts: int
    due_at: int
    reason: str | None
    created_at: int


class QueueReply(TypedDict):
    """A page of the queue, oldest first; `cursor` leads to the next, None ends."""

    results: list[QueueEntry]
    cursor: str | None


class QueueChange(TypedDict):
    """The entries that were changed."""

    ids: list[str]


class Report(TypedDict):
    """What a job did: counts by name, and notes for a person."""

    job: str
    counts: dict[str, int]
    notes: list[str]
    dry_run: bool
