"""`notes.take`, `notes.list`, `notes.forget`: notes in files, and which files are kept in step."""

import os
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

from daemon.method import Context, Method
from daemon.peer import may_be_read_for
from daemon.protocol.notes import (
    NotesForgetParams,
    NotesForgetResult,
    NotesListParams,
    NotesListResult,
    NotesTakeParams,
    NotesTakeResult,
    WatchedNotes,
)
from daemon.protocol.table import NOTES_FORGET, NOTES_LIST, NOTES_TAKE
from memory.database import Database
from memory.errors import InvalidError, NotFoundError
from memory.notes.document import nature_of
from memory.notes.notebook import Notebook, Page
from memory.notes.reading import check_path
from memory.ports import Clock
from memory.store import notebooks


class NoteHandler:
    """Notes come by the socket once; from then on the daemon reads the file itself."""

    def __init__(self, database: Database, notebook: Notebook, clock: Clock) -> None:
        self._database = database
        self._notebook = notebook
        self._clock = clock

    def methods(self) -> Iterable[Method[Any, Any]]:
        """What is answered here."""
        return [
            Method(NOTES_TAKE, self.take),
            Method(NOTES_LIST, self.list),
            Method(NOTES_FORGET, self.forget),
        ]

    async def take(self, params: NotesTakeParams, context: Context) -> NotesTakeResult:
        """Add, supersede and archive as the file says; daily notes are taken in and not watched."""
        path, user_id = check_path(params.path), context.scope.user_id
        watch = params.watch and _is_lasting(path)
        if watch and not may_be_read_for(path, context.connection.uid, os.geteuid()):
            raise InvalidError(
                "this file belongs to another user of the machine", hint="`--no-watch` takes it in once"
            )
        modified_at = self._clock.now() if params.modified_at is None else params.modified_at
        outcome = await self._notebook.take(user_id, Page(str(path), params.text, modified_at))
        if watch:
            await self._notebook.watch(user_id, str(path), watched=True)
        if outcome is None:
            return NotesTakeResult(added=0, known=0, edited=0, ended=0, emptied=True)
        return NotesTakeResult(
            added=outcome.added,
            known=outcome.known,
            edited=outcome.edited,
            ended=outcome.ended,
            forgotten=tuple(outcome.forgotten),
        )

    async def list(self, params: NotesListParams, context: Context) -> NotesListResult:
        """The files of the user that are kept in step."""
        user_id = context.scope.user_id
        files = await self._database.read(lambda c: notebooks.watched(c, user_id))
        return NotesListResult(
            results=tuple(
                WatchedNotes(path=file.path, read_at=file.read_at, trouble=file.trouble) for file in files
            )
        )

    async def forget(self, params: NotesForgetParams, context: Context) -> NotesForgetResult:
        """Read it no more."""
        file = await self._notebook.watch(context.scope.user_id, params.path, watched=False)
        if file is None:
            raise NotFoundError(
                "this file is not kept in step", hint="`memud notes` lists the files that are"
            )
        return NotesForgetResult(path=file.path)


def _is_lasting(path: PurePath) -> bool:
    nature = nature_of(path)
    return nature is not None and nature.is_lasting
