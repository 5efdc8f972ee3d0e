"""`recall`, `search`, `explain`: what is asked and what comes back. Times are Unix seconds, UTC."""

from typing import Any, Literal, TypedDict

from memud_client.types.proactive import ProactiveItem
from memud_client.types.scope import Kind, MemoryType, ReadScope, Role


class RecallOptions(ReadScope, total=False):
    """Options of `recall`."""

    limit: int
    threshold: float
    max_tokens: int
    kinds: list[Kind]
    categories: list[str]
    as_of: int
    in_prompt_since: int
    explain: bool


class SearchOptions(ReadScope, total=False):
    """Options of `search`."""

    limit: int
    as_of: int
    kinds: list[Kind]
    categories: list[str]
    since: int
    until: int
    include_superseded: bool


class ExplainOptions(ReadScope, total=False):
    """`threshold` as in `recall`."""

    threshold: float
    as_of: int


class Source(TypedDict):
    """Where a memory was said; `key` is the event key that the client gave."""

    resource_id: str
    key: str | None
    session_id: str | None
    timestamp: int
    role: Role | None
    span: tuple[int, int] | None
    tz: str


class Result(TypedDict):
    """One recalled fact or turn; scores are 0..1."""

    id: str
    memory: str
    layer: Literal["item", "resource"]
    kind: Kind
    memory_type: MemoryType
    score: float
    relevance: float
    retention: float
    importance: float
    created_at: int
    age_days: float
    valid_until: int | None
    categories: list[str]
    source: Source
    sources: list[Source]
    superseded_by: str | None
    date: str
    age: str
    maybe: list[str]
    said_by: list[str]


class SaidTurn(TypedDict):
    """One turn of a conversation, in plain words."""

    id: str
    key: str | None
    session_id: str | None
    role: Role
    sender: str | None
    text: str
    timestamp: int


class NearMiss(TypedDict):
    """What came close, and why it was not recalled."""

    id: str
    memory: str
    layer: Literal["item", "resource"]
    score: float
    relevance: float
    reason: str


class RecallReply(TypedDict):
    """`context` is the block for the prompt: empty when nothing fits, and silence is a good answer."""

    results: list[Result]
    fallback: list[SaidTurn]
    proactive: list[ProactiveItem]
    near_misses: list[NearMiss]
    context: str
    tokens: int
    threshold: float
    degraded: list[str]
    partial: bool
    warm: bool
    factors: dict[str, dict[str, Any]] | None


class SearchReply(TypedDict):
    """What was asked for, without a threshold, in the order of `recall`."""

    results: list[Result]
    degraded: list[str]
    partial: bool


class Explanation(TypedDict):
    """Every factor of a score, and why the memory was or was not recalled."""

    id: str
    recalled: bool
    reason: str
    score: float
    threshold: float
    factors: dict[str, Any]
