"""Changes the backend of the vector index when somebody asks, or goes on with it after a start."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import structlog

from jobs.bell import Bell
from jobs.construction import Building, Construction
from memory.database import Database
from memory.errors import BusyError, ClosedError, MemudError, StorageFullError, UnavailableError
from memory.model import Report
from memory.ports import VectorIndex
from memory.store import index_choice
from memory.store.index_choice import IndexChoice
from memory.vectors.generations import Generation, Generations

log = structlog.get_logger()

_JOB = "reindex"
_NO_EMBEDDER = "no embedder: full text alone"
_MIB = 2**20
_MAX_ATTEMPTS = 3  # one that takes more memory than there is would end each start anew


@dataclass(slots=True, eq=False)
class _Order:
    """A backend that shall be built, and who waits for it."""

    backend: str
    report: asyncio.Future[Report]
    is_given_up: bool = False

    def fail(self, error: MemudError) -> None:
        """Tell who waits, if anybody does."""
        self.report.set_exception(error)
        self.report.exception()


class Rebuild:
    """The index in use answers until the new one holds everything. Whatever goes wrong, it stays in use.

    What is wanted stands in the store before the work begins, so a start after a kill goes on with it.
    `fault` says why what is wanted is not in use.
    """

    def __init__(
        self,
        database: Database,
        generations: Generations,
        construction: Construction,
        choice: IndexChoice,
        fault: MemudError | None = None,
        on_progress: Callable[[], None] = lambda: None,
    ) -> None:
        self.choice = choice
        self.fault = fault
        self._database = database
        self._generations = generations
        self._construction = construction
        self._on_progress = on_progress
        self._bell = Bell()
        self._order: _Order | None = None
        self._trying = asyncio.Lock()  # a dry run opens an index as well, and clears up behind itself
        self._stop = asyncio.Event()

    @property
    def building(self) -> Building | None:
        """How far the new index is; None while none is built."""
        return self._construction.building

    async def serve(self, stop: asyncio.Event) -> None:
        """Build what is wanted and not in use, now and whenever somebody asks, until told to stop."""
        self._stop = stop
        self._resume()
        async with asyncio.TaskGroup() as group:
            group.create_task(self._bell.ring_at(stop))
            while not stop.is_set():
                ring = self._bell.next_ring()
                if self._order is not None:
                    await self._fulfil(self._order)
                await ring.wait()
        if self._order is not None:
            self._order.fail(_stopping())

    async def run(self, backend: str, *, dry_run: bool = False) -> Report:
        """Let this backend answer; returns once it does. The work goes on if the caller does not wait.

        Asking for the one in use gives up what is being built. Raises BusyError while another is built,
        UnavailableError where this machine can't run it, StorageFullError; then all stays as it was.
        """
        current = self._generations.current
        if current is None:
            return Report(_JOB, {"indexed": 0}, (_NO_EMBEDDER,), dry_run)
        if dry_run:
            return await self._plan(current, backend)
        if backend == current.index.backend:
            return await self._stay(current.index)
        if self._order is not None:
            raise self._busy(self._order)
        if self._stop.is_set():
            raise _stopping()
        self._order = order = _order(backend)
        self._bell.ring()
        return await asyncio.shield(order.report)

    def _resume(self) -> None:
        """Go on with what was wanted before the start."""
        current, wanted = self._generations.current, self.choice.chosen
        if current is None or self._order or self.fault or wanted == current.index.backend:
            return
        if self.choice.attempts < _MAX_ATTEMPTS:
            self._order = _order(wanted)
        else:
            self.fault = _died_over(wanted)
            log.error("index_given_up", backend=wanted, attempts=self.choice.attempts)

    async def _plan(self, current: Generation, backend: str) -> Report:
        if backend == current.index.backend:
            return Report(_JOB, {"indexed": 0}, (_in_use(backend),), True)
        if self._order is not None:
            raise self._busy(self._order)
        async with self._trying:
            await self._construction.close(await self._construction.open(current, backend))
            await self._construction.clear_up()
        total = await self._construction.count(current)
        room = total * current.embedder.dimension * 4 // _MIB
        notes = (
            f"{backend} would be built beside {current.index.backend}, then answer in its place",
            f"meanwhile it would take {room} MiB of memory more",
        )
        return Report(_JOB, {"indexed": total}, notes, True)

    async def _stay(self, index: VectorIndex) -> Report:
        if order := self._order:
            order.is_given_up = True
            await asyncio.wait([order.report])
        await self._keep(IndexChoice(self.choice.configured, index.backend, is_built=True))
        self.fault = None
        self._on_progress()
        return Report(_JOB, {"indexed": 0}, (_in_use(index.backend),))

    async def _fulfil(self, order: _Order) -> None:
        before = self.choice
        log.info("index_building", backend=order.backend)
        try:
            async with self._trying:
                count = await self._switch(order)
        except MemudError as error:
            await self._return_to(before, order, error)
            self._order = None
            order.fail(error)
        else:
            log.info("index_replaced", backend=order.backend, vectors=count)
            self._order = self.fault = None
            order.report.set_result(Report(_JOB, {"indexed": count}, (f"{order.backend} answers now",)))
        self._on_progress()

    async def _switch(self, order: _Order) -> int:
        current, configured = self._generations.current, self.choice.configured
        assert current is not None  # noqa: S101 - there is no order without a model
        index = await self._construction.open(current, order.backend)
        try:
            attempts = self.choice.attempts + 1 if self.choice.chosen == order.backend else 1
            await self._keep(IndexChoice(configured, order.backend, is_built=False, attempts=attempts))
        except MemudError:
            await self._construction.close(index)
            raise
        count = await self._construction.build(current, index, lambda: self._go_on(order))
        with suppress(StorageFullError):  # the next start builds it again
            await self._keep(IndexChoice(configured, order.backend, is_built=True))
        return count

    def _go_on(self, order: _Order) -> None:
        if self._stop.is_set():
            raise _stopping()
        if order.is_given_up:
            raise UnavailableError(f"{order.backend} is not built any more: another index was asked for")

    async def _return_to(self, before: IndexChoice, order: _Order, error: MemudError) -> None:
        """A stop leaves the choice to the next start; else what was wanted before is wanted again."""
        if isinstance(error, ClosedError):
            with suppress(StorageFullError):
                await self._keep(replace(self.choice, attempts=max(0, self.choice.attempts - 1)))
            return
        cause = str(error.__cause__ or "")
        log.error(
            "index_not_replaced", backend=order.backend, reason=str(error), cause=cause, hint=error.hint
        )
        if order.backend == before.chosen:
            self.fault = error
        await self._construction.clear_up()
        with suppress(StorageFullError):
            await self._keep(before, frees_space=True)

    async def _keep(self, choice: IndexChoice, *, frees_space: bool = False) -> None:
        if choice != self.choice:
            await self._database.write(lambda c: index_choice.keep(c, choice), frees_space=frees_space)
            self.choice = choice

    def _busy(self, order: _Order) -> BusyError:
        far = self.building or Building(order.backend, 0, 0)
        return BusyError(
            f"{far.backend} is being built, {far.done} of {far.total} vectors",
            hint="`memud status` shows how far it is; ask again then, or for the one in use to give it up",
        )


def _order(backend: str) -> _Order:
    return _Order(backend, asyncio.get_running_loop().create_future())


def _died_over(backend: str) -> UnavailableError:
    return UnavailableError(
        f"{backend} was begun {_MAX_ATTEMPTS} times, and each time the daemon ended before it was built",
        hint=f"see that it may take the memory it needs, then `memud job run reindex --backend {backend}`",
    )


def _in_use(backend: str) -> str:
    return f"{backend} is in use already"


def _stopping() -> ClosedError:
    return ClosedError("the daemon stops", hint="the index is built on after the next start")
