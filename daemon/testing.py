"""A server on a real socket with the methods a test gives it, and a peer that sends raw bytes."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import msgspec

from config.settings import ServerSettings, defaults
from daemon.listener import open_listener
from daemon.method import Method
from daemon.server import Server

_TOO_LONG_S = 10.0
"""A test that waits longer than this hangs."""


def server_settings(**changes: Any) -> ServerSettings:
    """The default limits, but for `changes`."""
    return ServerSettings(**{**defaults()["server"], **changes})


@asynccontextmanager
async def serving(
    path: Path, methods: Mapping[str, Method[Any, Any]], max_notifications: int = 256, **changes: Any
) -> AsyncIterator[tuple[Server, asyncio.Event]]:
    """A running server and the event that stops it; it is stopped at the end in any case."""
    server = Server(methods, server_settings(**changes), version="0", max_notifications=max_notifications)
    stop = asyncio.Event()
    async with asyncio.timeout(_TOO_LONG_S), asyncio.TaskGroup() as tasks:
        tasks.create_task(server.serve(open_listener(path), stop))
        await server.started.wait()
        try:
            yield server, stop
        finally:
            stop.set()


class Peer:
    """The other end of the socket, free to misbehave."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def connect(cls, path: Path) -> Self:
        """Connect to a socket file."""
        return cls(*await asyncio.open_unix_connection(path, limit=2**26))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.transport.abort()

    async def send(self, data: bytes) -> None:
        """Bytes as they are."""
        self.writer.write(data)
        await self.writer.drain()

    async def ask(self, method: str, params: object = None, request_id: object = 1) -> None:
        """Send a request and don't wait."""
        frame = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params or {}}
        await self.send(msgspec.json.encode(frame) + b"\n")

    async def read(self) -> Any:
        """The next frame, or None when the server has hung up."""
        async with asyncio.timeout(_TOO_LONG_S):
            line = await self.reader.readline()
        return msgspec.json.decode(line) if line else None

    async def call(self, method: str, params: object = None) -> Any:
        """The result of a request. Raises AssertionError with the error if there is one."""
        await self.ask(method, params)
        reply = await self.read()
        assert "error" not in reply, reply  # noqa: S101 - a test's own check
        return reply["result"]

    async def refusal(self, method: str, params: object = None) -> Any:
        """The error of a request that is refused."""
        await self.ask(method, params)
        return (await self.read())["error"]
