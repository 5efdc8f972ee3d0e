"""`session.compact`, `session.resume`: a conversation outlives its context window and its agent."""

from typing import Annotated

from msgspec import Meta

from daemon.protocol.call import Call, Reading, Reply
from daemon.protocol.capture import WindowUse
from daemon.protocol.fields import Limit, Name, Word
from daemon.protocol.turns import SaidTurn
from memory.model import ProactiveItem


class CompactParams(Call, kw_only=True, frozen=True):
    """Which session, and why."""

    session_id: Annotated[Name, Meta(description="Which conversation.")]
    reason: Annotated[Word, Meta(description="Why, in a word: `threshold`, `manual`, `flush`, ...")] = (
        "manual"
    )
    context: Annotated[WindowUse | None, Meta(description="How full the context window is.")] = None


class CompactResult(Reply, kw_only=True, frozen=True):
    """The session in short; the same for a second call in one cycle."""

    summary: Annotated[str, Meta(description="What the session was about.")]
    item_ids: Annotated[tuple[str, ...], Meta(description="Facts that the session gave.")] = ()
    cycle: Annotated[int, Meta(description="Which compaction of this session, from 1.")] = 1


class ResumeParams(Reading, kw_only=True, frozen=True):
    """Which session."""

    session_id: Annotated[Name, Meta(description="Which conversation.")]
    limit: Annotated[
        Limit | None, Meta(description="Turns at most; `compaction.resume_turns` (12) if absent.")
    ] = None


class ResumeResult(Reply, kw_only=True, frozen=True):
    """What a restarted agent needs."""

    turns: Annotated[tuple[SaidTurn, ...], Meta(description="The last turns, oldest first.")]
    summary: Annotated[str | None, Meta(description="Of the last compaction; null if there is none.")] = None
    proactive: Annotated[tuple[ProactiveItem, ...], Meta(description="Open predictions.")] = ()
