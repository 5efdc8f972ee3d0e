"""OpenClaw's gateway over its own WebSocket: requests, and turns of a conversation until their end."""

import asyncio
import itertools
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from tests.openclaw.configuration import TOKEN

TURN_LIMIT_S = 120.0
_CONNECT: Mapping[str, Any] = {
    "minProtocol": 4,
    "maxProtocol": 4,
    "client": {"id": "gateway-client", "version": "1", "platform": "linux", "mode": "backend"},
    "role": "operator",
    "scopes": ["operator.read", "operator.write", "operator.admin"],
    "auth": {"token": TOKEN},
}


class RefusedError(Exception):
    """The gateway said no; the text is its reason."""


@dataclass(frozen=True, slots=True)
class Turn:
    """How a turn ended: `final`, or what went wrong, and how long the person waited."""

    state: str
    took_s: float
    reply: str


class GatewayWire:
    """One connection, used by one caller at a time."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)
        self._events: list[dict[str, Any]] = []

    async def request(self, method: str, params: Mapping[str, Any], limit_s: float = 60.0) -> Any:
        """The payload of the answer; raises RefusedError, or TimeoutError past the limit."""
        number = f"r{next(self._numbers)}"
        frame = {"type": "req", "id": number, "method": method, "params": params}
        async with asyncio.timeout(limit_s):
            await self._connection.send(json.dumps(frame))
            answer = await self._answer(number)
        if not answer["ok"]:
            raise RefusedError(f"{method}: {answer['error'].get('message')}")
        return answer.get("payload")

    async def say(self, session: str, text: str) -> Turn:
        """Send a person's message and wait for the end of the turn."""
        begun = time.monotonic()
        key = f"say-{next(self._numbers)}-{time.monotonic_ns()}"
        params = {"sessionKey": session, "message": text, "idempotencyKey": key}
        run = (await self.request("chat.send", params))["runId"]
        async with asyncio.timeout(TURN_LIMIT_S):
            end = await self._end_of(run)
        return Turn(end["state"], time.monotonic() - begun, json.dumps(end, ensure_ascii=False))

    async def _answer(self, number: str) -> dict[str, Any]:
        while (frame := await self._frame()).get("id") != number:
            self._events.append(frame)
        return frame

    async def _end_of(self, run: str) -> dict[str, Any]:
        waiting, self._events = self._events, []
        for frame in waiting:
            if _ends(frame, run):
                return dict(frame["payload"])
        while not _ends(frame := await self._frame(), run):
            pass
        return dict(frame["payload"])

    async def _frame(self) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads(await self._connection.recv())
        return frame


def _ends(frame: Mapping[str, Any], run: str) -> bool:
    payload = frame.get("payload") or {}
    is_chat = frame.get("event") == "chat" and payload.get("runId") == run
    return is_chat and payload.get("state") in {"final", "error", "aborted"}


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[GatewayWire]:
    """A connection that has said its hello."""
    async with connect(
        f"ws://127.0.0.1:{port}", max_size=None, max_queue=None, compression=None, proxy=None
    ) as connection:
        wire = GatewayWire(connection)
        await wire.request("connect", _CONNECT)
        yield wire
