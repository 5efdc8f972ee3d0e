"""A byte stream cut into lines, with bounds on size and patience."""

import asyncio

from daemon.protocol.errors import LineTooLongError

_CHUNK_BYTES = 65_536


class Lines:
    """The lines of a peer. Holds at most one line and one chunk, whatever the peer sends."""

    def __init__(self, reader: asyncio.StreamReader, max_bytes: int, patience_s: float) -> None:
        self._reader = reader
        self._max_bytes = max_bytes
        self._patience_s = patience_s
        self._left_s = patience_s
        self._buffer = bytearray()
        self._searched = 0
        self._is_skipping = False
        self._is_stopping = False
        self._wait: asyncio.Timeout | None = None

    async def next(self) -> bytes | None:
        """The next line that says something, or None at the end; a last line needs no LF.

        Raises LineTooLongError once for a line beyond the limit; the call after it skips to its end.
        Raises TimeoutError when a line has begun and its rest does not come. Time in which nobody
        waits here does not count.
        """
        while True:
            line = self._cut()
            if line is None and not await self._fill():
                line, self._buffer = bytes(self._buffer), bytearray()
                return line if line.strip() and not self._is_skipping else None
            if line is not None and line.strip():
                return line

    def stop(self) -> None:
        """Give what has arrived, then end as if the peer had ended."""
        self._is_stopping = True
        if self._wait is not None and not self._wait.expired():
            self._wait.reschedule(asyncio.get_running_loop().time())

    def _cut(self) -> bytes | None:
        end = self._buffer.find(b"\n", self._searched)
        size = end if end >= 0 else len(self._buffer)
        if size > self._max_bytes and not self._is_skipping:
            self._is_skipping = True
            raise LineTooLongError(
                f"a line of more than {self._max_bytes} bytes", hint="Send fewer events in one call."
            )
        if end < 0:
            self._keep_partial()
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        self._searched, self._left_s = 0, self._patience_s
        was_skipping, self._is_skipping = self._is_skipping, False
        return b"" if was_skipping else line

    def _keep_partial(self) -> None:
        if self._is_skipping:
            self._buffer.clear()
        self._searched = len(self._buffer)

    async def _fill(self) -> bool:
        loop = asyncio.get_running_loop()
        start, was_stopping = loop.time(), self._is_stopping
        try:
            async with asyncio.timeout(self._limit_s()) as self._wait:
                chunk = await self._reader.read(_CHUNK_BYTES)
        except TimeoutError:
            if not self._is_stopping:
                raise
            return self._ends(was_stopping)
        finally:
            self._wait = None
        if self._has_begun():
            self._left_s -= loop.time() - start
        self._buffer += chunk
        return bool(chunk)

    def _ends(self, was_stopping: bool) -> bool:
        if was_stopping:
            self._buffer.clear()  # half a line; its rest is no longer waited for
        return not was_stopping  # once more, for what came while the wait was ended

    def _limit_s(self) -> float | None:
        if self._is_stopping:
            return 0.0
        return max(0.0, self._left_s) if self._has_begun() else None

    def _has_begun(self) -> bool:
        return bool(self._buffer) or self._is_skipping
