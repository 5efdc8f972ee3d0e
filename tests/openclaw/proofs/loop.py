"""Memory never feeds on itself: what was recalled does not come back as something that was said."""

from tests.openclaw.proofs.recall import FACT, remember
from tests.openclaw.provider import Answer
from tests.openclaw.stand import Stand, seen
from tests.openclaw.wire import connected

SESSION = "agent:main:loop"
ROUNDS = 100
_ASKED = "Question"
RECALLED = 90  # on a busy machine a recall may be given up


async def prove(stand: Stand) -> str:
    """Questions that recall a fact, each answered in the fact's own words: no new fact, no block."""
    remember(stand)
    await seen(lambda: _is_read(stand), "what was said before is read")
    facts, rows = _facts(stand), stand.stored()
    stand.provider.usual = Answer(FACT)
    asked_before = len(stand.provider.asked)
    try:
        async with connected(stand.gateway.port) as wire:
            for number in range(ROUNDS):
                turn = await wire.say(SESSION, f"{_ASKED} {number}: what is my favourite tea?")
                assert turn.state == "final", turn
    finally:
        stand.provider.usual = Answer()
    await seen(lambda: stand.stored() >= rows + 2 * ROUNDS and _is_read(stand), "all rounds stored and read")
    assert stand.stored() == rows + 2 * ROUNDS
    assert _facts(stand) == facts, _facts(stand) - facts
    blocks = [turn for turn in stand.turns(SESSION) if "recall" in turn["text"]]
    assert not blocks, blocks[0]
    prompts = [asked.users[-2] for asked in stand.provider.asked[asked_before:]]
    assert all(prompt.count(_ASKED) == 1 for prompt in prompts), "the block repeats what stands in the prompt"
    missing = [number for number, prompt in enumerate(prompts) if FACT not in prompt]
    recalled = ROUNDS - len(missing)
    assert recalled >= RECALLED, f"not recalled in rounds {missing}"
    return f"{recalled} recalls, {2 * ROUNDS} rows, facts {len(facts)} before and {len(_facts(stand))} after"


def _facts(stand: Stand) -> set[str]:
    with stand.client() as client:
        return {item["memory"] for item in client.list(limit=1000, include_superseded=True)["results"]}


def _is_read(stand: Stand) -> bool:
    with stand.client() as client:
        return bool(client.stats()["queued"] == 0)
