"""What OpenClaw asks its own model leaves no trace, though it stands in the same transcript."""

from typing import Any

from tests.openclaw.proofs.recall import SESSION
from tests.openclaw.provider import Answer, Asked
from tests.openclaw.stand import Stand, seen
from tests.openclaw.wire import GatewayWire, connected

_BEAT = "HEARTBEAT_OK"
_EVENT = "The nightly backup of the garden pictures is done."
_ERRAND = "Count the open windows of the greenhouse."
_AFTER = "Good morning. The greenhouse key is under the third pot."
TURN_LIMIT_S = 90.0


async def prove(stand: Stand) -> str:
    """A heartbeat and a cron job run, then a person speaks in that session: two new rows, the person's."""
    rows, first = stand.stored(), len(stand.provider.asked)
    stand.provider.usual = Answer(_BEAT)
    try:
        async with connected(stand.gateway.port) as wire:
            await wire.request("wake", {"mode": "now", "text": _EVENT})
            beat = await seen(lambda: _asked(stand, first, _EVENT), "the heartbeat's turn", TURN_LIMIT_S)
            await _run_errand(wire)
            errand = await seen(lambda: _asked(stand, first, _ERRAND), "the cron job's turn", TURN_LIMIT_S)
            stand.provider.usual = Answer()
            assert (await wire.say(SESSION, _AFTER)).state == "final"
    finally:
        stand.provider.usual = Answer()
    added = await seen(lambda: _said_after(stand), "the person's turn")
    assert [turn["text"] for turn in added] == [_AFTER, Answer().text], added
    assert stand.stored() == rows + 2, stand.stored() - rows
    assert not [asked for asked in (beat, errand) if _is_given_memories(asked)]
    return f"{len(stand.provider.asked) - first - 1} requests of machines, 0 rows; 1 turn of a person, 2 rows"


async def _run_errand(wire: GatewayWire) -> None:
    job: dict[str, Any] = {
        "name": "errand",
        "schedule": {"kind": "every", "everyMs": 86_400_000},
        "sessionTarget": "isolated",
        "wakeMode": "now",
        "payload": {"kind": "agentTurn", "message": _ERRAND},
        "delivery": {"mode": "none"},
    }
    made = await wire.request("cron.add", job)
    await wire.request("cron.run", {"id": made["id"], "mode": "force"})


def _is_given_memories(asked: Asked) -> bool:
    """The system prompt speaks of the block; a block stands in the messages."""
    return any("<memud-recall" in text for text in asked.users)


def _asked(stand: Stand, first: int, words: str) -> Asked | None:
    return next((asked for asked in stand.provider.asked[first:] if words in asked.text), None)


def _said_after(stand: Stand) -> list[dict[str, Any]] | None:
    turns = stand.turns(SESSION)
    places = [place for place, turn in enumerate(turns) if turn["text"] == _AFTER]
    return turns[places[0] :] if places and len(turns) >= places[0] + 2 else None
