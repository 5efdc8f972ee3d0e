"""Turns of our own into the daemon as time goes by, and what the monitor predicts of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memud_client import types

from evaluation.ingest import fill
from evaluation.stand import Stand
from evaluation.store import Said, Store
from memory.model import DAY_S

# A tick of the monitor comes every five minutes: shorter silences it may not see, longer ones it does.
_TICK_S = 300
_MOST = 1000  # what one `proactive.list` gives at most
LIVE = frozenset({"open", "delivered", "snoozed"})
"""The states of an item that may still be brought up."""


@dataclass(frozen=True, slots=True)
class Pause:
    """A silence after so many turns, and all items that there are at its end."""

    turns: int
    items: Sequence[types.ProactiveItem]


def watch(stand: Stand, store: Store) -> Iterator[Pause]:
    """Hand a user's turns over; in each silence the monitor runs after one tick, and at the silence's end.

    A silence ends with the next turn, after a day at the latest.
    """
    begun = 0
    for end, until in _pauses(store.turns):
        fill(stand, [replace(store, turns=store.turns[begun:end])])
        for now in sorted({store.turns[end - 1].timestamp + _TICK_S, until}):
            stand.client.job_run("monitor", user_id=store.name, as_of=now)
        listed = stand.client.proactive_list(user_id=store.name, as_of=until, limit=_MOST)
        yield Pause(end, listed["results"])
        begun = end


def _pauses(turns: Sequence[Said]) -> Iterator[tuple[int, int]]:
    """How many turns come before each silence that a tick falls into, and when it ends."""
    for place, turn in enumerate(turns, start=1):
        until = turn.timestamp + DAY_S
        if place < len(turns):
            until = min(until, turns[place].timestamp - 1)
        if until >= turn.timestamp + _TICK_S:
            yield place, until
