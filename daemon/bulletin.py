"""Wakes those who wait for news in the outbox."""

import asyncio


class Bulletin:
    """`ring` after something was posted; whoever took `news` before wakes up."""

    def __init__(self) -> None:
        self._news = asyncio.Event()

    def ring(self) -> None:
        """Something may have been posted."""
        self._news.set()
        self._news = asyncio.Event()

    def news(self) -> asyncio.Event:
        """Set at the next ring. Take it before you look, so that nothing is missed in between."""
        return self._news
