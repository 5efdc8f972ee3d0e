"""What memud knows is in the request that the model gets, before the user's words, and nowhere else."""

from tests.openclaw.stand import Stand
from tests.openclaw.wire import connected

SESSION = "agent:main:main"
FACT = "The user's favourite tea is Gyokuro."
_QUESTION = "What is my favourite tea?"
_AGAIN = "And which tea do I like best of all?"


def remember(stand: Stand) -> None:
    """State the fact; once is enough, and twice changes nothing."""
    with stand.client() as client:
        client.add(FACT)


async def prove(stand: Stand) -> str:
    """The fact stands before the question; one turn later the question stands there without it."""
    remember(stand)
    async with connected(stand.gateway.port) as wire:
        assert (await wire.say(SESSION, _QUESTION)).state == "final"
        assert (await wire.say(SESSION, _AGAIN)).state == "final"
    first, second = stand.provider.asked[-2:]
    prompt = next(text for text in first.users if _QUESTION in text)
    assert FACT in prompt, first.users
    assert prompt.index(FACT) < prompt.index(_QUESTION), prompt
    old = next(text for text in second.users if _QUESTION in text and _AGAIN not in text)
    assert FACT not in old, f"the block stayed in the history: {old}"
    places = prompt.index(FACT), prompt.index(_QUESTION)
    return f"fact at character {places[0]}, question at {places[1]}; gone from the history"
