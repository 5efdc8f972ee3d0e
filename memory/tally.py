"""Counts what is not worth a write of its own: calls on this machine, and questions that were embedded."""

from collections.abc import Mapping
from dataclasses import dataclass

import apsw

from memory.budget import Budget
from memory.ports import Usage
from memory.store import usage as ledger
from memory.store.usage import Cost


@dataclass(frozen=True, slots=True)
class Counted:
    """What is counted together."""

    purpose: str
    model: str
    is_local: bool


Counts = Mapping[Counted, tuple[int, int]]
"""(tokens, calls) of each."""


class Tally:
    """Kept in memory until somebody takes it along into the database; a crash may lose the last counts."""

    def __init__(self) -> None:
        self._counts: dict[Counted, tuple[int, int]] = {}

    def __bool__(self) -> bool:
        """Whether anything waits to be written."""
        return bool(self._counts)

    def add(self, counted: Counted, tokens: int, calls: int = 1) -> None:
        """Count a call."""
        before = self._counts.get(counted, (0, 0))
        self._counts[counted] = (before[0] + tokens, before[1] + calls)

    def take(self) -> Counts:
        """What was counted since the last time; whoever takes it writes it, or gives it back."""
        taken, self._counts = self._counts, {}
        return taken

    def give_back(self, counts: Counts) -> None:
        """It could not be written."""
        for counted, (tokens, calls) in counts.items():
            self.add(counted, tokens, calls)


def write(connection: apsw.Connection, counts: Counts, budget: Budget, now: int) -> None:
    """Put counts into the day's account."""
    for counted, (tokens, calls) in counts.items():
        used = Usage(counted.model, tokens, 0)
        cost = Cost() if counted.is_local else budget.cost(used)
        ledger.add(
            connection, budget.day(now), counted.purpose, used, cost, calls=calls, is_local=counted.is_local
        )
