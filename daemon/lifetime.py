"""How the daemon lives: everything side by side, and an end in order."""

import asyncio
import os
import signal
from collections.abc import Iterable
from dataclasses import dataclass

import structlog

from daemon.keeper import Keeper
from daemon.listener import Listener
from daemon.pulse import Pulse
from daemon.schedule import Schedule
from daemon.server import Server
from daemon.systemd import Notifier
from daemon.warmth import Warmth
from daemon.watchdog import Watchdog
from jobs.alarm import Alarm
from jobs.capture import CaptureWorker
from jobs.rebuild import Rebuild
from jobs.reindex import Reindex
from jobs.warming import Warming
from memory.recall.log import RecallLog

_LAST_STEP_S = 4.0  # with the server's drain of 10 s the whole stop stays under 15 s

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Daemon:
    """What runs once everything is built."""

    server: Server
    listener: Listener
    schedule: Schedule
    keeper: Keeper
    worker: CaptureWorker
    alarm: Alarm
    warming: Warming
    recall_log: RecallLog
    warmth: Warmth
    reindex: Reindex
    rebuild: Rebuild
    watchdog: Watchdog
    pulse: Pulse
    notifier: Notifier
    finish: asyncio.Event


async def live(daemon: Daemon, stop: asyncio.Event) -> None:
    """Everything side by side; if one part dies all do, and systemd starts a whole daemon again.

    The stop order: the listener and what is in flight, the clock, the workers, and - by the exit stack -
    leases, embedder, store.
    """
    finish = daemon.finish
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(daemon.server.serve(daemon.listener, stop), name="server")
        background = [
            group.create_task(daemon.worker.run(finish), name="worker"),
            group.create_task(daemon.keeper.run(finish), name="keeper"),
            group.create_task(daemon.alarm.run(finish), name="alarm"),
            group.create_task(daemon.warming.run(finish), name="warming"),
            group.create_task(daemon.recall_log.run(finish), name="recall_log"),
            group.create_task(daemon.watchdog.run(finish), name="watchdog"),
            group.create_task(daemon.pulse.run(finish), name="pulse"),
            group.create_task(_keep_vectors(daemon), name="vectors"),
        ]
        daemon.schedule.start()
        await daemon.server.started.wait()
        daemon.notifier.ready("serving")
        log.info("serving")

        await stop.wait()
        daemon.notifier.stopping()
        await serving
        daemon.schedule.pause()
        finish.set()
        await _end(background)


async def _keep_vectors(daemon: Daemon) -> None:
    """First those that are stored, then those that are missing or of another model, and another index."""
    await daemon.warmth.load()
    daemon.warming.wake()
    async with asyncio.TaskGroup() as group:
        group.create_task(daemon.reindex.serve(daemon.finish), name="reindex")
        group.create_task(daemon.rebuild.serve(daemon.finish), name="rebuild")


async def _end(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Let the workers finish what they hold, for a while; then cancel them, saying why."""
    _, late = await asyncio.wait(tasks, timeout=_LAST_STEP_S)
    for task in late:
        log.warning("cancelled_at_stop", task=task.get_name())
        task.cancel("the daemon stops")


def stop_on_signals() -> asyncio.Event:
    """Set by the first SIGTERM or SIGINT; the second ends the process at once."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def on_signal() -> None:
        if stop.is_set():
            os._exit(1)
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, on_signal)
    return stop
