"""The records of the domain: what was said, what was learnt from it, what is handed back. No I/O."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

import msgspec

DAY_S = 86_400


class Role(StrEnum):
    """Who a turn comes from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"


class Modality(StrEnum):
    """What kind of thing a turn is."""

    CHAT = "chat"
    FILE = "file"
    TOOL = "tool"


class Origin(StrEnum):
    """Whose words these are; only the user's own may overrule the user's own."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    IMPORT = "import"


class Kind(StrEnum):
    """Episodic: it happened once. Semantic: it holds until told otherwise."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"


class MemoryType(StrEnum):
    """What a fact is good for; it sets importance, half-life and decay weight."""

    CORRECTION = "correction"
    PREFERENCE = "preference"
    DECISION = "decision"
    OBSERVATION = "observation"
    GENERAL = "general"


class Layer(StrEnum):
    """Where a result comes from: an extracted fact or the words as they were said."""

    ITEM = "item"
    RESOURCE = "resource"


class QueueState(StrEnum):
    """queued -> leased -> done; a leased turn goes back to queued or, after too many tries, to dead."""

    QUEUED = "queued"
    LEASED = "leased"
    DONE = "done"
    DEAD = "dead"


class ProactiveState(StrEnum):
    """The life of a prediction; only open and snoozed ones are still to be delivered."""

    OPEN = "open"
    DELIVERED = "delivered"
    USED = "used"
    HIT = "hit"
    MISS = "miss"
    DISMISSED = "dismissed"
    SNOOZED = "snoozed"
    EXPIRED = "expired"

    @property
    def is_live(self) -> bool:
        """Whether its time goes on: it may still be brought up, come true or be called off."""
        return self in (ProactiveState.OPEN, ProactiveState.SNOOZED, ProactiveState.DELIVERED)


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory a call is about. `public_only` hides private rows, for groups and channels."""

    user_id: str = "default"
    agent_id: str | None = None
    session_id: str | None = None
    public_only: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """A cleaned and masked chat event, ready to be stored. Times are Unix seconds, UTC."""

    event_key: str
    scope: Scope
    role: Role
    sender: str | None
    content: Any  # JSON: a string, or a list of parts as the agent sent them
    text: str  # the plain words of `content`
    modality: Modality
    timestamp: int
    tz: str
    origin: Origin
    private: bool
    content_hash: str


@dataclass(frozen=True, slots=True)
class Resource:
    """A stored turn. `key` is its number in the sequence of turns and items, `id` what people see."""

    key: int
    id: str
    turn: Turn


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact that an extractor found, not yet stored. `span` is (start, end) in the turn's text."""

    text: str
    kind: Kind
    memory_type: MemoryType
    importance: float  # 0..1
    half_life_days: int | None  # None: evergreen
    span: tuple[int, int] | None = None
    valid_until: int | None = None  # Unix seconds


class Source(msgspec.Struct, frozen=True):
    """Where a fact or turn was said.

    A Struct, which costs a tenth of a frozen dataclass: each recall makes some two hundred.
    """

    resource_id: str
    key: str | None  # the event key that the client gave
    session_id: str | None
    timestamp: int
    role: Role | None
    span: tuple[int, int] | None = None
    tz: str = "UTC"  # where the writer was


@dataclass(frozen=True, slots=True)
class Item:
    """A stored fact, as `get`, `list` and `history` show it. Times are Unix seconds, UTC."""

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
    categories: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """One recalled fact or turn. `score` is the decayed relevance, 0..1."""

    id: str
    memory: str
    layer: Layer
    kind: Kind
    memory_type: MemoryType
    score: float
    relevance: float
    retention: float
    importance: float
    created_at: int
    age_days: float
    valid_until: int | None
    categories: tuple[str, ...]
    source: Source
    sources: tuple[Source, ...] = ()
    superseded_by: str | None = None
    date: str = ""  # the writer's own day of the last statement, ISO
    age: str = ""  # how long ago that was, in words of the question's language
    maybe: tuple[str, ...] = ()  # facts that may contradict it, the latest first
    said_by: tuple[str, ...] = ()  # the speakers, where several people are heard


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a prediction rests on."""

    resource_id: str
    item_id: str | None = None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Prediction:
    """What a detector expects the user to want, not yet in the ledger. `evidence` is never empty."""

    detector: str
    topic: str
    text: str
    why: str
    probability: float  # 0..1
    evidence: tuple[Evidence, ...]
    due_at: int | None
    expires_at: int
    session_id: str | None = None


@dataclass(frozen=True, slots=True)
class ProactiveItem:
    """A prediction in the ledger."""

    id: str
    user_id: str
    session_id: str | None
    detector: str
    topic: str
    text: str
    why: str
    probability: float
    evidence: tuple[Evidence, ...]
    created_at: int
    due_at: int | None
    expires_at: int
    state: ProactiveState


def handed_out(item: ProactiveItem) -> ProactiveItem:
    """The item as it stands once somebody was given it."""
    return replace(item, state=ProactiveState.DELIVERED)


@dataclass(frozen=True, slots=True)
class Report:
    """What a job did: counts by name, and notes for a person."""

    job: str
    counts: dict[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class TypeDefaults:
    """Importance (0..1) and half-life (days) that a memory type starts with."""

    importance: float
    half_life_days: int


TYPE_DEFAULTS = {
    MemoryType.CORRECTION: TypeDefaults(0.92, 180),
    MemoryType.PREFERENCE: TypeDefaults(0.80, 180),
    MemoryType.DECISION: TypeDefaults(0.90, 90),
    MemoryType.OBSERVATION: TypeDefaults(0.40, 14),
    MemoryType.GENERAL: TypeDefaults(0.50, 60),
}
