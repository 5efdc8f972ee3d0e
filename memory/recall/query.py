"""What is asked, and what is answered."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from memory.model import Kind, Layer, ProactiveItem, Resource, Result, Scope


@dataclass(frozen=True, slots=True)
class Query:
    """A question and its bounds. None means the configured value, or no bound."""

    text: str
    scope: Scope
    limit: int
    threshold: float | None = None  # strict for all results; 0 switches gate, admission and veto off
    max_tokens: int = 800
    kinds: Sequence[Kind] | None = None
    categories: Sequence[str] | None = None
    since: int | None = None
    until: int | None = None
    as_of: int | None = None
    in_prompt_since: int | None = None  # the session's own turns since then stand in the prompt already
    include_superseded: bool = False
    is_search: bool = False  # a person asks: replaced turns are found too, and every date counts
    with_factors: bool = False


@dataclass(frozen=True, slots=True)
class NearMiss:
    """What came close, and why it was not recalled."""

    id: str
    memory: str
    layer: Layer
    score: float
    relevance: float
    reason: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """What matters for the next prompt; often nothing."""

    results: tuple[Result, ...]
    fallback: tuple[Resource, ...]
    proactive: tuple[ProactiveItem, ...]
    near_misses: tuple[NearMiss, ...]
    context: str
    tokens: int
    threshold: float
    degraded: tuple[str, ...]
    partial: bool = False
    factors: dict[str, dict[str, Any]] = field(default_factory=dict)
    is_warm: bool = False  # prepared before it was asked
