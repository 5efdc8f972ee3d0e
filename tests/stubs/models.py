"""Each provider's model with the real SDK, pointed at its stub server."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from memory.llm.anthropic import AnthropicModel
from memory.llm.openai import OpenAIModel
from memory.llm.sending import Access
from memory.ports import Clock, Prompt
from tests.stubs.anthropic_api import AnthropicStub
from tests.stubs.openai_api import OpenAIStub
from tests.stubs.provider import StubProvider, Truth
from tests.stubs.script import Fault

SHORT_S = 0.3  # enough for loopback, little to wait for a server that never answers
KEY = "-".join(("stub", "key", "of", "no", "worth"))
SCHEMA = {
    "type": "object",
    "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
    "required": ["facts"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class Stubbed:
    """A model and the server behind it."""

    model: AnthropicModel | OpenAIModel
    stub: StubProvider


def echo(prompt: str) -> dict[str, list[str]]:
    """A ground truth: the prompt itself is the one fact."""
    return {"facts": [prompt]}


def asking(text: str = "I moved to Lisbon. 我女儿对花生过敏。") -> Prompt:
    """A prompt for facts."""
    return Prompt("test", "Draw facts.", text, "facts", SCHEMA, 500)


@asynccontextmanager
async def anthropic_stub(
    clock: Clock,
    truth: Truth = echo,
    faults: Iterator[Fault | None] | None = None,
    timeout_s: float = 30,
    key: str = KEY,
) -> AsyncIterator[Stubbed]:
    """Claude, as the stub plays it."""
    async with AsyncExitStack() as stack:
        stub = AnthropicStub(truth, faults)
        access = Access(key, await stack.enter_async_context(stub.serving()), timeout_s)
        model = AnthropicModel("claude-sonnet-5-5", access, clock, thinking="between_tools", effort="low")
        stack.push_async_callback(model.close)
        yield Stubbed(model, stub)


@asynccontextmanager
async def openai_stub(
    clock: Clock,
    truth: Truth = echo,
    faults: Iterator[Fault | None] | None = None,
    timeout_s: float = 30,
    key: str = KEY,
) -> AsyncIterator[Stubbed]:
    """A server that speaks Chat Completions, as the stub plays it."""
    async with AsyncExitStack() as stack:
        stub = OpenAIStub(truth, faults)
        access = Access(key, await stack.enter_async_context(stub.serving()) + "/v1", timeout_s)
        model = OpenAIModel("gpt-6-luna", access, clock, effort="none")
        stack.push_async_callback(model.close)
        yield Stubbed(model, stub)


STUBS: dict[str, Callable[..., object]] = {"anthropic": anthropic_stub, "openai": openai_stub}
