"""`recall.log`: what was asked, what came back, and what became of it. Times are Unix seconds, UTC."""

from typing import Literal, TypedDict

from memud_client.types.scope import ReadScope

MemoryOutcome = Literal["used", "unused", "forgotten", "edited", "unknown"]


class RecallLogOptions(ReadScope, total=False):
    """Filters and paging of `recall.log`."""

    limit: int
    cursor: str
    since: int


class GivenMemory(TypedDict):
    """A memory that a recall gave; `outcome` is None until it is decided.

    `forgotten` and `edited`: a person took it back, it was not wanted.
    """

    id: str
    score: float
    outcome: MemoryOutcome | None


class LoggedRecall(TypedDict):
    """One recall, at the time it was asked; `query` is empty once its words were forgotten."""

    id: int
    query: str
    session_id: str | None
    at: int
    threshold: float
    results: list[GivenMemory]


class RecallLogReply(TypedDict):
    """A page of recalls, newest first; `cursor` leads to the next, None ends."""

    results: list[LoggedRecall]
    cursor: str | None
