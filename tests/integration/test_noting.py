"""Notes by the socket, from whoever is at its other end."""

import os
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from daemon.handlers.noting import NoteHandler
from daemon.method import Context
from daemon.protocol.notes import NotesTakeParams
from memory.errors import InvalidError
from memory.knowledge.learning import Learning
from memory.model import Scope
from memory.notes.notebook import Notebook
from memory.store import notebooks
from memory.testing import FakeExtractor
from tests.world import World


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Notes of the user that runs the tests."""
    path = tmp_path.resolve() / "MEMORY.md"
    path.write_text("- lives in Bergen\n")
    return path


class _Stranger:
    """A connection of another user of the machine, whom the operator let in."""

    uid: int | None = os.geteuid() + 1_000

    async def send_notification(self, method: str, params: object) -> bool:
        """Nothing is told."""
        return False

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Nothing goes on behind."""
        coroutine.close()


async def test_nobody_has_another_s_notes_followed(world: World, file: Path) -> None:
    """The daemon may be able to read them, but whoever asks is not: it says so and keeps nothing."""
    learning = Learning(world.embedder, FakeExtractor(), world.settler, world.generations)
    notebook = Notebook(world.database, learning, world.clock, world.new_id)
    handler = NoteHandler(world.database, notebook, world.clock)
    context = Context(Scope("eve"), "eve", None, _Stranger())
    with pytest.raises(InvalidError, match="another user"):
        await handler.take(NotesTakeParams(path=str(file), text="- hi", watch=True), context)
    assert await world.database.read(notebooks.watched) == []
    taken = await handler.take(NotesTakeParams(path=str(file), text="- plays chess"), context)
    assert taken.added == 1
    assert await world.database.read(notebooks.watched) == []
