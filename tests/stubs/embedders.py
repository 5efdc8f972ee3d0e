"""OpenAI's embedder with the real SDK, pointed at its stub server."""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from memory.embed.openai import OpenAIEmbedder
from memory.llm.sending import Access
from memory.ports import Clock
from tests.stubs.models import KEY, echo
from tests.stubs.openai_api import DIMENSION, OpenAIStub
from tests.stubs.script import Fault


@dataclass(frozen=True, slots=True)
class StubbedEmbedder:
    """An embedder and the server behind it."""

    embedder: OpenAIEmbedder
    stub: OpenAIStub

    @property
    def calls(self) -> list[list[Any]]:
        """The texts of each request."""
        return [request.body["input"] for request in self.stub.requests]


@asynccontextmanager
async def embedder_stub(
    clock: Clock,
    faults: Iterator[Fault | None] | None = None,
    timeout_s: float = 30,
    dimension: int = DIMENSION,
) -> AsyncIterator[StubbedEmbedder]:
    """text-embedding-3-small, as the stub plays it; without waits before a retry."""
    async with AsyncExitStack() as stack:
        stub = OpenAIStub(echo, faults)
        access = Access(KEY, await stack.enter_async_context(stub.serving()) + "/v1", timeout_s)
        embedder = OpenAIEmbedder("text-embedding-3-small", dimension, access, clock, _at_once)
        stack.push_async_callback(embedder.close)
        yield StubbedEmbedder(embedder, stub)


async def _at_once(_: float) -> None:
    """A wait that is over."""
