"""Facts, one by one: added, listed, corrected, forgotten. Times are Unix seconds, UTC."""

from typing import Literal, NotRequired, TypedDict

from memud_client.types.recall import Source
from memud_client.types.scope import Kind, MemoryType, ReadScope, Scope


class AddOptions(Scope, total=False):
    """Options of `add`; `infer=False` stores the words as they are."""

    kind: Kind
    memory_type: MemoryType
    importance: float
    valid_until: int
    timestamp: int
    private: bool
    infer: bool
    key: str


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


class AddReply(TypedDict):
    """What became of a stated fact."""

    item: Item
    action: Literal["added", "reinforced", "superseded", "maybe", "grown", "known"]
    related_ids: list[str]


class ListReply(TypedDict):
    """A page of facts; `cursor` leads to the next, None ends."""

    results: list[Item]
    cursor: str | None
