"""A store whose facts are drawn by a model within a day's budget, and what its account says."""

from dataclasses import dataclass
from typing import Literal
from zoneinfo import ZoneInfo

import apsw

from config.settings import BudgetSettings
from memory.budget import Budget
from memory.extract.funding import Paid
from memory.extract.kept import KeptAnswers
from memory.extract.llm import LlmExtractor
from memory.extract.prompt import dearest_prompt
from memory.extract.rules import RulesExtractor
from memory.llm.metered import MeteredModel, expected_usage
from memory.ports import Batching, Embedder, LanguageModel
from memory.testing import FakeEmbedder
from tests.world import World

ALONE = Batching(turns=1)


@dataclass(frozen=True, slots=True)
class Account:
    """What is in hand, kept free for it, and booked."""

    leased: int
    reserved: int
    calls: int
    used: int


def budget_of(tokens: int, then: Literal["rules", "wait"] = "wait") -> Budget:
    """So many tokens a day; 0 is no limit."""
    return Budget(BudgetSettings(tokens_per_day=tokens, usd_per_day=0, then=then, prices={}), ZoneInfo("UTC"))


def funded(
    world: World,
    model: LanguageModel,
    budget: Budget,
    batching: Batching = ALONE,
    embedder: Embedder | None = None,
) -> World:
    """The world again, with a model that is paid for."""
    metered = MeteredModel(model, budget, world.database, world.clock)
    extractor = LlmExtractor(metered, KeptAnswers(world.database, world.clock, world.new_id), batching)
    funding = Paid(extractor, metered, RulesExtractor() if budget.goes_on_by_rules else None)
    return World.build(
        world.database, world.settings, world.clock, world.new_id,
        embedder=embedder or FakeEmbedder(), extractor=extractor, funding=funding,
    )  # fmt: skip


def need(*texts: str, model: str = "fake/truth") -> int:
    """The tokens that are kept free for a lease of these turns."""
    most = expected_usage(model, dearest_prompt([len(text.encode()) for text in texts], 5))
    return most.input_tokens + most.output_tokens


def account_in(connection: apsw.Connection) -> Account:
    """What the tables say."""
    return Account(
        *next(
            connection.execute(
                """
                SELECT
                  (SELECT count(DISTINCT lease_token) FROM capture_queue WHERE state = 'leased'),
                  (SELECT count(*) FROM llm_reservations),
                  (SELECT coalesce(sum(calls), 0) FROM llm_usage),
                  (SELECT coalesce(sum(input_tokens + output_tokens), 0) FROM llm_usage)
                """
            )
        )
    )


async def account(world: World) -> Account:
    """What the tables of a world say."""
    return await world.database.read(account_in)
