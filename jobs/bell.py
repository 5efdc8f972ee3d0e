"""A bell for waiting tasks that nobody can sleep through."""

import asyncio


class Bell:
    """`ring` wakes whoever took `next_ring` before."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()

    def ring(self) -> None:
        """Wake all who wait."""
        self._rung.set()
        self._rung = asyncio.Event()

    async def ring_at(self, stop: asyncio.Event) -> None:
        """Ring when it is time to stop, so that nobody waits for work that does not come any more."""
        await stop.wait()
        self.ring()

    def next_ring(self) -> asyncio.Event:
        """Set at the next ring. Take it before you look for work, so that nothing is missed in between."""
        return self._rung
