"""The shapes that go over the wire: what a call names and what comes back. Times are Unix seconds, UTC."""

from typing import Any, Literal, NotRequired, TypedDict

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
    origin: Literal["import"]
    private: bool


class WindowUse(TypedDict):
    """How full the agent's context window is; memud answers when a compaction is due."""

    tokens_used: int
    context_window: int


class HelloOptions(TypedDict, total=False):
    """`user_id` binds the connection to that user."""

    user_id: str


class CaptureOptions(Scope, total=False):
    """Options of `capture`."""

    context: WindowUse


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
    valid_until: int
    timestamp: int
    private: bool
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
    pinned: bool
    include_superseded: bool
    as_of: int


class UpdateOptions(Scope, total=False):
    """The fields that `update` sets; `half_life_days=None` makes a memory evergreen."""

    memory: str
    kind: Kind
    memory_type: MemoryType
    importance: float
    half_life_days: int | None
    valid_until: int | None
    private: bool
    categories: list[str]


class ForgetOptions(Scope, total=False):
    """`dry_run` only says what would go."""

    dry_run: bool


class ExplainOptions(ReadScope, total=False):
    """`threshold` as in `recall`."""

    threshold: float
    as_of: int


class ProactiveListOptions(ReadScope, total=False):
    """Filters of `proactive.list`; without `state` every state."""

    state: str
    detector: str
    as_of: int
    limit: int


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

    context: WindowUse


class ResumeOptions(UserReadScope, total=False):
    """`limit` is how many turns at most."""

    limit: int


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
    as_of: int


class Source(TypedDict):
    """Where a memory was said; `key` is the event key that the client gave."""

    resource_id: str
    key: str | None
    session_id: str | None
    timestamp: int
    role: Role | None
    span: tuple[int, int] | None


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


class Item(TypedDict):
    """A stored fact."""

    id: str
    user_id: str
    agent_id: str | None
    session_id: str | None
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
    trust: str
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
    user_id: str
    session_id: str | None
    detector: str
    topic: str
    text: str
    why: str
    probability: float
    evidence: list[Evidence]
    created_at: int
    due_at: int | None
    expires_at: int
    state: str


class HelloReply(TypedDict):
    """What the daemon speaks and allows."""

    protocol: str
    server: str
    limits: dict[str, int]
    features: list[str]
    user_id: str | None


class Skipped(TypedDict):
    """An event that was not stored, its place in the call, and why."""

    key: str | None
    reason: str
    index: int
    detail: str


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
    factors: dict[str, dict[str, Any]] | None


class SearchReply(TypedDict):
    """What was asked for, best first, without a threshold."""

    results: list[Result]
    degraded: list[str]
    partial: bool


class ItemReply(TypedDict):
    """A fact as it stands now."""

    item: Item


class ForgetReply(TypedDict):
    """What was purged: the fact as it was (None for a turn), all facts, all turns.

    `items` are the facts of `item_ids` in full; a daemon of version 0.1 may not send them.
    """

    item: Item | None
    item_ids: list[str]
    items: NotRequired[list[Item]]
    resource_ids: list[str]
    dry_run: bool


class HistoryReply(TypedDict):
    """A fact's versions, newest first, and where it was said, first to last."""

    versions: list[Item]
    sources: list[Source]


class Explanation(TypedDict):
    """Every factor of a score, and why the memory was or was not recalled."""

    id: str
    recalled: bool
    reason: str
    score: float
    threshold: float
    factors: dict[str, Any]


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


class ProactiveItemReply(TypedDict):
    """A prediction as it stands now."""

    item: ProactiveItem


class CompactReply(TypedDict):
    """A session in short; the same for a second call in one cycle."""

    summary: str
    item_ids: list[str]
    cycle: int


class ResumeReply(TypedDict):
    """What a restarted agent needs."""

    turns: list[SaidTurn]
    summary: str | None
    proactive: list[ProactiveItem]


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


class Notice(TypedDict):
    """What a subscription brings; `cursor` leads on from here."""

    topic: Topic
    cursor: int
    user_id: str | None
    payload: Any
    created_at: int
