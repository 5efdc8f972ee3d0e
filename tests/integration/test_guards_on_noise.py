"""What the guards alone let pass where a model takes every turn, whole, for a fact; figures with `-s`."""

import json
from collections import Counter

from evaluation.sets import noise
from memory.extract.answer import read_answer
from memory.extract.own import is_told
from memory.extract.prompt import Asked
from memory.model import Role
from memory.testing import told_fact
from tests.world import World

NOBODYS = ("boot", "cron", "heartbeat", "tool", "process", "refusal", "recap")


async def passes(world: World, turn: noise.NoiseTurn) -> bool:
    """Whether a fact would be kept of a turn, taken in as `capture` does."""
    taken = await world.take(turn.content, turn.key, role=Role(str(turn.role)), trigger=turn.trigger)
    stored = taken.stored
    if stored is None or not is_told(stored.turn):
        return False
    answer = json.dumps({"facts": [told_fact("t1", stored.turn.text)]})
    return bool(read_answer(answer, Asked((stored,), ()), 5))


async def test_the_guards_alone_keep_nobodys_words_out_and_facts_in(world: World) -> None:
    """The worst of models costs passing states, and neither facts nor words that no person said."""
    turns = [turn for turn in noise.read() if turn.half != "fresh"]
    there = Counter(turn.kind for turn in turns)
    passed = Counter([turn.kind for turn in turns if await passes(world, turn)])
    for kind, count in sorted(there.items()):
        print(f"{kind}: {passed[kind]} of {count}")  # noqa: T201 - the figure is what it is for
    assert [kind for kind in NOBODYS if passed[kind]] == []
    assert passed["fact"] >= 0.9 * there["fact"]
    assert passed["quote"] <= 0.1 * there["quote"]
