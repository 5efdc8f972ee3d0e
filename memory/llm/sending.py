"""What all adapters do around a call: the client, the end of its time, its faults, the form of its answer."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec

from memory.llm import faults
from memory.ports import Clock

_CONNECT_S = 5.0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Access:
    """How a provider is reached. `timeout_s` bounds a whole call, however slowly the answer drips."""

    key: str = field(repr=False)
    base_url: str
    timeout_s: float

    @property
    def host(self) -> str:
        """Where it is, for messages: without what else an address may hold."""
        parts = urlsplit(self.base_url)
        return f"{parts.hostname}:{parts.port}" if parts.port else str(parts.hostname)


def open_client(client: Callable[..., Any], timeout: Callable[..., Any], access: Access) -> Any:
    """A client of either SDK, of these classes of its own; it never tries again by itself."""
    return client(
        api_key=access.key,
        base_url=access.base_url,
        max_retries=0,
        timeout=timeout(access.timeout_s, connect=_CONNECT_S),
    )


async def send(
    call: Awaitable[Any], api_error: type[Exception], who: str, access: Access, clock: Clock
) -> bytes:
    """The body of a successful raw response. Raises OutageError, KeyRefusedError, UnusableError."""
    try:
        async with asyncio.timeout(access.timeout_s):
            response = await call
    except api_error as error:
        raise faults.of_sdk(error, who, clock.now()) from error
    except TimeoutError as error:
        raise faults.hang(who) from error
    body: bytes = response.http_response.content
    return body


def read(body: bytes, form: type[T], who: str) -> T:
    """The body in its form; halves of characters that a model wrote are made good.

    Raises OutageError for what no provider of this kind sends.
    """
    try:
        return msgspec.json.decode(body, type=form)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:  # the same prompt would get the same answer, and cost as much: it is no outage
        return msgspec.json.decode(_mended(body), type=form)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise faults.unreadable(who) from error


def _mended(body: bytes) -> bytes:
    value = json.loads(body.decode("utf-8", "replace"))
    return whole(json.dumps(value, ensure_ascii=False)).encode()


def whole(text: str) -> str:
    """The text without halves of characters, which no JSON can carry."""
    return text.encode("utf-8", "replace").decode("utf-8")
