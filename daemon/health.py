"""Whether the daemon does its work, and if not, why."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from daemon.agents import Agents
from daemon.keeper import Keeper
from daemon.protocol.state import (
    BudgetHealth,
    DatabaseHealth,
    EmbedderHealth,
    ExtractorHealth,
    HealthResult,
    IndexBuilding,
    IndexHealth,
    JobHealth,
    OlderModel,
    QueueHealth,
)
from daemon.warmth import Warmth
from jobs.rebuild import Rebuild
from memory import queue
from memory.budget import MICRO, Budget, Today
from memory.database import Database
from memory.errors import StorageFullError, UnavailableError
from memory.llm.breaker import Breaker, BreakerState
from memory.llm.guarded import GuardedModel
from memory.ports import Clock, Extractor
from memory.store import notebooks
from memory.store.notebooks import NoteFile
from memory.vectors import loading
from memory.vectors.generations import Generation, Generations
from memory.vectors.loading import Census

_WAL_ALARM_BYTES = 64 * 2**20
_OLD_S = 900
_NOTE_TROUBLES = {
    "gone": "the file is gone",
    "empty": "the file is empty all at once",
    "link": "a link leads to the file",
    "no_file": "it is no plain file",
    "too_long": "the file is too long",
    "not_utf8": "the file is not in UTF-8",
}
_CLOSED = BreakerState("closed")


@dataclass(frozen=True, slots=True)
class Parts:
    """What health looks at. The faults say why there is no embedder or no model though one was wished."""

    database: Database
    generations: Generations
    embedder_fault: str
    extractor: Extractor
    breakers: Mapping[str, Breaker]
    model: GuardedModel | None
    model_fault: UnavailableError | None
    warmth: Warmth
    rebuild: Rebuild
    budget: Budget
    agents: Agents


class Health:
    """Takes the pulse; cheap enough to be asked every second."""

    def __init__(self, parts: Parts, keeper: Keeper, version: str, clock: Clock) -> None:
        self._parts = parts
        self._keeper = keeper
        self._version = version
        self._clock = clock
        self._started_at = clock.now()

    async def check(self) -> HealthResult:
        """The state of every part; `reasons` says what is off, and what it costs."""
        parts, now = self._parts, self._clock.now()
        await self._look_for_room()
        depth, census, today, notes = await parts.database.read(
            lambda c: (queue.depth(c), loading.census(c), parts.budget.today(c, now), notebooks.watched(c))
        )
        embedder = self._embedder(census)
        jobs = {
            job: JobHealth(last_ok=last.last_ok, next_run=due, last_error=last.last_error)
            for job, (last, due) in (await self._keeper.timetable()).items()
        }
        size, wal = parts.database.bytes_on_disk()
        oldest_age_s = max(0, now - depth.oldest_at) if depth.oldest_at is not None else 0
        degraded = [
            *self._degraded(depth.dead, oldest_age_s, wal, jobs),
            *(_lost(one) for one in embedder.older if one.mode == "lost"),
            *self._budget_trouble(today),
            *(_not_followed(file) for file in notes if file.trouble),
        ]
        agents = parts.agents.present()
        full = ["the disk is full: nothing new is stored"] if parts.database.is_full else []
        errors = [*full, *(reason for agent in agents for reason in agent.reasons)]
        return HealthResult(
            status="error" if errors else "degraded" if degraded else "ok",
            reasons=(*errors, *degraded),
            version=self._version,
            uptime_s=max(0, now - self._started_at),
            queue=QueueHealth(
                queued=depth.queued, leased=depth.leased, dead=depth.dead, oldest_age_s=oldest_age_s
            ),
            embedder=embedder,
            extractor=self._extractor(),
            index=self._index(),
            db=DatabaseHealth(bytes=size, wal_bytes=wal),
            jobs=jobs,
            budget=_budget(today),
            agents=agents,
        )

    def _budget_trouble(self, today: Today) -> list[str]:
        rules, nobody = "facts are drawn by rules until midnight", "turns wait for their facts until midnight"
        meanwhile = rules if self._parts.budget.goes_on_by_rules else nobody
        found = [f"{today.fault}; {meanwhile}"] if today.fault else []
        if today.unpriced:
            models = ", ".join(today.unpriced)
            found.append(
                f"the limit in dollars does not hold for {models}: give its price in [budget.prices]"
            )
        return found

    async def _look_for_room(self) -> None:
        """A full disk is known to be free again by the next write only; without one this is it."""
        if self._parts.database.is_full:
            with suppress(StorageFullError):
                await self._parts.database.write(lambda _: None)

    def _embedder(self, census: Census) -> EmbedderHealth:
        current = self._parts.generations.current
        if current is None:
            return EmbedderHealth(name="none", dim=0, mode=self._parts.embedder_fault or "off")
        older = self._older(current, census)
        return EmbedderHealth(
            name=current.name,
            dim=current.embedder.dimension,
            mode=self._embedder_trouble().reason or ("changing" if older else "ok"),
            pending=census.pending(current.name),
            done=census.by_model.get(current.name, 0),
            total=census.total,
            older=older,
        )

    def _index(self) -> IndexHealth:
        generations, rebuild = self._parts.generations, self._parts.rebuild
        index, far = generations.index, rebuild.building
        return IndexHealth(
            backend=index.backend,
            size=len(generations),
            bytes=generations.nbytes,
            wanted=rebuild.choice.chosen,
            reason=str(rebuild.fault) if rebuild.fault else None,
            recall=index.measured_recall,
            building=IndexBuilding(backend=far.backend, done=far.done, total=far.total) if far else None,
        )

    def _index_trouble(self) -> list[str]:
        index, rebuild = self._parts.generations.index, self._parts.rebuild
        found = []
        if fault := rebuild.fault:
            found.append(f"the index {rebuild.choice.chosen} is wanted and {index.backend} answers: {fault}")
            found += [f"to go on: {fault.hint}"] if fault.hint else []
        if index.fault:
            found.append(f"the file of the index {index.backend} can't be written: {index.fault}")
        return found

    def _embedder_trouble(self) -> BreakerState:
        current = self._parts.generations.current
        breaker = self._parts.breakers.get(current.name) if current else None
        return breaker.state if breaker else _CLOSED

    def _older(self, current: Generation, census: Census) -> tuple[OlderModel, ...]:
        opened = {one.name for one in self._parts.generations.older}
        return tuple(
            OlderModel(name=name, vectors=count, mode="ok" if name in opened else "lost")
            for name, count in sorted(census.others(current.name).items())
        )

    def _extractor(self) -> ExtractorHealth:
        breaker = self._breaker()
        mode = str(self._parts.model_fault or breaker.reason or "ok")
        return ExtractorHealth(name=self._parts.extractor.name, mode=mode, breaker=breaker.name)

    def _breaker(self) -> BreakerState:
        model = self._parts.model
        return model.breaker.state if model else _CLOSED

    def _provider_trouble(self) -> list[str]:
        fault, breaker, embedder = self._parts.model_fault, self._breaker(), self._embedder_trouble()
        found = [f"facts by rules alone, no model: {fault}"] if fault else []
        if breaker.reason:
            found.append(f"new facts wait for the model: {breaker.reason}")
        if embedder.reason:
            found.append(f"full text alone until vectors can be had: {embedder.reason}")
        hints = dict.fromkeys((fault.hint if fault else "", breaker.hint, embedder.hint))
        return [*found, *(f"to go on: {hint}" for hint in hints if hint)]

    def _degraded(self, dead: int, oldest_age_s: int, wal: int, jobs: dict[str, JobHealth]) -> list[str]:
        found = []
        if self._parts.embedder_fault:
            found.append(f"full text alone, no vectors: {self._parts.embedder_fault}")
        found += self._provider_trouble()
        if not self._parts.warmth.is_warm:
            found.append("the vector index is being loaded")
        found += self._index_trouble()
        if dead:
            found.append(f"{dead} turns gave no facts: `memud queue list --state dead` says why")
        if oldest_age_s > _OLD_S:
            found.append(f"a turn has waited for {oldest_age_s // 60} minutes")
        if wal > _WAL_ALARM_BYTES:
            found.append(f"the write-ahead log has grown to {wal // 2**20} MiB")
        found += [f"job {name} failed: {job.last_error}" for name, job in jobs.items() if job.last_error]
        return found


def _not_followed(file: NoteFile) -> str:
    why = _NOTE_TROUBLES.get(file.trouble or "", "the file can't be read")
    return f"notes in {file.path}: {why}; their facts stay as they are until that is over"


def _lost(one: OlderModel) -> str:
    return (
        f"{one.vectors} texts have a vector of {one.name}, which can't be opened: "
        "words alone find them until they are embedded again"
    )


def _budget(today: Today) -> BudgetHealth:
    return BudgetHealth(
        day=today.day,
        used=today.used,
        limit=today.limit or None,
        cost_usd=today.cost_micro / MICRO,
        limit_usd=today.cost_limit_micro / MICRO or None,
        spent=bool(today.fault),
    )
