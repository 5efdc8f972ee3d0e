"""One row that may answer a question."""

import msgspec

from memory.model import Kind, Layer, MemoryType, Role, Source
from memory.recall.remainder import Replacement


class Candidate(msgspec.Struct, frozen=True):
    """One fact or turn, as it stood at the moment asked about. Times are Unix seconds.

    A Struct, which costs a tenth of a frozen dataclass: each recall makes some two hundred.
    `excluded` says why it can't be a result however well it fits; None: it can.
    """

    key: int
    id: str
    layer: Layer
    text: str
    kind: Kind
    memory_type: MemoryType
    importance: float
    half_life_days: int | None
    created_at: int
    stated_at: int
    valid_until: int | None
    superseded_by: str | None
    pinned: bool
    role: Role
    source: Source
    categories: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    maybe: tuple[str, ...] = ()  # the ids of facts that may contradict it, the latest first
    senders: frozenset[str] = frozenset()  # who said it, by name, in a group
    replacements: tuple[Replacement, ...] = ()  # what holds in the place of its statements, the latest first
    excluded: str | None = None
