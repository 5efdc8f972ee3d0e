"""Runs over many new turns: what is shared between turns changes no prediction, and each run ends."""

from pathlib import Path

import pytest

from memory.model import DAY_S
from tests.weeks import BEGIN, House, talk, turn_of


async def test_a_run_predicts_what_a_look_at_one_turn_at_a_time_predicts(tmp_path: Path) -> None:
    """The plain reference reads everything anew for each turn, with parts that have seen none before."""
    said = talk(5, 90)
    together, plain = House(tmp_path / "a.db"), House(tmp_path / "b.db")
    await together.hear(said)
    await plain.hear(said)
    assert (await together.foresight(1000).run(None, dry_run=False))["turns"] == len(said)
    for _ in said:
        assert (await plain.foresight(1).run(None, dry_run=False))["turns"] == 1
    ledger = await together.ledger()
    assert ledger == await plain.ledger()
    assert {row[1] for row in ledger} >= {"commitment", "repeated_intent", "habit"}
    assert {row[9] for row in ledger} >= {"open", "hit", "dismissed"}
    together.database.close()
    plain.database.close()


async def test_a_run_ends_and_the_next_one_goes_on(tmp_path: Path) -> None:
    """However much is new; each turn is looked at once."""
    house = House(tmp_path / "m.db")
    await house.hear(talk(1, 120))
    foresight = house.foresight(50)
    runs = [(await foresight.run(None, dry_run=False))["turns"] for _ in range(4)]
    assert runs == [50, 50, 20, 0]
    house.database.close()


@pytest.mark.parametrize(
    ("text", "apart_s", "most"),
    [
        ("what is the price of NVDA shares", 1, 1),
        ("what is the price of NVDA shares", 0, 0),
        ("英伟达的股价是多少", 20, 1),
        ("明天上午九点提醒我给物业打电话", 1, 1),
    ],
)
async def test_thousands_of_identical_turns_are_no_flood(
    tmp_path: Path, text: str, apart_s: int, most: int
) -> None:
    """One run comes to their end, having looked at few of them, and predicts a thing once or not at all."""
    house = House(tmp_path / "m.db")
    await house.hear([turn_of(n, "ana", text, BEGIN + n * apart_s, None) for n in range(5_000)])
    foresight = house.foresight(2_000)
    assert (await foresight.run(None, dry_run=False))["turns"] == 5_000
    assert len(await house.ledger()) <= most
    house.database.close()


async def test_a_reminder_that_means_another_time_is_heard_however_often_it_is_asked_for(
    tmp_path: Path,
) -> None:
    """In the same words, once a minute for half an hour."""
    house = House(tmp_path / "m.db")
    text = "remind me in 5 minutes to turn the steaks"
    await house.hear([turn_of(n, "ana", text, BEGIN + n * 60, None) for n in range(30)])
    await house.foresight(2_000).run(None, dry_run=False)
    assert len(await house.ledger()) == 30
    house.database.close()


async def test_what_is_asked_again_after_a_flood_of_it_is_heard(tmp_path: Path) -> None:
    """Three mornings of fifteen the same are three askings, and one topic."""
    house = House(tmp_path / "m.db")
    text = "what is the price of NVDA shares"
    said = [turn_of(n, "ana", text, BEGIN + n // 15 * DAY_S + n % 15, None) for n in range(45)]
    await house.hear(said)
    await house.foresight(2_000).run(None, dry_run=False)
    assert [row[1] for row in await house.ledger()] == ["repeated_intent"]
    house.database.close()
