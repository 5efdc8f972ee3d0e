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

    def next_ring(self) -> asyncio.Event:
        """Set at the next ring. Take it before you look for work, so that nothing is missed in between."""
        return self._rung
