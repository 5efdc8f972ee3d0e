"""The day's budget: what is reserved, booked, given back, and when paid models stand still."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

import apsw
import pytest

from config.settings import BudgetSettings
from memory.budget import Budget, price_of
from memory.database import Database
from memory.embed.metered import MeteredEmbedder
from memory.errors import AnswerError, BudgetError, OutageError
from memory.llm.metered import MeteredModel, expected_usage
from memory.ports import Answer, Prompt, Usage
from memory.store import usage as ledger
from memory.tally import Tally
from memory.testing import FakeEmbedder, FrozenClock
from migrations import runner

BERLIN = ZoneInfo("Europe/Berlin")
NOON = 1_780_048_800  # 2026-05-29 12:00 in Berlin
PROMPT = Prompt("extract", "Find facts.", "I live in Bern.", "facts", {"type": "object"}, 100)


def budget(tokens: int = 0, usd: float = 0.0, zone: ZoneInfo = BERLIN, **prices: Any) -> Budget:
    """A budget with these limits; 0 is none."""
    return Budget(BudgetSettings(tokens_per_day=tokens, usd_per_day=usd, then="wait", prices=prices), zone)


def call(tokens: int, model: str = "m") -> Usage:
    """What a call takes: half in, half out."""
    return Usage(model, tokens - tokens // 2, tokens // 2)


@pytest.fixture
def connection() -> Iterator[apsw.Connection]:
    """A migrated database in memory."""
    opened = apsw.Connection(":memory:")
    runner.apply(opened)
    yield opened
    opened.close()


def test_what_was_counted_before_there_were_budgets_stays_counted() -> None:
    """The migration gives old rows no cost, and takes none of their tokens."""
    older = [one for one in runner.migrations() if one.version < 4]
    connection = apsw.Connection(":memory:")
    for migration in older:
        connection.execute(migration.sql)
    connection.execute("INSERT INTO llm_usage VALUES ('2026-05-29', 'extract', 'm', 70, 9, 1)")
    connection.pragma("application_id", runner.APPLICATION_ID)
    connection.pragma("user_version", older[-1].version)
    runner.apply(connection)
    (row,) = ledger.spent(connection)
    assert (row.input_tokens, row.output_tokens, row.cost_micro, row.is_local) == (70, 9, 0, False)
    assert budget().today(connection, NOON).used == 79
    connection.close()


def test_what_is_reserved_is_kept_from_others(connection: apsw.Connection) -> None:
    """Two calls that fit one by one do not begin together where they exceed the limit together."""
    limited = budget(1_000)
    first = limited.reserve(connection, "extract", call(600), NOON)
    with pytest.raises(BudgetError):
        limited.reserve(connection, "extract", call(600), NOON)
    limited.book(connection, first, call(300))
    limited.reserve(connection, "extract", call(600), NOON)
    assert limited.today(connection, NOON).used == 300
    assert limited.today(connection, NOON).reserved == 600


def test_a_reservation_that_is_given_back_costs_nothing(connection: apsw.Connection) -> None:
    """A call that did not happen leaves the day as it was."""
    limited = budget(1_000)
    limited.release(connection, limited.reserve(connection, "extract", call(1_000), NOON))
    assert limited.today(connection, NOON).used == 0
    limited.reserve(connection, "extract", call(1_000), NOON)


def test_reservations_of_a_crash_are_given_back_at_the_start(connection: apsw.Connection) -> None:
    """Whoever died between reserving and booking blocks nobody after the restart."""
    limited = budget(1_000)
    lost = limited.reserve(connection, "extract", call(900), NOON)
    assert budget(1_000).free_all(connection) == 1
    limited.reserve(connection, "extract", call(900), NOON)
    limited.book(connection, lost, call(10))  # an answer that still comes in is counted
    assert limited.today(connection, NOON).used == 10


def test_a_spent_day_ends_at_the_next_local_midnight(connection: apsw.Connection) -> None:
    """The refusal says when to come back, and then there is room again."""
    limited = budget(1_000)
    limited.book(connection, limited.reserve(connection, "extract", call(1_000), NOON), call(1_000))
    with pytest.raises(BudgetError) as refused:
        limited.reserve(connection, "extract", call(1), NOON)
    assert refused.value.retry_after_ms == 12 * 3_600_000
    assert "1,000 of 1,000 tokens" in str(refused.value)
    midnight = NOON + refused.value.retry_after_ms // 1000
    assert limited.today(connection, NOON).fault
    assert not limited.today(connection, midnight).fault
    with pytest.raises(BudgetError):
        limited.reserve(connection, "extract", call(1), midnight - 1)
    limited.reserve(connection, "extract", call(1_000), midnight)


@pytest.mark.parametrize(
    ("zone", "now", "hours"),
    [
        ("Europe/Berlin", 1_774_738_800, 23),  # 2026-03-29 00:00, the clock goes forward at two
        ("Europe/Berlin", 1_792_879_200, 25),  # 2026-10-25 00:00, the clock goes back at three
        ("America/Santiago", 1_788_580_800, 24),  # 2026-09-05 00:00; the next midnight is skipped
    ],
)
def test_days_are_as_long_as_they_are(connection: apsw.Connection, zone: str, now: int, hours: int) -> None:
    """A day of 23 hours ends after 23, one of 25 after 25, and a skipped midnight at one o'clock."""
    limited = budget(1_000, zone=ZoneInfo(zone))
    assert limited.wait_ms(now) == hours * 3_600_000
    assert limited.day(now + hours * 3600 - 1) == limited.day(now) < limited.day(now + hours * 3600)


def test_a_call_over_midnight_counts_for_the_day_that_reserved_it(connection: apsw.Connection) -> None:
    """No day takes more than it may, and no call is counted twice."""
    limited = budget(1_000)
    late = NOON + 12 * 3600 - 1
    held = limited.reserve(connection, "extract", call(1_000), late)
    limited.reserve(connection, "extract", call(1_000), late + 1)
    limited.book(connection, held, call(1_000))
    assert limited.today(connection, late).used == 1_000
    assert limited.today(connection, late + 1).used == 0


def test_a_clock_that_is_turned_back_opens_no_new_account(connection: apsw.Connection) -> None:
    """What a day has taken stays taken when the clock comes back to it."""
    limited = budget(1_000)
    limited.book(connection, limited.reserve(connection, "extract", call(1_000), NOON), call(1_000))
    limited.reserve(connection, "extract", call(1_000), NOON + 86_400)
    with pytest.raises(BudgetError):
        limited.reserve(connection, "extract", call(1), NOON - 3600)


def test_dollars_stop_as_tokens_do(connection: apsw.Connection) -> None:
    """Input and output have their own price; a call that would lead past the day's dollars is refused."""
    limited = budget(usd=0.01, m=(2.0, 10.0))
    held = limited.reserve(connection, "extract", Usage("m", 1_000, 500), NOON)
    limited.book(connection, held, Usage("m", 1_000, 500))
    assert limited.today(connection, NOON).cost_micro == 7_000
    with pytest.raises(BudgetError, match=r"0\.01 of 0\.01 dollars"):
        limited.reserve(connection, "extract", Usage("m", 1_000, 500), NOON)


def test_a_call_larger_than_a_whole_day_says_so(connection: apsw.Connection) -> None:
    """Waiting for tomorrow would not help, so the hint names the setting to raise."""
    with pytest.raises(BudgetError) as refused:
        budget(100).reserve(connection, "extract", call(101), NOON)
    assert "raise `budget.tokens_per_day`" in refused.value.hint


def test_without_limits_nothing_stops_and_all_is_counted(connection: apsw.Connection) -> None:
    """0 is no limit."""
    free = budget()
    free.book(connection, free.reserve(connection, "extract", call(10**9), NOON), call(10**9))
    assert free.today(connection, NOON).used == 10**9
    assert not free.today(connection, NOON).fault


def test_the_cost_of_a_model_without_a_price_is_not_counted_and_said(connection: apsw.Connection) -> None:
    """Its tokens are marked as unpriced; dollars of others count on."""
    known = budget(usd=1.0, m=(2.0, 10.0))
    for model in ("m", "home-grown"):
        held = known.reserve(connection, "extract", call(100, model), NOON)
        known.book(connection, held, call(100, model))
    rows = {row.model: (row.cost_micro, row.unpriced_tokens) for row in ledger.spent(connection)}
    assert rows == {"m": (600, 0), "home-grown": (0, 100)}
    assert known.today(connection, NOON).unpriced == ("home-grown",)
    assert budget(1_000).today(connection, NOON).unpriced == ()  # there is no limit in dollars


@pytest.mark.parametrize(
    ("model", "price"),
    [
        ("claude-sonnet-5", (2.0, 10.0)),
        ("anthropic/claude-sonnet-5", (2.0, 10.0)),
        ("claude-sonnet-5-20260630", (2.0, 10.0)),
        ("claude-sonnet-5-2026-06-30", (2.0, 10.0)),
        ("claude-sonnet-5-5", None),
        ("claude-sonnet", None),
    ],
)
def test_a_price_is_found_by_the_models_own_name(model: str, price: object) -> None:
    """Provider and date do not matter, but a price of a similar name is no price."""
    assert price_of({"claude-sonnet-5": (2.0, 10.0)}, model) == price


class Scripted:
    """A language model that answers, or raises, what it was given."""

    name = "test/model"

    def __init__(self, *outcomes: Answer | Exception) -> None:
        self.outcomes = list(outcomes)
        self.calls = 0

    async def answer(self, prompt: Prompt) -> Answer:
        """The next outcome."""
        self.calls += 1
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def metered(
    database: Database, limited: Budget, *outcomes: Answer | Exception
) -> tuple[MeteredModel, Scripted]:
    """A metered model, and the one behind it."""
    behind = Scripted(*outcomes)
    return MeteredModel(behind, limited, database, FrozenClock(NOON)), behind


async def booked(database: Database) -> dict[tuple[str, str], tuple[int, int, int]]:
    """(in, out, calls) by purpose and model."""
    rows = await database.read(ledger.spent)
    return {(row.purpose, row.model): (row.input_tokens, row.output_tokens, row.calls) for row in rows}


async def test_every_answer_is_booked_under_its_purpose(database: Database) -> None:
    """In the provider's own count, at once: nobody has to use the answer."""
    model, _ = metered(database, budget(10_000), Answer("{}", Usage("model-1", 70, 9)))
    await model.answer(PROMPT)
    assert await booked(database) == {("extract", "model-1"): (70, 9, 1)}
    assert await database.read(lambda c: budget().today(c, NOON).reserved) == 0


async def test_an_answer_that_is_of_no_use_is_booked_all_the_same(database: Database) -> None:
    """A cut one was paid for; one that the provider refused before it read anything was not."""
    cut = AnswerError("cut", input_tokens=80, output_tokens=100)
    model, _ = metered(database, budget(10_000), cut, AnswerError("too long"))
    for _ in range(2):
        with pytest.raises(AnswerError):
            await model.answer(PROMPT)
    assert await booked(database) == {("extract", "test/model"): (80, 100, 1)}
    assert (await database.read(lambda c: budget().today(c, NOON))).reserved == 0


async def test_an_outage_is_not_booked_and_holds_nothing(database: Database) -> None:
    """Six hours of a broken provider don't eat the budget."""
    limited = budget(10_000)
    model, _ = metered(database, limited, OutageError("down"))
    with pytest.raises(OutageError):
        await model.answer(PROMPT)
    assert await booked(database) == {}
    assert await database.read(lambda c: limited.today(c, NOON).reserved) == 0


async def test_who_is_cancelled_while_reserving_keeps_nothing_reserved(database: Database) -> None:
    """The write of the reservation stands all the same; a client that hangs up then costs the day nothing."""
    limited, is_held, go_on = budget(10_000), threading.Event(), threading.Event()
    model, behind = metered(database, limited, Answer("{}", Usage("model-1", 70, 9)))
    embedder = MeteredEmbedder(FakeEmbedder(), limited, database, Tally(), FrozenClock(NOON))

    def hold(_: object) -> None:
        is_held.set()
        go_on.wait()

    async with asyncio.TaskGroup() as group:
        group.create_task(database.write(hold))
        await asyncio.to_thread(is_held.wait)  # from here on writes queue up
        calls = [group.create_task(one) for one in (model.answer(PROMPT), embedder.passages(["a text"]))]
        await asyncio.sleep(0)  # both have asked for their reservation
        for call in calls:
            call.cancel()
        go_on.set()
    assert all(call.cancelled() for call in calls)
    assert behind.calls == 0
    assert await database.read(lambda c: limited.today(c, NOON).reserved) == 0


async def test_a_spent_budget_refuses_before_the_call(database: Database) -> None:
    """No request leaves the machine once the day's tokens are gone."""
    need = expected_usage("test/model", PROMPT)
    limited = budget(need.input_tokens + need.output_tokens)
    answer = Answer("{}", Usage("model-1", need.input_tokens, 1))
    model, behind = metered(database, limited, answer, answer)
    await model.answer(PROMPT)
    with pytest.raises(BudgetError):
        await model.answer(PROMPT)
    assert behind.calls == 1
    assert (await database.read(lambda c: limited.today(c, NOON))).fault


@pytest.mark.parametrize("said", [-1_000_000, 10**30, 2**62])
async def test_no_count_of_a_provider_undoes_or_breaks_the_account(database: Database, said: int) -> None:
    """What it says is its own word: nothing is given back by it, and no answer lost."""
    limited = budget(1_000)
    model, _ = metered(database, limited, Answer("{}", Usage("m", said, said)))
    assert (await model.answer(PROMPT)).raw == "{}"
    today = await database.read(lambda c: limited.today(c, NOON))
    assert today.used >= 0
    assert today.reserved == 0
    assert bool(today.fault) is (said > 0)
