"""The budget under any order of calls, answers, crashes and clocks."""

import asyncio
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

import apsw
from hypothesis import given, settings, strategies
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from config.settings import BudgetSettings, load
from memory.budget import Budget, Reservation
from memory.database import Database
from memory.errors import BudgetError
from memory.llm.metered import MeteredModel, expected_usage
from memory.ports import Answer, Prompt, Usage
from memory.testing import FrozenClock
from migrations import runner

LIMIT = 1_000
SIZES = strategies.integers(0, 700)
PURPOSES = strategies.sampled_from(["extract", "categories"])


def limited(zone: str = "Europe/Berlin") -> Budget:
    """A budget of a thousand tokens."""
    return Budget(BudgetSettings(tokens_per_day=LIMIT, usd_per_day=0, then="wait", prices={}), ZoneInfo(zone))


@dataclass(frozen=True, slots=True)
class Call:
    """A call on its way, expected to take `size` at most, in the process of this start."""

    held: Reservation
    size: int
    start: int


class BudgetMachine(RuleBasedStateMachine):
    """Several workers side by side, each between any two steps of the others."""

    calls = Bundle("calls")

    def __init__(self) -> None:
        super().__init__()
        self.connection = apsw.Connection(":memory:")
        runner.apply(self.connection)
        self.budget = limited()
        self.clock = FrozenClock()
        self.starts = 0
        self.booked: Counter[str] = Counter()

    def teardown(self) -> None:
        """Close the database."""
        self.connection.close()

    @rule(target=calls, purpose=PURPOSES, size=SIZES)
    def call(self, purpose: str, size: int) -> Call | None:
        """A call begins, or is refused."""
        now = self.clock.now()
        with suppress(BudgetError), self.connection:
            held = self.budget.reserve(self.connection, purpose, Usage("m", size, 0), now)
            return Call(held, size, self.starts)
        return None

    @rule(call=consumes(calls), share=strategies.floats(0, 1))
    def answer(self, call: Call | None, share: float) -> None:
        """An answer comes, and took no more than was expected; to a dead process none comes."""
        if call is not None and call.start == self.starts:
            taken = int(call.size * share)
            self.budget.book(self.connection, call.held, Usage("m", 0, taken))
            self.booked[call.held.day] += taken

    @rule(call=consumes(calls))
    def fail(self, call: Call | None) -> None:
        """A call fails without an answer."""
        if call is not None and call.start == self.starts:
            self.budget.release(self.connection, call.held)

    @rule()
    def crash(self) -> None:
        """The process dies and starts again; what its calls were for is asked anew."""
        self.budget.free_all(self.connection)
        self.budget = limited()
        self.starts += 1

    @rule(seconds=strategies.integers(-40_000, 60_000))
    def turn(self, seconds: int) -> None:
        """Time passes, or the clock is set back."""
        self.clock.turn(seconds)

    @invariant()
    def no_day_is_overspent(self) -> None:
        """Booked and reserved together stay within each day's limit."""
        taken = self.booked.copy()
        for day, tokens in self.connection.execute("SELECT day, tokens FROM llm_reservations"):
            taken[str(day)] += int(tokens)
        assert all(tokens <= LIMIT for tokens in taken.values())

    @invariant()
    def what_is_shown_is_what_was_booked(self) -> None:
        """No answer is lost, none is counted twice."""
        today = self.budget.today(self.connection, self.clock.now())
        assert today.used == self.booked[today.day]


TestBudgetMachine = BudgetMachine.TestCase
TestBudgetMachine.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)


@given(strategies.sampled_from(sorted(available_timezones())), strategies.integers(0, 2_200_000_000))
@settings(deadline=None)
def test_a_wait_ends_where_the_next_day_begins(zone: str, now: int) -> None:
    """In every zone of the world, whatever its clocks do at night: not a second early, not one late."""
    budget = limited(zone)
    then = now + budget.wait_ms(now) // 1000
    assert budget.day(then) > budget.day(now)
    assert date.fromisoformat(budget.day(then - 1)) <= date.fromisoformat(budget.day(now))


class Greedy:
    """A language model that takes all it was expected to, after the others had their turn."""

    name = "greedy"

    async def answer(self, prompt: Prompt) -> Answer:
        """An answer of full length."""
        for _ in range(3):
            await asyncio.sleep(0)
        return Answer("{}", expected_usage(self.name, prompt))


@given(strategies.lists(strategies.integers(0, 300), min_size=2, max_size=12))
@settings(max_examples=20, deadline=None)
def test_workers_side_by_side_never_overspend(lengths: list[int]) -> None:
    """However many calls begin at once, what they take together fits the day."""
    assert 0 < asyncio.run(_spend(lengths)) <= 2 * LIMIT


async def _spend(lengths: list[int]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        database = Database.open(Path(folder) / "memud.db", load().store)
        budget = Budget(
            BudgetSettings(tokens_per_day=2 * LIMIT, usd_per_day=0, then="wait", prices={}),
            ZoneInfo("Europe/Berlin"),
        )
        clock = FrozenClock()
        model = MeteredModel(Greedy(), budget, database, clock)
        prompts = [Prompt("extract", "", "", "n", {}, length) for length in lengths]
        await asyncio.gather(*(model.answer(prompt) for prompt in prompts), return_exceptions=True)
        used = (await database.read(lambda c: budget.today(c, clock.now()))).used
        database.close()
        return used
