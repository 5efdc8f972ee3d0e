"""`recall.log`: what was asked, what came back, and what became of it."""

from typing import Annotated

from msgspec import Meta

from daemon.protocol.call import Reading, Reply
from daemon.protocol.fields import Cursor, Limit, Seconds
from memory.store.recalls import Outcome


class RecallLogParams(Reading, kw_only=True, frozen=True):
    """Which recalls. What somebody asked is private: with `private: false` there are none."""

    limit: Annotated[Limit, Meta(description="Recalls a page.")] = 100
    cursor: Annotated[Cursor | None, Meta(description="From the page before.")] = None
    since: Annotated[Seconds | None, Meta(description="Nothing asked before.")] = None


class GivenMemory(Reply, kw_only=True, frozen=True):
    """A memory that a recall gave, and what became of it."""

    id: Annotated[str, Meta(description="Of the memory.")]
    score: Annotated[float, Meta(description="Decayed relevance, 0..1, when it was given.")]
    outcome: Annotated[
        Outcome | None,
        Meta(
            description="`used`: the reply quotes or repeats it; `unused`: it does not; `forgotten`, "
            "`edited`: a person took it back; `unknown`: nobody answered within a day, or the reply "
            "can't tell; null: too early to say."
        ),
    ]


class LoggedRecall(Reply, kw_only=True, frozen=True):
    """One recall, as it was when it was asked."""

    id: Annotated[int, Meta(description="Its number, in order of arrival.")]
    query: Annotated[str, Meta(description="The prompt, masked; empty once its words were forgotten.")]
    session_id: Annotated[str | None, Meta(description="Which conversation.")]
    at: Annotated[int, Meta(description="When, Unix seconds.")]
    threshold: Annotated[float, Meta(description="The threshold that was in force.")]
    results: Annotated[tuple[GivenMemory, ...], Meta(description="What came back; often nothing.")]


class RecallLogResult(Reply, kw_only=True, frozen=True):
    """One page of recalls."""

    results: Annotated[tuple[LoggedRecall, ...], Meta(description="Newest first.")]
    cursor: Annotated[str | None, Meta(description="For the next page; null on the last.")] = None
