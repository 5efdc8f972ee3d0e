"""What an approximate index is held to."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Aims:
    """From `large` vectors on a user gets lists; below, a full scan takes a millisecond or two.

    Lists are used only where they find `recall` of the exact top `depth`, measured on the user's own vectors,
    and a full scan would take `gain` times as long.
    """

    large: int = 20_000
    recall: float = 0.995
    depth: int = 100
    gain: float = 2.0
