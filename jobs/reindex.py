"""Gives texts the vectors they lack, or have of another model; resumable, in small steps."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import apsw
import structlog

from jobs.bell import Bell
from jobs.tenths import Tenths
from memory.database import Database
from memory.embed.cohort import open_cohort
from memory.errors import AnswerError, MemudError, StorageFullError, TemporaryError
from memory.model import Report
from memory.ports import Clock, Matrix
from memory.store import calibrations
from memory.vectors import loading
from memory.vectors.generations import Generation, Generations
from memory.vectors.loading import Census, Pending

log = structlog.get_logger()

BATCH = 32  # short enough for a stop, and for a capture in between; long enough for a provider's call
_NO_EMBEDDER = "no embedder: full text alone"


class Reindex:
    """Everything gets a vector of the model in use. Until then a text answers by its old one, else by words.

    Each text's state is in its own row, so a run may end anywhere and the next one goes on, also after
    another change of the model. Texts without any vector come first, then the latest.
    """

    def __init__(
        self,
        database: Database,
        generations: Generations,
        clock: Clock,
        on_progress: Callable[[], None] = lambda: None,
    ) -> None:
        self._database = database
        self._generations = generations
        self._clock = clock
        self._on_progress = on_progress
        self._work = Bell()
        self._one_at_a_time = asyncio.Lock()
        self._stop = asyncio.Event()
        self._rejected: set[int] = set()

    def wake(self) -> None:
        """Look whether something waits."""
        self._work.ring()

    async def serve(self, stop: asyncio.Event) -> None:
        """Embed what is pending now and at each wake, until told to stop; a batch in hand is finished."""
        self._stop = stop
        async with asyncio.TaskGroup() as group:
            group.create_task(self._work.ring_at(stop))
            while not stop.is_set():
                ring = self._work.next_ring()
                await self._attempt()
                await ring.wait()

    async def run(self, *, dry_run: bool = False) -> Report:
        """Embed what is pending; how many were embedded, and how many are left.

        An outage of the embedder or a full disk ends the run early, and what is done stays done.
        """
        current = self._generations.current
        if current is None:
            return Report("reindex", {"embedded": 0}, (_NO_EMBEDDER,), dry_run)
        if dry_run:
            found = await self._database.read(loading.census)
            return Report(
                "reindex", {"pending": found.pending(current.name)}, _of_others(found, current), True
            )
        async with self._one_at_a_time:
            return await self._run(current)

    async def _attempt(self) -> None:
        try:
            report = await self.run()
        except MemudError as error:  # the next wake tries again
            log.warning("reindex_failed", reason=error.reason)
            return
        if any(report.counts.values()):
            log.info("reindexed", **report.counts)

    async def _run(self, current: Generation) -> Report:
        before = await self._database.read(loading.census)
        rejected = len(self._rejected)
        embedded, notes, tenths = 0, tuple[str, ...](), Tenths(before.pending(current.name))
        try:
            await self._open_cohorts(current)
            while not self._stop.is_set() and (count := await self._embed_some(current)):
                embedded += count
                if tenths.has_passed_one(embedded):
                    self._on_progress()
        except (TemporaryError, StorageFullError) as error:
            notes = (str(error),)
        after = await self._database.read(loading.census)
        await self._retire(current, after)
        embedded -= len(self._rejected) - rejected
        counts = {"embedded": embedded, "pending": after.pending(current.name)}
        return Report("reindex", counts, (*notes, *_of_others(after, current)))

    async def _open_cohorts(self, current: Generation) -> None:
        """Before the first text moves on: without a cohort its new vector could not be judged."""
        for generation in self._generations.oldest_first:
            if generation.cohort is None:
                with suppress(*(() if generation is current else (MemudError,))):
                    generation.cohort = await open_cohort(
                        self._database, generation.embedder, self._clock.now()
                    )

    async def _embed_some(self, current: Generation) -> int:
        """One batch, with its transaction; 0 when nothing is pending."""
        name = current.name
        batch = await self._database.read(lambda c: loading.pending(c, name, BATCH, self._rejected))
        if not batch:
            return 0
        try:
            await self._embed(current, batch)
        except AnswerError:
            await self._embed_one_by_one(current, batch)
        return len(batch)

    async def _embed(self, current: Generation, batch: Sequence[Pending]) -> None:
        matrix = await current.embedder.passages([one.text for one in batch])
        await self._database.write(partial(_move, batch=batch, matrix=matrix, embedder=current.name))
        await self._database.read(lambda c: self._generations.refresh(c, [one.key for one in batch]))

    async def _embed_one_by_one(self, current: Generation, batch: Sequence[Pending]) -> None:
        """A text that the model rejects holds up no other; it is found as before, until the next start."""
        for one in batch:
            try:
                await self._embed(current, [one])
            except AnswerError as error:
                self._rejected.add(one.key)
                log.warning("text_rejected", key=one.key, embedder=current.name, reason=error.reason)

    async def _retire(self, current: Generation, found: Census) -> None:
        """Let go of the models that made none of the vectors any more, and of what was measured for them."""
        wanted = {*found.by_model, current.name}
        for gone in self._generations.retire(found.by_model):
            log.info("model_retired", embedder=gone.name)
            await gone.close()
        if await self._database.read(lambda c: calibrations.are_stale(c, wanted)):
            await self._database.write(lambda c: calibrations.drop_others(c, wanted), frees_space=True)
        self._on_progress()


def _move(connection: apsw.Connection, batch: Sequence[Pending], matrix: Matrix, embedder: str) -> None:
    for one, vector in zip(batch, matrix, strict=True):
        loading.move(connection, one, vector, embedder)


def _of_others(found: Census, current: Generation) -> tuple[str, ...]:
    others = found.others(current.name)
    return tuple(f"{count} texts have a vector of {name} still" for name, count in sorted(others.items()))
