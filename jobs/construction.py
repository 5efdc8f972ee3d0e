"""Builds a vector index beside the one in use and puts it in its place."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from jobs.tenths import Tenths
from memory.database import Database
from memory.errors import UnavailableError
from memory.ports import VectorIndex
from memory.vectors import loading
from memory.vectors.backends import Backends
from memory.vectors.faults import INDEX_FAULTS, told
from memory.vectors.generations import Generation, Generations
from memory.vectors.successor import Successor

_LOOK_S = 0.2


@dataclass(frozen=True, slots=True)
class Building:
    """How far an index is that is built beside the one in use."""

    backend: str
    done: int
    total: int


class Construction:
    """Fills an index from the stored embeddings, in small steps, while changes go into both.

    `building` tells how far it is.
    """

    def __init__(
        self,
        database: Database,
        generations: Generations,
        backends: Backends,
        on_progress: Callable[[], None] = lambda: None,
    ) -> None:
        self.building: Building | None = None
        self._database = database
        self._generations = generations
        self._backends = backends
        self._on_progress = on_progress

    async def open(self, current: Generation, backend: str) -> VectorIndex:
        """An empty index of this backend; whoever does not build it closes it.

        Raises UnavailableError where this machine can't run it, StorageFullError where its file won't fit.
        """
        total = await self.count(current)
        self._backends.check_room(backend, current.embedder, total)
        return await asyncio.to_thread(self._backends.open, backend, current.embedder)

    async def build(self, current: Generation, index: VectorIndex, go_on: Callable[[], None]) -> int:
        """Let this index answer for the model in use; how many vectors it holds.

        `go_on` is called before each step and raises when the work shall end. Raises MemudError, and then the
        index before is in use as ever; what was written is there for the next attempt, but for `clear_up`.
        """
        try:
            before = await self._replaced(current, index, go_on)
        except INDEX_FAULTS as fault:
            self._generations.give_up()
            await self.close(index)
            raise told(index.backend, fault) from fault
        finally:
            self.building = None
        await self.close(before)
        await self.clear_up()
        return len(index)

    async def close(self, index: VectorIndex) -> None:
        """Let go of it; what it can't write any more is derived, so nothing is lost."""
        with suppress(*INDEX_FAULTS):
            await asyncio.to_thread(index.close)

    async def clear_up(self) -> None:
        """Delete what an attempt left behind; the index in use keeps its own."""
        current = self._generations.current
        if current is not None:
            await asyncio.to_thread(self._backends.tidy, current.index.backend, current.embedder)

    async def count(self, current: Generation) -> int:
        """How many vectors it will hold."""
        census = await self._database.read(loading.census)
        return census.by_model.get(current.name, 0)

    async def _replaced(
        self, current: Generation, index: VectorIndex, go_on: Callable[[], None]
    ) -> VectorIndex:
        successor, tenths = self._generations.prepare(index), Tenths(await self.count(current))

        def step() -> None:
            self._look(index, tenths)
            go_on()

        await self._fill(successor, step)
        await asyncio.to_thread(index.settle)
        await _write(index, step)
        step()  # who gave it up while the last of it was written is heard, too
        return self._generations.replace(successor)

    async def _fill(self, successor: Successor, step: Callable[[], None]) -> None:
        after: int | None = 0
        while after is not None and successor.fault is None:
            step()
            after = await self._database.read(
                lambda c, after=after: self._generations.fill(c, after)  # type: ignore[misc]
            )

    def _look(self, index: VectorIndex, tenths: Tenths) -> None:
        done = min(max(0, len(index) - index.waiting), tenths.total)
        self.building = Building(index.backend, done, tenths.total)
        if tenths.has_passed_one(done):
            self._on_progress()


async def _write(index: VectorIndex, step: Callable[[], None]) -> None:
    """Its file, to the end: else the next start would find little of it."""
    writing = asyncio.get_running_loop().run_in_executor(None, index.flush)
    while not writing.done():
        step()
        await asyncio.wait([writing], timeout=_LOOK_S)
    if not writing.result():
        raise UnavailableError(
            f"the file of the index {index.backend} can't be written: {index.fault}",
            hint="see that the disk has room, then ask again",
        )
