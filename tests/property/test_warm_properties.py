"""What was prepared ahead is what recall would give now: whatever happens in between, in any order."""

import asyncio
import random
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from config.settings import load
from memory.database import Database
from memory.errors import MemudError
from memory.ids import id_maker
from memory.knowledge.curation import Changes
from memory.model import DAY_S, Kind, Origin, Role, Scope
from memory.recall.ahead import AheadRecall
from memory.recall.asking import Asker
from memory.recall.finding import Finder
from memory.recall.freshness import Freshness
from memory.recall.offsets import Offsets
from memory.recall.query import Query, Recalled
from memory.recall.recall import Recall
from memory.recall.repeats import Repeats
from memory.recall.scored import Scorer
from memory.recall.warm import Warm
from memory.testing import FakeEmbedder, FakeExtractor, FrozenClock
from tests.world import World

QUESTIONS = ("where is my garden party?", "what tea does Ana drink", "安娜喝什么茶", "the price of NVDA")
VARIANTS = (
    "Could you please WHERE IS my garden party?",
    "hey, what tea does Ana drink!",
    "请问安娜喝什么茶",
    "the price of NVDA",
)
SAID = (
    "The garden party is at Tom's place", "Ana drinks green tea", "Ana drinks black tea now, not green tea",
    "安娜喝绿茶", "安娜现在喝红茶", "The price of NVDA is 180",
    "The garden party is moved to Berlin", "ok thanks",
)  # fmt: skip
OPERATIONS = (
    "say", "say", "ask", "say_to_others", "edit", "expire", "forget", "restore", "pin", "wait", "wait",
    "tomorrow", "file", "say_in_public", "reply", "import",
)  # fmt: skip
BOUNDS: tuple[dict[str, Any], ...] = (
    {},
    {"limit": 1},
    {"max_tokens": 30},
    {"with_factors": True},
    {"threshold": 0.0},
    {"threshold": 0.3},
    {"kinds": [Kind.SEMANTIC]},
    {"kinds": [Kind.EPISODIC]},
    {"categories": ["c1"]},
    {"in_prompt_since": 0},
    {"scope": Scope(session_id="s0")},
    {"scope": Scope(session_id="s1", public_only=True)},
    {"scope": Scope(agent_id="a", session_id="new")},
    {"scope": Scope("ben", session_id="s1")},
)
STEP = st.tuples(
    st.sampled_from(OPERATIONS), st.integers(0, 7), st.booleans(), st.integers(0, len(BOUNDS) - 1)
)


class House:
    """A store whose recalls are prepared ahead, and the plain recall beside it."""

    def __init__(self, database: Database) -> None:
        config, self.clock, embedder = load(), FrozenClock(), FakeEmbedder()
        new_id = id_maker(random.Random(3).randbytes)  # noqa: S311 - no secrets
        self.world = World.build(
            database, config, self.clock, new_id, embedder=embedder, extractor=FakeExtractor()
        )
        generations, count = self.world.generations, config.recall.candidates
        self.warm, self.offsets = Warm(), Offsets(embedder.name)
        asker = Asker(database, generations, self.clock, lambda: True, count, self.warm.vector)
        scorer = Scorer(config.recall, Finder(count), self.offsets)
        self.cold = Recall(database, asker, scorer, Repeats(generations), config.recall, lambda *_: ())
        freshness = Freshness(generations, self.offsets, lambda: True)
        self.ahead = AheadRecall(database, self.cold, self.warm, freshness, self.clock)
        self._count = 0

    async def do(self, operation: str, number: int) -> None:
        """Something that may change an answer."""
        steps: dict[str, Callable[[int], Awaitable[Any]]] = {
            "say": self._say, "ask": self._ask, "say_to_others": self._say_to_others, "edit": self._edit,
            "forget": self._forget,
            "restore": self._restore, "pin": self._pin, "wait": self._wait, "tomorrow": self._tomorrow,
            "expire": self._expire, "file": self._file, "say_in_public": self._say_in_public,
            "reply": self._reply, "import": self._import,
        }  # fmt: skip
        try:
            await steps[operation](number)
        except MemudError:  # nothing there to be changed
            return

    async def _say(self, number: int) -> None:
        self._count += 1
        await self.world.say(SAID[number], f"k{self._count}", scope=Scope(session_id=f"s{number % 2}"))

    async def _ask(self, number: int) -> None:
        self._count += 1
        await self.world.say(QUESTIONS[number % 4], f"k{self._count}", scope=Scope(session_id="s1"))

    async def _say_in_public(self, number: int) -> None:
        self._count += 1
        await self.world.say(SAID[number], f"k{self._count}", scope=Scope(session_id="s1"), private=False)

    async def _reply(self, number: int) -> None:
        self._count += 1
        await self.world.say(SAID[number], f"k{self._count}", role=Role.ASSISTANT)

    async def _import(self, number: int) -> None:
        self._count += 1
        at = self.clock.now() - number * DAY_S
        key, scope = f"k{self._count}", Scope(session_id="s0")
        await self.world.take(SAID[number], key, scope=scope, origin=Origin.IMPORT, timestamp=at)
        await self.world.learn_all()  # what was forgotten is not taken in again

    async def _say_to_others(self, number: int) -> None:
        self._count += 1
        await self.world.say(SAID[number], f"k{self._count}", scope=Scope("ben"))

    async def _fact(self, number: int) -> str:
        facts = await self.world.facts()
        return facts[number % len(facts)].id if facts else "none"

    async def _edit(self, number: int) -> None:
        changes: tuple[Changes, ...] = (
            {"memory": f"{SAID[number]} indeed"},
            {"importance": number / 8},
            {"private": False},
            {"kind": Kind.EPISODIC},
        )
        await self.world.curation.update(Scope(), await self._fact(number), changes[number % 4])

    async def _forget(self, number: int) -> None:
        await self.world.curation.forget(Scope(), await self._fact(number), dry_run=False)

    async def _restore(self, number: int) -> None:
        await self.world.curation.restore(Scope(), await self._fact(number))

    async def _pin(self, number: int) -> None:
        await self.world.curation.pin(Scope(), await self._fact(number), pinned=bool(number % 2))

    async def _wait(self, number: int) -> None:
        self.clock.turn(1 + number * 900)

    async def _tomorrow(self, number: int) -> None:
        self.clock.turn(DAY_S * (1 + number * 20))

    async def _expire(self, number: int) -> None:
        until: Changes = {"valid_until": self.clock.now() + 60 * number}
        await self.world.curation.update(Scope(), await self._fact(number), until)

    async def _file(self, number: int) -> None:
        await self.world.curation.update(Scope(), await self._fact(number), {"categories": [f"c{number}"]})


async def _same(steps: list[tuple[str, int, bool, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = load().store.model_copy(update={"ballast_bytes": 4096})
        database = Database.open(Path(folder) / "m.db", store)
        try:
            house = House(database)
            for number in range(6):
                await house.do("say", number)
            for operation, number, prepares, bound in steps:
                await house.do(operation, number)
                for place, text in enumerate(QUESTIONS if prepares else ()):
                    await house.ahead.prepare("default", text)
                    assert (await _asked(house, VARIANTS[place], text)).is_warm
                for place, text in enumerate(QUESTIONS):
                    await _asked(house, VARIANTS[place] if number % 2 else text, text, BOUNDS[bound])
        finally:
            database.close()


async def _asked(house: House, text: str, meant: str, bounds: dict[str, Any] | None = None) -> Recalled:
    query = Query(**{"text": text, "scope": Scope(session_id="s1"), "limit": 5, **(bounds or {})})
    ahead = await house.ahead.recall(query)
    cold = await house.cold.recall(replace(query, text=meant) if ahead.is_warm else query)
    assert replace(ahead, is_warm=False) == cold
    return ahead


@pytest.mark.slow
@settings(max_examples=20, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.lists(STEP, min_size=4, max_size=12))
def test_a_warm_answer_is_the_cold_one(steps: list[tuple[str, int, bool, int]]) -> None:
    """After captures, edits, forgets, restores, pins and filings, whatever others say, as time goes by, in
    whatever bounds it is asked."""
    asyncio.run(_same(steps))
