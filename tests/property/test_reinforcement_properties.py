"""Saying a fact again freshens it, and does no more: its count is capped and makes nothing immortal."""

import random
from collections.abc import Sequence

import apsw
from hypothesis import given, settings
from hypothesis import strategies as st

from config.settings import load
from memory.ids import id_maker
from memory.intake import Event, Intake
from memory.knowledge.filing import Filer
from memory.knowledge.settle import Settler
from memory.knowledge.settled import Embedded
from memory.model import DAY_S, TYPE_DEFAULTS, Fact, Item, Kind, MemoryType, Resource, Role, Scope
from memory.scoring.decay import retention
from memory.store import items
from memory.store.items import MAX_REINFORCED
from memory.vectors.generations import Generations
from migrations import runner

NOW = 1_800_000_000
TIMES = st.lists(st.integers(0, 900), min_size=1, max_size=2 * MAX_REINFORCED)
TYPES = st.sampled_from(list(MemoryType))
FACT = "I like jazz"


def stated(days: Sequence[int], memory_type: MemoryType) -> Item:
    """What is known of a fact that was said on these days, counted back from now, in this order."""
    connection = apsw.Connection(":memory:")
    connection.pragma("foreign_keys", "ON")
    runner.apply(connection)
    new_id = id_maker(random.Random(1).randbytes)  # noqa: S311 - no secrets
    intake, settler = Intake(load().capture, new_id), Settler(Generations(None), new_id, Filer(new_id))
    default = TYPE_DEFAULTS[memory_type]
    fact = Fact(FACT, Kind.SEMANTIC, memory_type, default.importance, default.half_life_days, (0, len(FACT)))
    for number, day in enumerate(days):
        event = Event(f"k{number}", Scope(session_id="s"), Role.USER, FACT, timestamp=NOW - day * DAY_S)
        taken = intake.take(connection, intake.prepare(event, NOW), NOW)
        assert isinstance(taken.stored, Resource)
        settler.settle(connection, Embedded(fact, None, ""), taken.stored)
    known = items.by_hash(connection, "default", FACT)
    connection.close()
    assert known is not None
    return known.item


def kept(item: Item, days_ahead: int) -> float:
    """What is retained of it some days from now."""
    return retention((NOW - item.stated_at) / DAY_S + days_ahead, item.half_life_days)


@settings(max_examples=25, deadline=None)
@given(TIMES, TYPES)
def test_a_fact_that_was_said_often_fades_as_one_said_once(days: list[int], memory_type: MemoryType) -> None:
    """From its latest statement on, whatever the order of arrival; importance and half-life stay."""
    often, once = stated(days, memory_type), stated([min(days)], memory_type)
    assert often.stated_at == once.stated_at
    assert kept(often, 30) == kept(once, 30)
    assert (often.importance, often.half_life_days) == (once.importance, once.half_life_days)


@settings(max_examples=25, deadline=None)
@given(TIMES, st.integers(0, 900), TYPES)
def test_saying_it_once_more_takes_nothing(days: list[int], later: int, memory_type: MemoryType) -> None:
    """Retention never falls by it; the count grows by one, up to its cap."""
    before, after = stated(days, memory_type), stated([*days, later], memory_type)
    assert kept(after, 30) >= kept(before, 30)
    assert after.reinforced == min(before.reinforced + 1, MAX_REINFORCED)
