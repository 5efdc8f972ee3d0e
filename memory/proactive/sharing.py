"""How much two sayings have in common."""

from collections.abc import Set


def share(one: Set[str], other: Set[str]) -> float:
    """How many of the fewer words both have, 0..1; 0 where either has none."""
    return len(one & other) / min(len(one), len(other)) if one and other else 0.0
