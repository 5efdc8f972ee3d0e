"""`queue.*` and `job.run`: what an operator may do."""

from typing import Annotated, Literal

from msgspec import Meta

from daemon.protocol.call import Call, Reading, Reply
from daemon.protocol.fields import Cursor, Id, Limit
from daemon.protocol.recall import AsOf
from memory.model import QueueState
from memory.queue import Entry


class QueueListParams(Reading, kw_only=True, frozen=True):
    """Which entries."""

    state: Annotated[QueueState | None, Meta(description="Only these; all but `done`, if absent.")] = None
    limit: Annotated[Limit, Meta(description="Entries a page.")] = 100
    cursor: Annotated[Cursor | None, Meta(description="From the page before.")] = None


class QueueListResult(Reply, kw_only=True, frozen=True):
    """Entries of the queue."""

    results: Annotated[tuple[Entry, ...], Meta(description="Oldest first.")]
    cursor: Annotated[str | None, Meta(description="For the next page; null on the last.")] = None


class QueueChangeParams(Call, kw_only=True, frozen=True):
    """One entry by id, or all of a state; one of the two is needed."""

    id: Annotated[Id | None, Meta(description="This entry, or a short prefix of its id.")] = None
    state: Annotated[Literal["queued", "dead"] | None, Meta(description="All of this state.")] = None


class QueueChangeResult(Reply, kw_only=True, frozen=True):
    """What was changed."""

    ids: Annotated[tuple[str, ...], Meta(description="The entries.")]


class JobRunParams(Call, kw_only=True, frozen=True):
    """Which job; without `user_id` it serves every user."""

    name: Annotated[
        Literal["monitor", "cleanup", "categories", "notes", "reindex", "backup"],
        Meta(description="Which job."),
    ]
    dry_run: Annotated[bool, Meta(description="True: only say what would be done.")] = False
    backend: Annotated[
        Literal["exact", "vss", "faiss"] | None,
        Meta(description="For `reindex` alone: the vector index that shall answer from now on."),
    ] = None
    as_of: AsOf = None
