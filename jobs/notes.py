"""Every minute: looks whether a file of notes has changed, and puts its facts in step."""

import asyncio
from collections import Counter
from pathlib import Path

import apsw
import structlog

from config.settings import NotesSettings
from memory.database import Database
from memory.errors import InvalidError
from memory.model import Report
from memory.notes.notebook import Notebook, Page
from memory.notes.reading import Contents, NotesUnreadableError, check_path, read, stamp_of
from memory.ports import Clock
from memory.store import notebooks
from memory.store.notebooks import NoteFile

log = structlog.get_logger()

DEFAULT_USER = "default"


class Notes:
    """What can't be read changes no fact until it is back; that is logged once, and told by health."""

    def __init__(self, database: Database, notebook: Notebook, settings: NotesSettings, clock: Clock) -> None:
        self._database = database
        self._notebook = notebook
        self._settings = settings
        self._clock = clock

    async def run(
        self, *, user_id: str | None = None, as_of: int | None = None, dry_run: bool = False
    ) -> Report:
        """Read what has changed; a dry run only counts the files."""
        if not dry_run:
            await self._watch_named()
        counts = Counter({"files": 0, "added": 0, "edited": 0, "ended": 0})
        for file in await self._database.read(lambda c: notebooks.watched(c, user_id)):
            counts.update(await self._look(file, dry_run=dry_run))
        return Report("notes", dict(counts), (), dry_run)

    async def _watch_named(self) -> None:
        """The files that the settings name belong to the default user."""
        known = await self._database.read(lambda c: notebooks.watched(c, DEFAULT_USER))
        for path in set(self._settings.files) - {file.path for file in known}:
            try:
                await self._notebook.watch(DEFAULT_USER, str(check_path(path)), watched=True)
            except InvalidError as error:
                log.warning("notes_not_watched", error=str(error))

    async def _look(self, file: NoteFile, *, dry_run: bool) -> Counter[str]:
        try:
            contents = await asyncio.to_thread(self._changed, file)
            if contents is None:
                return Counter()
            return Counter(files=1) if dry_run else await self._take(file, contents)
        except NotesUnreadableError as error:
            if not dry_run:
                await self._note_trouble(file, error.trouble)
            return Counter()

    def _changed(self, file: NoteFile) -> Contents | None:
        """What stands in it, if it is not what was read last, and nobody is writing."""
        path = Path(file.path)
        if stamp_of(path) == file.stamp:
            return None
        contents = read(path, self._settings.max_bytes)
        age_s = self._clock.now() - contents.modified_at
        # A time in the future is no sign of a writer: such a file would never be read.
        return None if 0 <= age_s < self._settings.settle_s else contents

    async def _take(self, file: NoteFile, contents: Contents) -> Counter[str]:
        page = Page(file.path, contents.text, contents.modified_at, contents.stamp)
        outcome = await self._notebook.take(file.user_id, page)
        if outcome is None:
            log.warning("notes_unreadable", trouble="empty")
            return Counter()
        return Counter(files=1, added=outcome.added, edited=outcome.edited, ended=outcome.ended)

    async def _note_trouble(self, file: NoteFile, trouble: str) -> None:
        if trouble in (file.trouble, "busy"):
            return
        log.warning("notes_unreadable", trouble=trouble)

        def store(connection: apsw.Connection) -> None:
            notebooks.is_in_trouble(connection, file.id, trouble)

        await self._database.write(store)
