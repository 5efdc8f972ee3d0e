"""What goes out to a peer over a real socket pair: order, gaps, and slow readers."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest

from daemon.sender import Sender

BIG = b"x" * 1_000_000


@pytest.fixture
async def pair() -> AsyncIterator[tuple[asyncio.StreamWriter, asyncio.StreamReader]]:
    """The daemon's writer and the peer's reader, which takes little more than it is asked for."""
    left, right = socket.socketpair()
    _, writer = await asyncio.open_connection(sock=left)
    reader, other = await asyncio.open_connection(sock=right)
    yield writer, reader
    writer.transport.abort()
    other.transport.abort()


async def settled() -> None:
    """Let the loop do what can be done now."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_gap_is_told_before_anything_newer(
    pair: tuple[asyncio.StreamWriter, asyncio.StreamReader],
) -> None:
    """While `lagged` is due nothing is queued behind the gap, even if there is room again."""
    writer, reader = pair
    sender = Sender(writer, 5.0, max_notifications=2)
    assert [sender.notify(BIG), sender.notify(b"b"), sender.notify(b"c")] == [True, True, False]
    pumping = asyncio.ensure_future(sender.pump())
    await settled()
    assert not sender.notify(b"d")
    assert await reader.readexactly(len(BIG) + 1) == BIG + b"\n"
    assert await reader.readline() == b"b\n"
    lagged: dict[str, Any] = json.loads(await reader.readline())
    assert (lagged["method"], lagged["params"]) == ("lagged", {"dropped": 2})
    assert sender.notify(b"e")
    assert await reader.readline() == b"e\n"
    pumping.cancel()


async def test_a_slow_reader_is_kept_and_a_deaf_one_dropped(
    pair: tuple[asyncio.StreamWriter, asyncio.StreamReader],
) -> None:
    """Who reads a little in each timeout gets the whole line; who reads nothing is cut off."""
    writer, reader = pair
    sender = Sender(writer, 0.2, max_notifications=2)
    sending = asyncio.ensure_future(sender.send(BIG))
    read = 0
    while not sending.done():
        read += len(await reader.read(65_536))
        await asyncio.sleep(0.02)
    await sending
    with pytest.raises(ConnectionError):
        await sender.send(BIG)


async def test_a_peer_that_has_gone_is_an_error_at_once(
    pair: tuple[asyncio.StreamWriter, asyncio.StreamReader],
) -> None:
    """And closing what is closed is no error."""
    writer, _ = pair
    sender = Sender(writer, 5.0, max_notifications=2)
    sender.abort()
    with pytest.raises(ConnectionError):
        await sender.send(b"a")
    await sender.close()
