"""The model's own tools: what it stores it finds, and what it forgets is gone."""

import re

from tests.openclaw.provider import Answer
from tests.openclaw.stand import Stand
from tests.openclaw.wire import GatewayWire, connected

SESSION = "agent:main:tools"
_FACT = "The spare key of the boat house hangs behind the blue barrel."
_NAMES = {"memory_search", "memory_get", "memory_store", "memory_forget"}


async def prove(stand: Stand) -> str:
    """Store, search, get, forget, each result with its id; then a search finds nothing."""
    async with connected(stand.gateway.port) as wire:
        stored = await _call(stand, wire, "memory_store", text=_FACT)
        found = await _call(stand, wire, "memory_search", query="spare key of the boat house", maxResults=3)
        fact_id = _id_of(_FACT, found)
        assert fact_id in stored, stored
        got = await _call(stand, wire, "memory_get", path=fact_id)
        assert _FACT in got, got
        await _call(stand, wire, "memory_forget", memoryId=fact_id)
        after = await _call(stand, wire, "memory_search", query="spare key of the boat house", maxResults=3)
    assert _FACT not in after, after
    with stand.client() as client:
        assert not [one for one in client.list(limit=1000)["results"] if one["memory"] == _FACT]
    return f"{len(_NAMES)} tools offered and called: {fact_id} stored, found, read, forgotten"


async def _call(stand: Stand, wire: GatewayWire, tool: str, **arguments: object) -> str:
    """Let the model call the tool; what it was answered."""
    stand.provider.next.append(Answer(tool=tool, arguments=arguments))
    assert (await wire.say(SESSION, f"Please do what {tool} is for.")).state == "final"
    asked = stand.provider.asked[-1]
    assert asked.tools >= _NAMES, asked.tools
    return asked.results[-1]


def _id_of(fact: str, listed: str) -> str:
    line = next((line for line in listed.splitlines() if fact in line), "")
    match = re.search(r"\b([mt]-\w+)", line)
    assert match, f"no id in {listed!r}"
    return match[1]
