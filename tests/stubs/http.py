"""A small HTTP/1.1 server on loopback that can also break off, cut a body and never answer."""

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

_NO_LINGER = struct.pack("ii", 1, 0)  # close sends RST


class Break(Enum):
    """How a connection ends without an answer."""

    HANG = 1
    RESET = 2


@dataclass(frozen=True, slots=True)
class Request:
    """What a client sent; header names in lower case."""

    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True, slots=True)
class Reply:
    """What is sent back: a JSON value, or text as it stands. `is_cut` promises more bytes than come."""

    status: int
    body: Any
    headers: Mapping[str, str] = field(default_factory=dict)
    is_cut: bool = False

    def encoded(self) -> bytes:
        """The bytes on the wire."""
        is_text = isinstance(self.body, str)
        data = self.body.encode() if is_text else json.dumps(self.body, ensure_ascii=False).encode()
        kind = "text/html; charset=utf-8" if is_text else "application/json"
        told = {"content-type": kind, "content-length": str(len(data)), **self.headers}
        lines = [f"HTTP/1.1 {self.status} X", *(f"{name}: {value}" for name, value in told.items())]
        head = "\r\n".join(lines).encode() + b"\r\n\r\n"
        return head + (data[: len(data) // 2] if self.is_cut else data)


Responder = Callable[[Request], Reply | Break]


@asynccontextmanager
async def serving(respond: Responder) -> AsyncIterator[str]:
    """The address of a server that answers by `respond`; gone, with all its connections, at the end."""
    connections = _Connections(respond)
    server = await asyncio.start_server(connections.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.close()
        await connections.end()
        await server.wait_closed()


class _Connections:
    """What is connected now, and how it ends."""

    def __init__(self, respond: Responder) -> None:
        self._respond = respond
        self._tasks: set[asyncio.Task[Any]] = set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        gone = ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError
        try:
            with contextlib.suppress(*gone):
                while await _exchange(reader, writer, self._respond):
                    pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks)


async def _exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, respond: Responder) -> bool:
    """One request and its reply; whether another may follow."""
    reply = respond(await _request(reader))
    if reply is Break.HANG:
        await reader.read()  # until the client gives up
        return False
    if isinstance(reply, Break):
        linger: socket.socket = writer.get_extra_info("socket")
        linger.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        return False
    writer.write(reply.encoded())
    await writer.drain()
    return not reply.is_cut


async def _request(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in head[1:] if line)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Request(head[0].split(" ")[1], headers, json.loads(body) if body else None)
