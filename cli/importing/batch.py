"""Turns of one scope that go to the daemon in one call."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cli.importing.found import Place, Turn

_MAX_EVENTS = 500
_MAX_BYTES = 2_000_000


@dataclass(slots=True)
class Batch:
    """Events in the order of their source, with the place each came from."""

    scope: Mapping[str, str]
    events: list[dict[str, Any]] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    bytes: int = 0

    def has_room(self, turn: Turn) -> bool:
        """Whether a turn fits into the same call."""
        if not self.events:
            return True
        full = len(self.events) >= _MAX_EVENTS or self.bytes + _size(turn) > _MAX_BYTES
        return turn.scope == self.scope and not full

    def put(self, turn: Turn) -> None:
        """Take a turn in."""
        # The origin lets the daemon keep away what the user had forgotten.
        self.events.append({**turn.event, "origin": "import"})
        self.places.append(turn.place)
        self.bytes += _size(turn)

    def halves(self) -> tuple["Batch", "Batch"]:
        """The same in two calls."""
        middle = len(self.events) // 2
        return (
            Batch(self.scope, self.events[:middle], self.places[:middle]),
            Batch(self.scope, self.events[middle:], self.places[middle:]),
        )


def _size(turn: Turn) -> int:
    """About the bytes on the line; a Chinese sign takes three."""
    content = turn.event["content"]
    return 3 * len(content if isinstance(content, str) else str(content)) + 200
