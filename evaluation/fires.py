"""Predictions as they come: the next event of everyone, the monitor after it, and what is new then."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from evaluation.ingest import fill
from evaluation.stand import Stand
from evaluation.store import Store

REPEATED = "repeated_intent"
HABIT = "habit"
_PIECES = 3  # as many askings make a recurring intent
_MOST = 1000


@dataclass(frozen=True, slots=True)
class Fire:
    """A prediction as it first came: after which turn of its store, on which turns, due when (Unix s)."""

    detector: str
    place: int
    keys: tuple[str, ...]
    due_at: int | None = None

    def intent(self, labels: Mapping[str, str]) -> str | None:
        """What more than half of its turns are about; None without such."""
        found = Counter(labels[key] for key in self.keys).most_common(1)
        return found[0][0] if found and 2 * found[0][1] > len(self.keys) else None

    def strict_intent(self, labels: Mapping[str, str]) -> str | None:
        """What its first three turns are about, if all three are about one thing."""
        first = [labels[key] for key in self.keys[:_PIECES]]
        return first[0] if len(first) == _PIECES and len(set(first)) == 1 else None


def watch(stand: Stand, stores: Sequence[Store], detectors: AbstractSet[str]) -> dict[str, list[Fire]]:
    """Each store turn by turn, the monitor after each at its time; what these detectors say, by store.

    Each prediction once, as it was when it first came. Raises StandError.
    """
    fires: dict[str, list[Fire]] = {store.name: [] for store in stores}
    known: set[str] = set()
    rounds = max((len(store.turns) for store in stores), default=0)
    for place in range(rounds):
        going = [store for store in stores if place < len(store.turns)]
        fill(stand, [replace(store, turns=[store.turns[place]]) for store in going])
        for store in going:
            fires[store.name] += [
                one for one in _new(stand, store, place, known) if one.detector in detectors
            ]
        stand.progress("watch", place + 1, rounds)
    return fires


def _new(stand: Stand, store: Store, place: int, known: set[str]) -> Iterator[Fire]:
    now = store.turns[place].timestamp
    stand.client.job_run("monitor", user_id=store.name, as_of=now)
    listed = stand.client.proactive_list(user_id=store.name, as_of=now, limit=_MOST)["results"]
    for item in reversed(listed):
        if item["id"] not in known:
            known.add(item["id"])
            keys = tuple(one["key"] for one in item["evidence"] if one["key"])
            yield Fire(item["detector"], place, keys, item["due_at"])
