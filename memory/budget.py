"""What paid models may take in a day: reserved before a call, booked after it, and a hard stop."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta, tzinfo

import apsw

from config.settings import BudgetSettings
from memory.ages import local_day
from memory.errors import BudgetError
from memory.ports import Usage
from memory.store import usage as ledger
from memory.store.usage import Cost

_DATED = re.compile(r"-\d{8}$|-\d{4}-\d{2}-\d{2}$")
MICRO = 1_000_000
_MOST_TOKENS = 1_000_000_000  # of one call: what a provider counts is its own word
_TOMORROW = "it goes on at midnight; `budget.tokens_per_day` and `budget.usd_per_day` are the limits"
_TOO_LARGE = "one call needs more than a day may take: raise `budget.tokens_per_day` or `budget.usd_per_day`"


@dataclass(frozen=True, slots=True)
class Reservation:
    """What one call may cost at most, kept free of others; it counts for the day on which it was made."""

    id: int
    day: str
    purpose: str


@dataclass(frozen=True, slots=True)
class Today:
    """Where a day stands. Tokens and millionths of a dollar; a limit of 0 is none.

    `fault` says why paid models stand still; "" while they don't. `unpriced` are the models whose dollars
    a limit of dollars does not see.
    """

    day: str
    used: int
    reserved: int
    limit: int
    cost_micro: int
    cost_limit_micro: int
    fault: str = ""
    unpriced: tuple[str, ...] = ()


class Budget:
    """Lets no call begin that could lead past the day's limits; the day is the machine's own.

    Its methods run inside the caller's transaction, so that what is reserved together is judged together.
    Only what a call takes beyond its own estimate may lead past a limit. A clock that is turned back
    goes on with the earlier day's account; nothing that was booked is ever given back.
    """

    def __init__(self, settings: BudgetSettings, zone: tzinfo) -> None:
        self._limit = settings.tokens_per_day
        self._cost_limit = round(settings.usd_per_day * MICRO)
        self._prices = settings.prices
        self._zone = zone
        self._refused_on = ""
        self.goes_on_by_rules = settings.then == "rules"

    def reserve(self, connection: apsw.Connection, purpose: str, expected: Usage, now: int) -> Reservation:
        """Keep a call's tokens free.

        Raises BudgetError, with the time until the next day, where they are no longer free.
        """
        day = self.day(now)
        tokens = expected.input_tokens + expected.output_tokens
        micro = self.cost(expected).micro
        used, used_micro = ledger.paid_on(connection, day)
        held, held_micro = _held(connection, day)
        if self._exceeds(used + held + tokens, used_micro + held_micro + micro):
            self._refused_on = day
            raise self._refusal(self.today(connection, now), tokens, micro, now)
        self._refused_on = ""
        connection.execute(
            """
            INSERT INTO llm_reservations (day, purpose, model, tokens, cost_micro) VALUES (?, ?, ?, ?, ?)
            """,
            (day, purpose, expected.model, tokens, micro),
        )
        return Reservation(connection.last_insert_rowid(), day, purpose)

    def book(self, connection: apsw.Connection, reservation: Reservation, used: Usage) -> None:
        """Count what a call really took, on the day of its reservation; that is free again.

        No count gives anything back, and none is too large to be kept.
        """
        used = replace(
            used, input_tokens=_bounded(used.input_tokens), output_tokens=_bounded(used.output_tokens)
        )
        ledger.add(connection, reservation.day, reservation.purpose, used, self.cost(used))
        self.release(connection, reservation)

    def release(self, connection: apsw.Connection, reservation: Reservation) -> None:
        """Give back what was kept free; nothing if it was booked or given back before."""
        connection.execute("DELETE FROM llm_reservations WHERE id = ?", (reservation.id,))

    def free_all(self, connection: apsw.Connection) -> int:
        """At start and stop: whoever reserved is gone, and its call with it; the number given back."""
        connection.execute("DELETE FROM llm_reservations")
        return connection.changes()

    def day(self, now: int) -> str:
        """The local day of a moment, as it stands in the tables."""
        return local_day(now, self._zone).isoformat()

    def cost(self, used: Usage) -> Cost:
        """What these tokens cost, rounded up; of a model without a price only that they have none."""
        price = price_of(self._prices, used.model)
        if price is None:
            return Cost(unpriced_tokens=used.input_tokens + used.output_tokens)
        # Dollars for a million tokens are millionths of a dollar for one.
        return Cost(math.ceil(used.input_tokens * price[0] + used.output_tokens * price[1]))

    def today(self, connection: apsw.Connection, now: int) -> Today:
        """What was booked and what is kept free, and whether paid models stand still."""
        day = self.day(now)
        used, micro = ledger.paid_on(connection, day)
        held, _ = _held(connection, day)
        unpriced = ledger.unpriced_on(connection, day) if self._cost_limit else ()
        found = Today(day, used, held, self._limit, micro, self._cost_limit, unpriced=unpriced)
        is_spent = self._refused_on == day or self._exceeds(used + 1, micro + 1)
        return replace(found, fault=_fault(found)) if is_spent else found

    def wait_ms(self, now: int) -> int:
        """Until the next local day begins; days of 23 and 25 hours and skipped midnights are as they are."""
        tomorrow = local_day(now, self._zone) + timedelta(days=1)
        midnight = datetime.combine(tomorrow, time(), self._zone)
        return max(1, int(midnight.timestamp()) - now) * 1000

    def _exceeds(self, tokens: int, micro: int) -> bool:
        too_many = bool(self._limit) and tokens > self._limit
        too_dear = bool(self._cost_limit) and micro > self._cost_limit
        return too_many or too_dear

    def _refusal(self, today: Today, tokens: int, micro: int, now: int) -> BudgetError:
        hint = _TOO_LARGE if self._exceeds(tokens, micro) else _TOMORROW
        return BudgetError(today.fault, hint=hint, retry_after_ms=self.wait_ms(now))


def price_of(prices: Mapping[str, tuple[float, float]], model: str) -> tuple[float, float] | None:
    """Dollars for a million tokens, in and out; a provider before the name, a date after it don't matter."""
    name = model.rpartition("/")[2]
    return prices.get(model) or prices.get(name) or prices.get(_DATED.sub("", name))


def _bounded(tokens: int) -> int:
    return min(max(0, tokens), _MOST_TOKENS)


def _held(connection: apsw.Connection, day: str) -> tuple[int, int]:
    tokens, micro = next(
        connection.execute(
            """
            SELECT coalesce(sum(tokens), 0), coalesce(sum(cost_micro), 0)
            FROM llm_reservations WHERE day = ?
            """,
            (day,),
        )
    )
    return int(tokens), int(micro)


def _fault(today: Today) -> str:
    used, limit = f"{today.used:,}", f"{today.limit:,}"
    cost, most = f"{today.cost_micro / MICRO:.2f}", f"{today.cost_limit_micro / MICRO:.2f}"
    if today.limit and today.cost_limit_micro:
        spent = f"{used} of {limit} tokens, {cost} of {most} dollars"
    else:
        spent = f"{used} of {limit} tokens" if today.limit else f"{cost} of {most} dollars"
    return f"the day's budget is spent: {spent}"
