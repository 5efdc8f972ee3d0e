"""Takes a file's notes in, some lines at once: their vectors, then the lines in one transaction."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath

import apsw

from memory.database import Database
from memory.errors import InvalidError, TemporaryError
from memory.ids import NewId
from memory.knowledge.learning import Learning
from memory.notes.document import Nature, nature_of, read
from memory.notes.entry import Entry, Shelf, entries
from memory.notes.shelving import Outcome, Part, Plan, Shelving, Vectors
from memory.notes.shelving import plan as make_plan
from memory.ports import Clock
from memory.redact import redact
from memory.store import notebooks
from memory.store.notebooks import NoteFile

_LINES_A_TRANSACTION = 16  # some 3 ms each, 10 on a busy machine: what a capture may have to wait for


@dataclass(frozen=True, slots=True)
class Page:
    """A file as it was read. `stamp` tells one state of it from the next; "" where nobody watches it."""

    path: str
    text: str
    modified_at: int  # Unix seconds
    stamp: str = ""


class Notebook:
    """One place takes notes in, whoever read the file. The same page twice changes nothing."""

    def __init__(
        self,
        database: Database,
        learning: Learning,
        clock: Clock,
        new_id: NewId,
        local_zone: str = "UTC",
    ) -> None:
        self._database = database
        self._embedder = learning.embedder
        self._generations = learning.generations
        self._shelving = Shelving(learning.settler, new_id)
        self._clock = clock
        self._local_zone = local_zone
        self._lock = asyncio.Lock()

    async def take(self, user_id: str, page: Page) -> Outcome | None:
        """Put the store in step with the page.

        None, and nothing is changed, where a file that said something is all at once empty.
        Raises InvalidError for a file that holds no notes.
        """
        nature = nature_of(PurePath(page.path))
        if nature is None:
            raise InvalidError("this is no file of notes", hint="MEMORY.md, USER.md or 2026-03-08.md are")
        wanted = await asyncio.to_thread(lambda: entries(read(page.text, nature).notes))
        async with self._lock:  # two readers of one file would undo each other's parts
            return await self._put_in_step(user_id, page, nature, wanted)

    async def _put_in_step(
        self, user_id: str, page: Page, nature: Nature, wanted: Sequence[Entry]
    ) -> Outcome | None:
        path, now = redact(page.path).text, self._clock.now()
        plan = await self._database.read(lambda c: make_plan(c, notebooks.find(c, user_id, path), wanted))
        if not wanted and plan.whole.gone:
            await self._note_empty(user_id, path, page.stamp)
            return None
        shelf = Shelf(user_id, path, nature, max(0, min(page.modified_at, now)), self._local_zone)
        outcome, vectors = Outcome(known=plan.known), Vectors({}, "")
        for part in plan.parts(_LINES_A_TRANSACTION):
            if vectors.is_whole:  # an embedder that is away is not waited for with each part
                vectors = await self._vectors([entry.text for entry in part.fresh])
            done = await self._database.write(partial(self._shelve, shelf, plan, part, vectors, now))
            outcome.add(done)
            if done.keys:
                await self._database.read(partial(self._refresh, done.keys))
        await self._database.write(lambda c: notebooks.was_read(c, _file(c, shelf).id, page.stamp, now))
        return outcome

    def _shelve(
        self, shelf: Shelf, plan: Plan, part: Part, vectors: Vectors, now: int, connection: apsw.Connection
    ) -> Outcome:
        file = _file(connection, shelf)
        return self._shelving.put_in_step(connection, file, shelf, plan, part, vectors, now)

    def _refresh(self, keys: Sequence[int], connection: apsw.Connection) -> None:
        self._generations.refresh(connection, keys)

    async def _note_empty(self, user_id: str, path: str, stamp: str) -> None:
        def store(connection: apsw.Connection) -> None:
            file = notebooks.enter(connection, user_id, path)
            notebooks.is_in_trouble(connection, file.id, "empty", stamp)

        await self._database.write(store)

    async def watch(self, user_id: str, path: str, *, watched: bool) -> NoteFile | None:
        """Keep a file in step from now on, or no longer; None where no longer, and it never was read."""
        path = redact(path).text

        def store(connection: apsw.Connection) -> NoteFile | None:
            file = notebooks.find(connection, user_id, path)
            if file is None and watched:
                file = notebooks.enter(connection, user_id, path)
            if file is not None:
                notebooks.watch(connection, file.id, watched=watched)
            return notebooks.find(connection, user_id, path)

        return await self._database.write(store)

    async def _vectors(self, texts: Sequence[str]) -> Vectors:
        """What can't be had now follows; full text finds the note meanwhile."""
        if self._embedder is None:
            return Vectors({}, "")
        try:
            found = await self._embedder.passages(texts) if texts else ()
        except TemporaryError:
            return Vectors({}, self._embedder.name, is_whole=False)
        return Vectors(dict(zip(texts, found, strict=True)), self._embedder.name)


def _file(connection: apsw.Connection, shelf: Shelf) -> NoteFile:
    return notebooks.enter(connection, shelf.user_id, shelf.path)
