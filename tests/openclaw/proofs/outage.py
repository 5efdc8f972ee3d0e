"""The memory fails, the conversation does not."""

import os
import signal
import statistics

from tests.openclaw.stand import Stand, seen
from tests.openclaw.wire import GatewayWire, connected

SESSION = "agent:main:outage"
_ROUNDS = 5
_MOST_S = 1.0
SPOOL_LIMIT_S = 90.0  # what waits is tried again with each turn, and once a minute


async def prove(stand: Stand) -> str:
    """Killed or hanging, a reply comes within a second of its time; back, each turn is there once."""
    async with connected(stand.gateway.port) as wire:
        up_s = await _talk(wire, "with")
        stand.memory.kill()
        down_s = await _talk(wire, "without")
        stand.memory.start()
        back_s = await _talk(wire, "with again")
        hung_s = await _hung(stand, wire)
    texts = [f"A turn {word} memory, number {number}." for word in _WORDS for number in range(_ROUNDS)]
    said = await seen(lambda: _said(stand, len(texts)), "every turn, also those of the outage", SPOOL_LIMIT_S)
    assert said == texts, said
    slower = [median - up_s for median in (down_s, hung_s)]
    assert max(slower) <= _MOST_S, (up_s, down_s, back_s, hung_s)
    return (
        f"a turn took {up_s:.2f} s, killed {down_s:.2f} s, back {back_s:.2f} s, hanging {hung_s:.2f} s; "
        f"{len(said)} turns stored once, in order"
    )


_WORDS = ("with", "without", "with again", "beside a hanging")


async def _hung(stand: Stand, wire: GatewayWire) -> float:
    os.kill(stand.memory.pid, signal.SIGSTOP)
    try:
        return await _talk(wire, "beside a hanging")
    finally:
        os.kill(stand.memory.pid, signal.SIGCONT)


async def _talk(wire: GatewayWire, word: str) -> float:
    """The median of what the person waited."""
    turns = [await wire.say(SESSION, f"A turn {word} memory, number {number}.") for number in range(_ROUNDS)]
    assert all(turn.state == "final" for turn in turns), turns
    return statistics.median(turn.took_s for turn in turns)


def _said(stand: Stand, count: int) -> list[str] | None:
    said = [turn["text"] for turn in stand.turns(SESSION) if turn["role"] == "user"]
    return said if len(said) >= count else None
