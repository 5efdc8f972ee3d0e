"""A memory that leaves and arrives elsewhere is the same, whatever was done to it before."""

import asyncio
import random
import tempfile
from pathlib import Path
from typing import Any

import apsw
import msgspec
from hypothesis import given, settings, strategies

from config.settings import load
from memory.database import Database
from memory.ids import id_maker
from memory.knowledge.curation import Statement
from memory.knowledge.learning import Learning
from memory.model import Scope
from memory.notes.notebook import Notebook, Page
from memory.portable import leaving
from memory.portable.arriving import Arrival, Arrived
from memory.portable.records import read
from memory.store import links
from memory.testing import FakeEmbedder, FakeExtractor, FrozenClock
from tests.world import World

Step = tuple[str, int, str]
VERBS = [
    "add",
    "say",
    "public",
    "edit",
    "pin",
    "publish",
    "categorise",
    "supersede",
    "restore",
    "forget",
    "note",
]
WORDS = strategies.sampled_from(
    ["likes tea", "likes coffee", "住在上海", "住在北京", "has 2 cats", "plays chess"]
)
STEPS = strategies.lists(
    strategies.tuples(strategies.sampled_from(VERBS), strategies.integers(0, 5), WORDS),
    min_size=1,
    max_size=12,
)


def _open(folder: Path, name: str, clock: FrozenClock, seed: int) -> World:
    store = load().store.model_copy(update={"ballast_bytes": 4096})
    database = Database.open(folder / name, store)
    new_id = id_maker(random.Random(seed).randbytes)  # noqa: S311 - no secrets
    return World.build(database, load(), clock, new_id, embedder=FakeEmbedder(), extractor=FakeExtractor())


async def _do(world: World, step: Step) -> None:
    verb, which, words = step
    world.clock.turn(100)
    facts = await world.facts()
    curation, scope = world.curation, Scope(session_id="s")
    if verb == "note":
        learning = Learning(world.embedder, FakeExtractor(), world.settler, world.generations)
        notebook = Notebook(world.database, learning, world.clock, world.new_id)
        await notebook.take("default", Page("/w/MEMORY.md", f"## Home\n- {words}\n", world.clock.now()))
    elif verb in ("say", "public"):
        await world.say(words, f"k{world.clock.now()}", private=verb == "say")
    elif verb == "add" or not facts:
        await curation.add(scope, Statement(words, infer=False))
    else:
        await _change(world, facts[which % len(facts)].id, facts[-1].id, verb, words)


async def _change(world: World, item_id: str, other: str, verb: str, words: str) -> None:
    scope, now = Scope(), world.clock.now()
    superseded = [fact.id for fact in await world.facts() if fact.superseded_by]
    if verb == "edit":
        await world.curation.update(scope, item_id, {"memory": f"{words} {now}", "valid_until": now + 9})
    elif verb == "pin":
        await world.curation.pin(scope, item_id, pinned=True)
    elif verb == "publish":
        await world.curation.update(scope, item_id, {"private": False, "half_life_days": None})
    elif verb == "categorise":
        await world.curation.update(scope, item_id, {"categories": [words, "一般"]})
    elif verb == "forget":
        await world.curation.forget(scope, item_id, dry_run=False)
    elif verb == "supersede" and item_id != other:
        await world.database.write(lambda c: links.supersede(c, other, item_id, "test", now))
    elif verb == "restore" and superseded:
        await world.curation.restore(scope, superseded[0])


async def _export(world: World, *, everything: bool = True) -> list[Any]:
    found: list[Any] = []
    cursor: str | None = None
    while True:
        records, cursor = await world.database.read(
            lambda c, at=cursor: leaving.page(c, "default", at, 3, everything=everything)  # type: ignore[misc]
        )
        found += [msgspec.to_builtins(record) for record in records]
        if cursor is None:
            return found


async def _import(world: World, records: list[Any]) -> Arrived:
    def store(connection: apsw.Connection) -> Arrived:
        arrival = Arrival(connection, "default", world.clock.now(), world.new_id)
        for place, raw in enumerate(records):
            arrival.take(place, read(raw))
        return arrival.arrived

    return await world.database.write(store)


async def _round_trip(folder: Path, steps: list[Step]) -> None:
    clock = FrozenClock()
    home, away = _open(folder, "home.db", clock, 1), _open(folder, "away.db", clock, 2)
    try:
        for step in steps:
            await _do(home, step)
        left = await _export(home)
        assert (await _import(away, left)).skipped == {}
        assert await _export(away) == left
        again = await _import(away, left)
        assert (again.added, again.skipped) == (0, {})
        assert await _export(away) == left
    finally:
        home.database.close()
        away.database.close()


@settings(max_examples=25)
@given(STEPS)
def test_what_arrives_is_what_left(steps: list[Step]) -> None:
    """Edits, pins, privacy, categories, supersession, sources, and turns without facts; twice is once."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_round_trip(Path(folder), steps))
