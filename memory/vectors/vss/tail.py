"""What differs between the vectors in memory and those in the file."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """Whose the key is now; None: nobody's. A later change of the same key is another object."""

    user_id: str | None


class Tail:
    """Knows the checksum of each vector in the file, and so which keys agree. Does not lock."""

    def __init__(self, held: Mapping[int, int]) -> None:
        self._held = dict(held)
        self._unclaimed = set(held)
        self._changes: dict[int, Change] = {}  # the oldest first
        self._keys: dict[str, set[int]] = {}  # of the changes, by user
        self._in_flight: dict[int, Change] = {}

    def __len__(self) -> int:
        return len(self._changes)

    @property
    def held(self) -> int:
        """How many vectors the file holds."""
        return len(self._held)

    def of(self, user_id: str) -> Iterable[int]:
        """The changed keys that a user has."""
        return self._keys.get(user_id, ())

    def put(self, key: int, user_id: str, crc: int) -> None:
        """This vector is there now; no change if the file holds the very same."""
        self._unclaimed.discard(key)
        if self._held.get(key) == crc and key not in self._in_flight:
            self._forget(key)
        else:
            self._note(key, Change(user_id))

    def remove(self, key: int) -> None:
        """This key is gone."""
        self._unclaimed.discard(key)
        if key in self._held or key in self._in_flight:
            self._note(key, Change(None))
        else:
            self._forget(key)

    def settle(self) -> None:
        """What the file holds and nobody put since it was opened is gone."""
        for key in list(self._unclaimed):
            self.remove(key)

    def take(self, limit: int) -> tuple[Mapping[int, Change], list[int]]:
        """The oldest changes, to be written now, and those of their keys that the file holds."""
        self._in_flight = {
            key: self._changes[key] for key, _ in zip(self._changes, range(limit), strict=False)
        }
        return self._in_flight, [key for key in self._in_flight if key in self._held]

    def landed(self, crcs: Mapping[int, int]) -> None:
        """What was taken is in the file, with these checksums. What changed meanwhile stays a change."""
        for key, change in self._in_flight.items():
            if change.user_id is None:
                self._held.pop(key, None)
            else:
                self._held[key] = crcs[key]
            if self._changes.get(key) is change:
                self._forget(key)
        self._in_flight = {}

    def reopened(
        self, held: Mapping[int, int], owners: Callable[[Sequence[int]], Sequence[str | None]]
    ) -> None:
        """The file holds something else than was thought; what was taken may or may not be in it."""
        before, self._held, self._in_flight = self._held, dict(held), {}
        differing = [key for key in before.keys() | held.keys() if before.get(key) != held.get(key)]
        for key, user_id in zip(differing, owners(differing), strict=True):
            self._compare(key, user_id)

    def _compare(self, key: int, user_id: str | None) -> None:
        if user_id is not None:
            self._note(key, Change(user_id))
        else:
            self.remove(key)

    def _note(self, key: int, change: Change) -> None:
        self._forget(key)
        self._changes[key] = change
        if change.user_id is not None:
            self._keys.setdefault(change.user_id, set()).add(key)

    def _forget(self, key: int) -> None:
        change = self._changes.pop(key, None)
        if change is None or change.user_id is None:
            return
        keys = self._keys[change.user_id]
        keys.discard(key)
        if not keys:
            del self._keys[change.user_id]
