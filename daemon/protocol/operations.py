"""`queue.*` and `job.run`: what an operator may do."""

from typing import Annotated, Literal

from msgspec import Meta

from daemon.protocol.call import Call, Reading, Reply
from daemon.protocol.fields import Id, Limit
from daemon.protocol.recall import AsOf
from memory.model import QueueState


class QueueListParams(Reading, kw_only=True, frozen=True):
    """Which entries."""

    state: Annotated[QueueState | None, Meta(description="Only these; all but `done`, if absent.")] = None
    limit: Annotated[Limit, Meta(description="Entries at most.")] = 100


class QueueEntry(Reply, kw_only=True, frozen=True):
    """A turn on its way to becoming facts. Times are Unix seconds."""

    id: Annotated[str, Meta(description="Of the entry.")]
    resource_id: Annotated[str, Meta(description="Of the turn.")]
    key: Annotated[str | None, Meta(description="The event key that the client gave.")]
    user_id: Annotated[str, Meta(description="Whose turn.")]
    session_id: Annotated[str | None, Meta(description="Which conversation.")]
    state: Annotated[QueueState, Meta(description="Where it stands.")]
    attempts: Annotated[int, Meta(description="How often it was tried.")]
    due_at: Annotated[int, Meta(description="When it is tried next.")]
    reason: Annotated[str | None, Meta(description="What went wrong last.")] = None


class QueueListResult(Reply, kw_only=True, frozen=True):
    """Entries of the queue."""

    results: Annotated[tuple[QueueEntry, ...], Meta(description="Oldest first.")]


class QueueChangeParams(Call, kw_only=True, frozen=True):
    """One entry by id, or all of a state; one of the two is needed."""

    id: Annotated[Id | None, Meta(description="This entry, or a short prefix of its id.")] = None
    state: Annotated[Literal["queued", "dead"] | None, Meta(description="All of this state.")] = None


class QueueChangeResult(Reply, kw_only=True, frozen=True):
    """What was changed."""

    ids: Annotated[tuple[str, ...], Meta(description="The entries.")]


class JobRunParams(Call, kw_only=True, frozen=True):
    """Which job; without `user_id` it serves every user."""

    name: Annotated[Literal["monitor", "cleanup", "reindex", "backup"], Meta(description="Which job.")]
    dry_run: Annotated[bool, Meta(description="True: only say what would be done.")] = False
    as_of: AsOf = None
