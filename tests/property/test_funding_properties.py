"""Leases and what is kept free for them, after every single write of workers side by side."""

import asyncio
import random
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import apsw
from hypothesis import given, settings, strategies

from config.settings import load
from memory import queue
from memory.database import Database
from memory.errors import AnswerError, OutageError
from memory.ids import id_maker
from memory.llm.metered import expected_usage
from memory.model import Scope
from memory.ports import Answer, Prompt
from memory.testing import FakeEmbedder, FakeExtractor, FakeLanguageModel, FrozenClock, told_facts
from tests.funded import Account, account_in, budget_of, funded, need
from tests.world import World

T = TypeVar("T")
TEXT = "I prefer tea over coffee."
DAYS = 40  # more than any of the limits below needs


class WatchedDatabase(Database):
    """Looks at the account in each transaction, before it commits."""

    seen: list[tuple[Account, int]]

    async def write(self, function: Callable[[apsw.Connection], T], *, frees_space: bool = False) -> T:
        """As it is, and seen."""

        def watched(connection: apsw.Connection) -> T:
            result = function(connection)
            done = connection.execute("SELECT count(*) FROM capture_queue WHERE state = 'done'").get
            self.seen.append((account_in(connection), done))
            return result

        return await super().write(watched, frees_space=frees_space)


class Greedy(FakeLanguageModel):
    """Takes all that may have been kept free for it, after the others had their turn; fails as it is told."""

    async def answer(self, prompt: Prompt) -> Answer:
        """The truth, at the dearest."""
        for _ in range(3):
            await asyncio.sleep(0)
        answer = await super().answer(prompt)
        return Answer(answer.raw, expected_usage(self.name, prompt))


_ENDS = strategies.sampled_from([None, OutageError("away"), AnswerError("refused")])


@given(
    turns=strategies.integers(1, 6),
    workers=strategies.integers(1, 4),
    calls_a_day=strategies.floats(1, 3.9),
    ends=strategies.lists(_ENDS, max_size=6),
)
@settings(max_examples=25, deadline=None)
def test_no_lease_is_without_its_money_and_no_money_without_its_lease(
    turns: int, workers: int, calls_a_day: float, ends: list[Exception | None]
) -> None:
    """In each transaction: what is in hand is reserved, or answered and booked; no day is overspent."""
    limit = int(calls_a_day * need(TEXT))
    with tempfile.TemporaryDirectory() as folder:
        seen, days = asyncio.run(_live(Path(folder), turns, workers, limit, ends))
    assert all(account.leased == account.reserved + account.calls - done for account, done in seen)
    assert seen[-1] == (Account(0, 0, turns, seen[-1][0].used), turns)
    assert all(0 < used <= limit for used in days)


async def _live(
    folder: Path, turns: int, workers: int, limit: int, ends: Sequence[Exception | None]
) -> tuple[list[tuple[Account, int]], list[int]]:
    """What was seen, and the tokens of each day, until all is learnt."""
    database = WatchedDatabase.open(folder / "memud.db", load().store)
    assert isinstance(database, WatchedDatabase)
    database.seen = []
    clock, new_id = FrozenClock(), id_maker(random.Random(1).randbytes)  # noqa: S311 - no secrets
    plain = World.build(database, load(), clock, new_id, embedder=FakeEmbedder(), extractor=FakeExtractor())
    world = funded(plain, Greedy(told_facts, ends), budget_of(limit))
    try:
        for n in range(turns):
            await world.take(TEXT, f"k{n}", scope=Scope(session_id=f"s{n}"))
        for _ in range(DAYS):
            while any(await asyncio.gather(*(world.worker.work_on_next() for _ in range(workers)))):
                pass
            now = clock.now()
            due_at = await database.read(lambda c: queue.next_due(c, now))
            if due_at is None:
                break
            clock.turn(due_at - now)
        days = await world.rows("SELECT input_tokens + output_tokens FROM llm_usage")
    finally:
        database.close()
    return database.seen, [used for (used,) in days]
