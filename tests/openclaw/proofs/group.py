"""Where others read along, nothing private is told."""

from tests.openclaw.proofs.recall import FACT, remember
from tests.openclaw.provider import Answer
from tests.openclaw.stand import Stand, seen
from tests.openclaw.wire import connected

GROUP = "agent:main:telegram:group:4711"
_PRIVATE = "Gyokuro"
_SHARED = "The team meets in the room with the green door."


async def prove(stand: Stand) -> str:
    """Neither the prompt nor a tool tells the fact in a group; what was said there is known there."""
    remember(stand)
    before = len(stand.provider.asked)
    async with connected(stand.gateway.port) as wire:
        await wire.say(GROUP, "What is my favourite tea?")
        stand.provider.next.append(Answer(tool="memory_search", arguments={"query": "favourite tea"}))
        await wire.say(GROUP, "Search your memory for it.")
        await wire.say(GROUP, _SHARED)
    told = [asked for asked in stand.provider.asked[before:] if _PRIVATE in asked.text]
    assert not told, told[0].users
    rows = await seen(
        lambda: [turn for turn in stand.turns(GROUP) if turn["text"] == _SHARED], "the group's words"
    )
    with stand.client() as client:
        public = client.search("the room with the green door", private=False)["results"]
        assert not [one for one in client.search(FACT, private=False)["results"] if _PRIVATE in one["memory"]]
    assert public, "what was said in the group is not known there"
    asked = len(stand.provider.asked) - before
    return f"{asked} requests without the fact; {len(rows)} row of the group is public"
