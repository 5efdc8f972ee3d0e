"""A recalled fact; a test replaces what it is about."""

from memory.model import Kind, Layer, MemoryType, Result, Role, Source

SOURCE = Source("r1", None, "s", 1_780_000_000, Role.USER)
RESULT = Result(
    id="i1",
    memory="tea",
    layer=Layer.ITEM,
    kind=Kind.SEMANTIC,
    memory_type=MemoryType.GENERAL,
    score=0.9,
    relevance=0.9,
    retention=1.0,
    importance=0.5,
    created_at=SOURCE.timestamp,
    age_days=0.0,
    valid_until=None,
    categories=(),
    source=SOURCE,
    sources=(SOURCE,),
    date="2026-05-28",
    age="today",
)
