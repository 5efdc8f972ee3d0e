"""Each message is stored once, whatever OpenClaw sends again, and whoever restarts."""

from tests.openclaw.stand import Stand, seen
from tests.openclaw.wire import connected

SESSION = "agent:main:capture"
TURNS = 10


async def prove(stand: Stand) -> str:
    """Five turns, a restart of the gateway, five turns more: two rows a turn, in order, none twice."""
    await _say(stand, range(TURNS // 2))
    stand.gateway.stop()
    took_s = await stand.gateway.start()
    await _say(stand, range(TURNS // 2, TURNS))
    stored = await seen(lambda: _all_stored(stand), f"{2 * TURNS} rows of {SESSION}")
    said = [turn["text"] for turn in stored if turn["role"] == "user"]
    assert said == [_words(number) for number in range(TURNS)], said
    assert [turn["role"] for turn in stored] == ["user", "assistant"] * TURNS
    return f"{TURNS} turns gave {len(stored)} rows; the restart took {took_s:.0f} s"


def _words(number: int) -> str:
    return f"Note number {number}: the blue folder has {number + 20} pages."


async def _say(stand: Stand, numbers: range) -> None:
    async with connected(stand.gateway.port) as wire:
        for number in numbers:
            assert (await wire.say(SESSION, _words(number))).state == "final"


def _all_stored(stand: Stand) -> list[dict[str, object]] | None:
    stored = stand.turns(SESSION)
    return stored if len(stored) >= 2 * TURNS else None
