"""Takes a file's notes in: the words with their vectors, then all of its lines in one transaction."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

import apsw

from memory.database import Database
from memory.errors import InvalidError, TemporaryError
from memory.ids import NewId
from memory.knowledge.learning import Learning
from memory.notes.document import nature_of, read
from memory.notes.entry import Entry, Shelf, entries
from memory.notes.shelving import Outcome, Shelving, Vectors
from memory.ports import Clock, Vector
from memory.redact import redact
from memory.store import notebooks
from memory.store.notebooks import NoteFile

_TEXTS_A_CALL = 64


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

    async def take(self, user_id: str, page: Page) -> Outcome | None:
        """Put the store in step with the page.

        None, and nothing is changed, where a file that said something is all at once empty.
        Raises InvalidError for a file that holds no notes.
        """
        nature = nature_of(PurePath(page.path))
        if nature is None:
            raise InvalidError("this is no file of notes", hint="MEMORY.md, USER.md or 2026-03-08.md are")
        path, now = redact(page.path).text, self._clock.now()
        wanted = await asyncio.to_thread(lambda: entries(read(page.text, nature).notes))
        shelf = Shelf(user_id, path, nature, max(0, min(page.modified_at, now)), self._local_zone)
        vectors = await self._vectors(await self._unknown(user_id, path, wanted))

        def store(connection: apsw.Connection) -> Outcome | None:
            file = notebooks.enter(connection, user_id, path)
            if not wanted and notebooks.lines(connection, file.id):
                notebooks.is_in_trouble(connection, file.id, "empty", page.stamp)
                return None
            outcome = self._shelving.put_in_step(connection, file, shelf, wanted, vectors, now)
            notebooks.was_read(connection, file.id, page.stamp, now)
            return outcome

        outcome = await self._database.write(store)
        if outcome is not None and outcome.keys:
            await self._database.read(lambda c: self._generations.refresh(c, outcome.keys))
        return outcome

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

    async def _unknown(self, user_id: str, path: str, wanted: Sequence[Entry]) -> list[str]:
        def known(connection: apsw.Connection) -> set[str]:
            file = notebooks.find(connection, user_id, path)
            found = notebooks.lines(connection, file.id) if file else []
            return {line.content_hash for line in found}

        hashes = await self._database.read(known)
        return [entry.text for entry in wanted if entry.hash not in hashes]

    async def _vectors(self, texts: Sequence[str]) -> Vectors:
        """What can't be had now follows; full text finds the note meanwhile."""
        if self._embedder is None:
            return Vectors({}, "")
        found: dict[str, Vector] = {}
        try:
            for start in range(0, len(texts), _TEXTS_A_CALL):
                part = texts[start : start + _TEXTS_A_CALL]
                found.update(zip(part, await self._embedder.passages(part), strict=True))
        except TemporaryError:
            pass
        return Vectors(found, self._embedder.name)
