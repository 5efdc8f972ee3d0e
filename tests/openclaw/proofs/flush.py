"""A conversation that outgrows its window is summed up in time, once, and the summary comes back."""

from tests.openclaw.provider import CONTEXT_WINDOW, Answer
from tests.openclaw.stand import Stand, seen
from tests.openclaw.wire import connected

FULL = "agent:main:full"
CUT = "agent:main:cut"
_COUNTER = 'memud_requests_total{method="session.compact"}'
_PLAN = "We decided to paint the garden fence dark green in May."
_SMALL = 12_000


async def prove(stand: Stand) -> str:
    """At 82 % one summary, at 84 % no second; a manual compaction gives one, and the next prompt has it."""
    before = _calls(stand)
    async with connected(stand.gateway.port) as wire:
        for prompt_tokens in (_SMALL, int(0.82 * CONTEXT_WINDOW)):
            stand.provider.next.append(Answer(prompt_tokens=prompt_tokens))
            assert (await wire.say(FULL, _PLAN)).state == "final"
        await seen(lambda: _summary(stand, FULL), "the summary at 80 %")
        at_threshold = _calls(stand) - before
        stand.provider.next.append(Answer(prompt_tokens=int(0.84 * CONTEXT_WINDOW)))
        assert (await wire.say(FULL, "Which brush do we need?")).state == "final"
        await seen(lambda: "brush" in str(stand.turns(FULL)), "the last turn")
        second = _calls(stand) - before - at_threshold
        assert (at_threshold, second) == (1, 0), (at_threshold, second)
    return f"{at_threshold} summary at 82 %, {second} more at 84 %; {await _manual(stand)}"


async def _manual(stand: Stand) -> str:
    before = _calls(stand)
    async with connected(stand.gateway.port) as wire:
        for words in (_PLAN, "And the gate white.", "The ladder is at Paul's.", "Paul is back on Friday."):
            assert (await wire.say(CUT, words)).state == "final"
        await wire.request("sessions.compact", {"key": CUT}, limit_s=120.0)
        summary = await seen(lambda: _summary(stand, CUT), "the summary of a manual compaction")
        calls = _calls(stand) - before
        assert (await wire.say(CUT, "What did we say about the fence?")).state == "final"
    offered = sum(summary[:40] in text for text in stand.provider.asked[-1].users)
    assert calls == 1, calls
    assert offered == 1, stand.provider.asked[-1].users
    return f"{calls} at a manual compaction, offered again {offered} time"


def _calls(stand: Stand) -> int:
    with stand.client() as client:
        return int(client.metrics()["values"].get(_COUNTER, 0))


def _summary(stand: Stand, session: str) -> str | None:
    with stand.client() as client:
        return client.session_resume(session)["summary"]
