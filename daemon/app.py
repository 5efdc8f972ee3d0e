"""The daemon, whole: what it is built of. How it lives and ends stands in `lifetime`."""

import asyncio
import os
import sys
import time
from collections.abc import Iterable, MutableMapping
from contextlib import AsyncExitStack
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import structlog

from config.settings import ConfigError, Settings, load
from daemon import logs, paths
from daemon.agents import Agents
from daemon.core import Core, open_core
from daemon.handlers.auditing import RecallLogHandler
from daemon.handlers.capturing import CaptureHandler
from daemon.handlers.categorising import CategoryHandler
from daemon.handlers.conversing import SessionHandler
from daemon.handlers.foreseeing import ProactiveHandler
from daemon.handlers.inspecting import StoreHandler
from daemon.handlers.moving import MovingHandler
from daemon.handlers.noting import NoteHandler
from daemon.handlers.operating import OperationHandler
from daemon.handlers.recalling import RecallHandler
from daemon.handlers.remembering import FactHandler
from daemon.handlers.reporting import AgentHandler
from daemon.handlers.subscribing import SubscriptionHandler
from daemon.health import Health, Parts
from daemon.interpreter import keep_loaded, take_short_turns
from daemon.keeper import Keeper, KeptJob, without_scope
from daemon.lifetime import Daemon, live, stop_on_signals
from daemon.listener import listen
from daemon.method import Handlers, Method
from daemon.metrics import Metrics
from daemon.older import Providers
from daemon.paths import Paths
from daemon.pulse import Pulse
from daemon.schedule import Bell, Schedule
from daemon.server import Server
from daemon.systemd import Notifier
from daemon.watchdog import Watchdog
from jobs.alarm import Alarm
from jobs.announce import Announcer
from jobs.backup import Backup
from jobs.capture import CaptureWorker
from jobs.categories import Categories
from jobs.cleanup import Cleanup
from jobs.compaction import Compactor
from jobs.forecast import Forecaster
from jobs.foresight import Foresight
from jobs.judge import Judge
from jobs.monitor import Monitor, MonitorSettings, Outlook, Upkeep
from jobs.notes import Notes
from jobs.recalibrate import Recalibrate
from jobs.summaries import Summaries
from jobs.warming import Warming
from memory.errors import (
    InvalidError,
    LockedError,
    MemudError,
    SchemaError,
)
from memory.extract.rules import RulesExtractor
from memory.intake import Intake
from memory.knowledge.curation import Curation
from memory.knowledge.learning import Learning
from memory.notes.notebook import Notebook
from memory.ports import Clock
from memory.proactive.arbiter import Arbiter
from memory.proactive.asking.heard import Heard
from memory.proactive.detector import Detector
from memory.proactive.detectors.commitment import CommitmentDetector
from memory.proactive.detectors.habit import HabitDetector
from memory.proactive.detectors.open_question import OpenQuestionDetector
from memory.proactive.detectors.overtaken import OvertakenDetector
from memory.proactive.detectors.repeated_intent import RepeatedIntentDetector
from memory.proactive.detectors.upcoming import UpcomingDetector
from memory.proactive.following.fulfilled import Fulfilment
from memory.recall.ahead import AheadRecall
from memory.recall.bill import Bill
from memory.recall.explanation import Explainer
from memory.recall.freshness import Freshness
from memory.recall.log import RecallLog
from memory.recall.recalibration import Recalibration
from memory.recall.recall import Recall
from memory.recall.repeats import Repeats
from memory.session import Sessions

EXIT_FAILED, EXIT_USAGE, EXIT_LOCKED, EXIT_CONFIG = 1, 64, 75, 78
_EXITS = {InvalidError: EXIT_USAGE, LockedError: EXIT_LOCKED, SchemaError: EXIT_CONFIG}

log = structlog.get_logger()


class SystemClock:
    """The wall clock."""

    def now(self) -> int:
        """Unix seconds, UTC."""
        return int(time.time())  # noqa: TID251 - this is the Clock


def run(*, state_dir: Path | None = None, socket: Path | None = None, config: Path | None = None) -> int:
    """Serve until SIGTERM or SIGINT; the exit code for the shell: 0, 1, 64, 75 or 78."""
    os.umask(0o077)
    keep_loaded()
    take_short_turns()
    try:
        settings = load(config)
        logs.configure(settings.log.level)
        asyncio.run(serve(settings, paths.choose(state_dir, socket, os.environ), os.environ, SystemClock()))
    except ConfigError as error:
        return _refuse(EXIT_CONFIG, str(error))
    except MemudError as error:
        return _refuse(_EXITS.get(type(error), EXIT_FAILED), f"{error}; {error.hint}")
    return 0


async def serve(
    settings: Settings,
    where: Paths,
    env: MutableMapping[str, str],
    clock: Clock,
    providers: Providers | None = None,
) -> None:
    """Build, start, wait for the signal, stop. Raises LockedError, SchemaError, InvalidError at the start."""
    stop = stop_on_signals()
    async with AsyncExitStack() as stack:
        daemon = await build(settings, where, env, clock, stack, providers)
        await live(daemon, stop)
    log.info("stopped")


async def build(
    settings: Settings,
    where: Paths,
    env: MutableMapping[str, str],
    clock: Clock,
    stack: AsyncExitStack,
    providers: Providers | None = None,
) -> Daemon:
    """Put the parts together; each registers its own undoing on the stack, so the store closes last."""
    core = await open_core(settings, where, env, clock, stack, providers)
    database, bulletin = core.database, core.bulletin
    arbiter, outlook = Arbiter(settings.proactive), _outlook(core)
    announcer = Announcer(arbiter)
    alarm = Alarm(
        database, outlook.foresight, announcer, clock, core.new_id, settings.proactive, bulletin.ring
    )
    recall = _recall(core, arbiter)
    warming = Warming(database, recall, core.warm, clock, is_enabled=settings.proactive.enabled)
    worker = CaptureWorker(database, core.learning, settings.capture, clock, core.new_id, core.funding)
    worker.tell(warming.wake)
    keeper = Keeper(database, _jobs(core, outlook, announcer), bulletin, clock, warming.wake)
    agents = Agents(clock)
    health = _health(core, keeper, agents)
    recall_log = RecallLog(database, Bill(core.tally, core.budget), clock)
    handlers = (
        *_memory_handlers(core, worker, arbiter, alarm, recall, recall_log),
        *_operator_handlers(core, worker, keeper, health, recall_log),
        AgentHandler(agents),
        NoteHandler(database, _notebook(core), clock),
        MovingHandler(database, clock, core.new_id, core.reindex.wake),
    )
    server = Server(
        _methods(handlers, core.metrics),
        settings.server,
        version=version("memud"),
        max_notifications=settings.outbox.queue_rows,
    )
    schedule = _schedule(settings, keeper)
    stack.callback(schedule.shutdown)
    notifier = Notifier(env)
    watchdog = Watchdog(database, notifier, env)
    listener = listen(where.socket, env)
    pulse = Pulse(health, database, bulletin, clock)
    return Daemon(
        server,
        listener,
        schedule,
        keeper,
        worker,
        alarm,
        warming,
        recall_log,
        core.warmth,
        core.reindex,
        core.rebuild,
        watchdog,
        pulse,
        notifier,
        core.finish,
    )


def _schedule(settings: Settings, keeper: Keeper) -> Schedule:
    """Every bell rings the keeper, which knows what is due."""
    bells = [
        Bell("monitor", settings.monitor.period_s, keeper.ring),
        Bell("notes", settings.notes.period_s, keeper.ring),
        Bell("cleanup", settings.cleanup.period_s, keeper.ring, settings.cleanup.jitter_s),
    ]
    return Schedule(bells)


def _jobs(core: Core, outlook: Outlook, announcer: Announcer) -> dict[str, KeptJob]:
    """What runs by the clock, and what runs when asked."""
    settings, database, clock = core.settings, core.database, core.clock
    embedder, generations = core.learning.embedder, core.learning.generations
    recalibration = Recalibration(database, core.asker, core.scorer, core.offsets)

    def is_over() -> bool:  # two models' scores make no one offset
        return core.finish.is_set() or generations.is_changing

    recalibrate = Recalibrate(database, recalibration, core.offsets, clock, is_over)
    judge = Judge(database, core.metered, clock) if core.metered else None
    upkeep = Upkeep(core.reindex, recalibrate, judge)
    bounds = MonitorSettings(settings.proactive, settings.outbox, settings.store)
    monitor = Monitor(database, outlook, announcer, upkeep, bounds, clock, core.new_id)
    categories = Categories(database, core.filer, embedder, Summaries(database, core.metered), clock)
    notes = Notes(database, _notebook(core), settings.notes, clock)
    cleanup = Cleanup(database, generations, settings.cleanup, settings.resources, clock)
    return {
        "monitor": KeptJob(monitor.run, settings.monitor.period_s),
        "cleanup": KeptJob(cleanup.run, settings.cleanup.period_s),
        "categories": KeptJob(categories.run, settings.monitor.period_s),
        "notes": KeptJob(notes.run, settings.notes.period_s),
        "reindex": KeptJob(without_scope(core.reindex.run)),
        "backup": KeptJob(without_scope(Backup(database, clock).run)),
    }


def _outlook(core: Core) -> Outlook:
    """All detectors, and the model where there is one to ask."""
    embedder, database, clock = core.learning.embedder, core.database, core.clock
    heard = Heard(embedder.name) if embedder else None
    detectors: list[Detector] = [
        CommitmentDetector(),
        OpenQuestionDetector(),
        UpcomingDetector(),
        OvertakenDetector(embedder, database, clock),
    ]
    if embedder:
        horizon_s = core.settings.proactive.horizon_s
        detectors.append(RepeatedIntentDetector(embedder, database, clock, horizon_s, heard))
        detectors.append(HabitDetector(embedder, database, clock, heard))
    fulfilment = Fulfilment(embedder, database, clock, heard)
    foresight = Foresight(database, detectors, fulfilment, clock, core.new_id)
    return Outlook(foresight, _forecaster(core))


def _forecaster(core: Core) -> Forecaster | None:
    settings = core.settings.proactive
    if core.metered is None or not settings.ask_model:
        return None
    return Forecaster(core.database, core.metered, settings, core.clock, core.new_id)


def _recall(core: Core, arbiter: Arbiter) -> AheadRecall:
    settings, database, warmth = core.settings.recall, core.database, core.warmth
    generations = core.learning.generations
    recall = Recall(database, core.asker, core.scorer, Repeats(generations), settings, arbiter.upcoming)
    freshness = Freshness(generations, core.offsets, lambda: warmth.is_warm)
    return AheadRecall(database, recall, core.warm, freshness, core.clock)


def _memory_handlers(
    core: Core,
    worker: CaptureWorker,
    arbiter: Arbiter,
    alarm: Alarm,
    recall: AheadRecall,
    recall_log: RecallLog,
) -> tuple[Handlers, ...]:
    """Events in; memories, facts, predictions and sessions out."""
    settings, database, clock = core.settings, core.database, core.clock
    sessions = Sessions(settings.compaction, core.new_id)
    intake = Intake(settings.capture, core.new_id, core.local_zone, core.learning.extractor.batching)
    repeats = Repeats(core.learning.generations)
    explainer = Explainer(database, core.asker, core.scorer, repeats, settings.recall)
    compactor = Compactor(database, sessions, worker, clock)
    return (
        CaptureHandler(database, intake, sessions, worker, core.bulletin, settings.server, clock),
        RecallHandler(recall, explainer, recall_log, database, settings.recall, clock),
        FactHandler(Curation(database, _at_once(core), clock, core.new_id, core.local_zone)),
        ProactiveHandler(database, arbiter, clock, alarm.wake),
        SessionHandler(database, compactor, sessions, settings.compaction, clock),
        SubscriptionHandler(database, core.bulletin),
    )


def _notebook(core: Core) -> Notebook:
    return Notebook(core.database, core.learning, core.clock, core.new_id, core.local_zone)


def _at_once(core: Core) -> Learning:
    """What a person adds is a fact already: rules see of what kind, and nobody waits for a model."""
    return replace(core.learning, extractor=RulesExtractor(core.settings.extract.max_facts))


def _health(core: Core, keeper: Keeper, agents: Agents) -> Health:
    learning = core.learning
    parts = Parts(
        core.database,
        learning.generations,
        core.embedder_fault,
        learning.extractor,
        core.breakers,
        core.model,
        core.model_fault,
        core.warmth,
        core.rebuild,
        core.budget,
        agents,
    )
    return Health(parts, keeper, version("memud"), core.clock)


def _operator_handlers(
    core: Core, worker: CaptureWorker, keeper: Keeper, health: Health, recall_log: RecallLog
) -> tuple[Handlers, ...]:
    """The store and the daemon looked at, and their levers."""
    return (
        StoreHandler(core.database, core.metrics, recall_log, core.warm, core.learning.generations),
        CategoryHandler(core.database, core.clock),
        RecallLogHandler(core.database),
        OperationHandler(core.database, health, keeper, worker, core.rebuild, core.clock),
    )


def _methods(handlers: Iterable[Handlers], metrics: Metrics) -> dict[str, Method[Any, Any]]:
    return {
        method.signature.name: metrics.counted(method) for handler in handlers for method in handler.methods()
    }


def _refuse(code: int, message: str) -> int:
    sys.stderr.write(f"memud: {message}\n")
    return code
