"""What a fact of each type may weigh."""

from math import isfinite

from memory.model import TYPE_DEFAULTS, MemoryType

IMPORTANCE_RANGES = {
    MemoryType.CORRECTION: (0.90, 0.95),
    MemoryType.PREFERENCE: (0.70, 0.90),
    MemoryType.DECISION: (0.85, 0.95),
    MemoryType.OBSERVATION: (0.30, 0.50),
    MemoryType.GENERAL: (0.40, 0.60),
}


def clamped(importance: float, memory_type: MemoryType) -> float:
    """The importance inside its type's range; the type's default for what is no number."""
    if not isfinite(importance):
        return TYPE_DEFAULTS[memory_type].importance
    low, high = IMPORTANCE_RANGES[memory_type]
    return min(high, max(low, importance))
