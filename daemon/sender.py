"""What goes out to one peer: whole lines, never more than the peer can take."""

import asyncio
from collections import deque
from contextlib import suppress

from daemon.protocol.connection import Lagged
from daemon.protocol.frames import write_notification


class Sender:
    """Writes lines in whole, and drops a peer that reads nothing for too long.

    A reply waits until the peer has taken it; a notification waits in a bounded queue.
    """

    def __init__(self, writer: asyncio.StreamWriter, write_timeout_s: float, max_notifications: int) -> None:
        self._writer = writer
        self._write_timeout_s = write_timeout_s
        self._max_notifications = max_notifications
        self._waiting: deque[bytes] = deque()
        self._has_waiting = asyncio.Event()
        self._dropped = 0
        self._handed_over = 0

    async def send(self, line: bytes) -> None:
        """Send a line. Raises ConnectionError when the peer is gone, or reads nothing for too long."""
        if self._writer.transport.is_closing():
            raise ConnectionResetError("the peer has gone")
        self._writer.write(line + b"\n")
        self._handed_over += len(line) + 1
        if not self._writer.transport.get_write_buffer_size():
            return None  # the peer has room for all of it, and there is nothing to wait for
        sent = self._sent_bytes()
        while True:
            try:
                async with asyncio.timeout(self._write_timeout_s):
                    return await self._writer.drain()
            except TimeoutError:
                if self._sent_bytes() == sent:
                    self.abort()
                    raise ConnectionAbortedError("the peer does not read") from None
                sent = self._sent_bytes()

    def notify(self, line: bytes) -> bool:
        """Queue a notification. False: the queue is full, or was since `lagged` was last sent."""
        if self._dropped or len(self._waiting) >= self._max_notifications:
            self._dropped += 1
            return False
        self._waiting.append(line)
        self._has_waiting.set()
        return True

    async def pump(self) -> None:
        """Send what is queued, until cancelled or the peer is gone."""
        with suppress(ConnectionError):
            while True:
                await self._has_waiting.wait()
                while self._waiting:
                    await self.send(self._waiting.popleft())
                self._has_waiting.clear()
                if self._dropped:
                    lagged, self._dropped = Lagged(dropped=self._dropped), 0
                    await self.send(write_notification("lagged", lagged))

    async def close(self) -> None:
        """Hang up once the peer has taken what was sent, or does not within the timeout."""
        self._writer.close()
        try:
            async with asyncio.timeout(self._write_timeout_s):
                await self._writer.wait_closed()
        except (TimeoutError, OSError):
            self.abort()

    def abort(self) -> None:
        """Hang up at once."""
        self._writer.transport.abort()

    def _sent_bytes(self) -> int:
        return self._handed_over - self._writer.transport.get_write_buffer_size()
