"""What recalls handed out, beside what resending the history would have cost; durable, for `stats`."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from memory import tally
from memory.budget import Budget
from memory.model import Scope
from memory.recall import history
from memory.store import usage as ledger
from memory.tally import Counts, Tally


@dataclass(frozen=True, slots=True)
class Handout:
    """One recall: its context's tokens, and when, in Unix seconds."""

    scope: Scope
    tokens: int
    at: int


class Bill:
    """Adds up in the transaction in which the recall log is written, so a recall waits for nothing."""

    def __init__(self, tally: Tally, budget: Budget) -> None:
        self.tally = tally
        self._budget = budget

    def write(
        self, connection: apsw.Connection, handouts: Sequence[Handout], counts: Counts, now: int
    ) -> None:
        """Count what was handed out, and what was counted elsewhere meanwhile."""
        history.catch_up(connection)
        for one in handouts:
            full = history.tokens_of(connection, one.scope.user_id, one.scope.session_id)
            ledger.hand_out(connection, self._budget.day(one.at), one.scope.user_id, one.tokens, full)
        tally.write(connection, counts, self._budget, now)
