"""The shapes that go over the wire: what a call names and what comes back. Times are Unix seconds, UTC."""

from typing import Any, Literal, TypedDict

Role = Literal["user", "assistant", "tool", "system"]
Kind = Literal["episodic", "semantic"]
MemoryType = Literal["correction", "preference", "decision", "observation", "general"]
Outcome = Literal["used", "dismissed", "snoozed"]
Topic = Literal["proactive", "compaction", "health"]


class UserScope(TypedDict, total=False):
    """Whose memory a call is about, and how long the daemon may take."""

    user_id: str
    agent_id: str
    deadline_ms: int


class UserReadScope(UserScope, total=False):
    """`private=False` hides private rows: for groups and channels."""

    private: bool


class Scope(UserScope, total=False):
    """A user's memory, or what it has of one session."""

    session_id: str


class ReadScope(Scope, UserReadScope, total=False):
    """What a reading call may see."""


class _EventContent(TypedDict):
    role: Role
    content: Any


class Event(_EventContent, total=False):
    """One thing that happened. A repeated `key` of a user is a duplicate, whatever its body."""

    key: str
    sender: str
    modality: Literal["chat", "file", "tool"]
    timestamp: int
    tz: str
    trigger: str
    private: bool


class ContextUse(TypedDict):
    """How full the agent's context window is; memud answers when a compaction is due."""

    tokens_used: int
    context_window: int


class HelloOptions(TypedDict, total=False):
    """`user_id` binds the connection to that user."""

    protocol: str
    user_id: str


class CaptureOptions(Scope, total=False):
    """Options of `capture`."""

    context: ContextUse


class RecallOptions(ReadScope, total=False):
    """Options of `recall`."""

    limit: int
    threshold: float
    max_tokens: int
    kinds: list[Kind]
    as_of: int
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


class AddOptions(Scope, total=False):
    """Options of `add`; `infer=False` stores the words as they are."""

    kind: Kind
    memory_type: MemoryType
    importance: float
    valid_until: int | None
    timestamp: int
    infer: bool


class ListOptions(ReadScope, total=False):
    """Filters and paging of `list`."""

    limit: int
    cursor: str
    kinds: list[Kind]
    memory_types: list[MemoryType]
    categories: list[str]
    since: int
    until: int
    include_superseded: bool


class UpdateOptions(Scope, total=False):
    """The fields that `update` sets; `half_life_days=None` makes a memory evergreen."""

    memory: str
    kind: Kind
    memory_type: MemoryType
    importance: float
    half_life_days: int | None
    valid_until: int | None


class ExplainOptions(ReadScope, total=False):
    """Options of `explain`."""

    as_of: int


class ProactiveListOptions(ReadScope, total=False):
    """Filters of `proactive.list`; without `state` every state."""

    state: str
    detector: str
    as_of: int


class ProactiveNextOptions(ReadScope, total=False):
    """Options of `proactive.next`."""

    limit: int
    as_of: int


class ResolveOptions(Scope, total=False):
    """`until` is when a snoozed item comes back."""

    until: int


class SubscribeOptions(ReadScope, total=False):
    """`cursor` is that of the last notification taken."""

    cursor: int


class CompactOptions(UserScope, total=False):
    """Options of `session.compact`."""

    reason: str
    context: ContextUse


class QueueListOptions(Scope, total=False):
    """Filters of `queue.list`."""

    state: Literal["queued", "leased", "done", "dead"]
    limit: int
    cursor: str


class JobOptions(TypedDict, total=False):
    """Options of `job.run`; without `user_id` it serves every user."""

    user_id: str
    dry_run: bool
    as_of: int
    deadline_ms: int


class Source(TypedDict):
    """Where a memory was said; `key` is the event key that the client gave."""

    resource_id: str
    key: str | None
    session_id: str | None
    timestamp: int
    role: Role | None


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


class Item(TypedDict):
    """A stored fact."""

    id: str
    user_id: str
    kind: Kind
    memory_type: MemoryType
    memory: str
    importance: float
    half_life_days: int | None
    created_at: int
    updated_at: int
    stated_at: int
    reinforced: int
    valid_from: int | None
    valid_until: int | None
    superseded_by: str | None
    pinned: bool
    private: bool
    categories: list[str]
    sources: list[Source]


class Evidence(TypedDict):
    """What a prediction rests on."""

    resource_id: str
    item_id: str | None
    key: str | None


class ProactiveItem(TypedDict):
    """A prediction of the ledger."""

    id: str
    detector: str
    topic: str
    text: str
    why: str
    probability: float
    evidence: list[Evidence]
    due_at: int | None
    expires_at: int
    state: str


class Hello(TypedDict):
    """What the daemon speaks and allows."""

    protocol: str
    server: Any
    limits: dict[str, int]
    features: list[str]


class Skipped(TypedDict):
    """An event that was not stored, and why."""

    key: str | None
    reason: str


class Compaction(TypedDict):
    """`due` is true once for each crossing of the limit."""

    due: bool
    ratio: float | None


class CaptureReply(TypedDict):
    """What became of the events; what is accepted is on the disk."""

    accepted: int
    duplicates: int
    skipped: list[Skipped]
    ids: list[str]
    compaction: Compaction


class RecallReply(TypedDict):
    """`context` is the block for the prompt: empty when nothing fits, and silence is a good answer."""

    results: list[Result]
    fallback: list[Result]
    proactive: list[ProactiveItem]
    near_misses: list[dict[str, Any]]
    context: str
    tokens: int
    threshold: float
    degraded: list[str]


class SearchReply(TypedDict):
    """What was asked for, best first, without a threshold."""

    results: list[Result]


class AddReply(TypedDict):
    """What became of a stated fact."""

    item: Item
    action: Literal["added", "reinforced", "superseded", "maybe"]
    related_ids: list[str]


class ListReply(TypedDict):
    """A page of facts; `cursor` leads to the next, None ends."""

    results: list[Item]
    cursor: str | None


class ProactiveReply(TypedDict):
    """Predictions with why, evidence, probability and due date."""

    results: list[ProactiveItem]
