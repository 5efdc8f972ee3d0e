"""What is due is said: by a turn of its own, and once with the user's next message."""

from datetime import UTC, datetime
from typing import Any

from tests.openclaw.proofs.recall import SESSION
from tests.openclaw.stand import Stand, seen
from tests.openclaw.wire import connected

_WISH = "Remind me in one minute to water the lemon tree."
_MATTER = "lemon tree"
WAKE_LIMIT_S = 60.0


async def prove(stand: Stand) -> str:
    """The reminder starts a turn within a minute of its time; the next prompt has it, no later one."""
    async with connected(stand.gateway.port) as wire:
        assert (await wire.say(SESSION, _WISH)).state == "final"
        spoken = len(stand.provider.asked)
        due_at = await seen(lambda: _due_at(stand), "the reminder among the predictions", WAKE_LIMIT_S)
        left_s = max(0.0, due_at - _now())
        await seen(lambda: _in_a_turn(stand, spoken), "a turn by itself", left_s + WAKE_LIMIT_S)
        late_s = _now() - due_at
        woken = len(stand.provider.asked)
        for words in ("I am back.", "Thank you, that is all."):
            assert (await wire.say(SESSION, words)).state == "final"
    counts = [_offered(asked.users, stand) for asked in stand.provider.asked[woken:]]
    assert counts[0] == 1, stand.provider.asked[woken].users
    assert sum(counts) == 1, counts
    return f"a turn by itself {late_s:.0f} s after it was due; then in the next prompts: {counts} times"


def _reminder(stand: Stand) -> dict[str, Any] | None:
    with stand.client() as client:
        found = [dict(item) for item in client.proactive_list()["results"]]
    return next((item for item in found if _MATTER in str(item["text"])), None)


def _now() -> float:
    return datetime.now(UTC).timestamp()


def _due_at(stand: Stand) -> float | None:
    item = _reminder(stand)
    return float(item["due_at"]) if item and item["due_at"] else None


def _in_a_turn(stand: Stand, first: int) -> bool:
    return any(_MATTER in asked.users[-1] + asked.users[-2] for asked in stand.provider.asked[first:])


def _offered(users: list[str], stand: Stand) -> int:
    """How often the reminder's id stands in front of the user's present words."""
    item = _reminder(stand)
    assert item
    return sum(f"[{item['id']}]" in text for text in users if text in users[-2:])
