"""What tests share: settings, a clock, a database, the store's parts put together, and a real daemon."""

import os
import random
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from memud_client import Client

from config.settings import Settings, load
from memory.database import Database
from memory.ids import NewId, id_maker
from memory.testing import FakeEmbedder, FakeExtractor, FrozenClock
from tests.daemons import DaemonProcess, clean_env
from tests.world import World

StartDaemon = Callable[..., DaemonProcess]

hypothesis.settings.register_profile("memud", deadline=None)  # a busy machine breaks no promise
hypothesis.settings.load_profile("memud")


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test reads the configuration, the keys or the socket of whoever runs it."""
    kept = clean_env()
    for name in set(os.environ) - set(kept):
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.getbasetemp() / "no-config"))


@pytest.fixture
def settings() -> Settings:
    """The defaults, with a ballast that costs nothing."""
    return load().model_copy(update={"store": load().store.model_copy(update={"ballast_bytes": 4096})})


@pytest.fixture
def clock() -> FrozenClock:
    """A clock that a test turns."""
    return FrozenClock()


@pytest.fixture
def new_id() -> NewId:
    """Ids that are the same in every run."""
    return id_maker(random.Random(7).randbytes)  # noqa: S311 - no secrets, but the same ids each time


@pytest.fixture
async def database(tmp_path: Path, settings: Settings) -> AsyncIterator[Database]:
    """An open, migrated database."""
    opened = Database.open(tmp_path / "memud.db", settings.store)
    yield opened
    opened.close()


@pytest.fixture
def world(database: Database, settings: Settings, clock: FrozenClock, new_id: NewId) -> World:
    """The store's parts, with the fake embedder and extractor."""
    return World.build(database, settings, clock, new_id, embedder=FakeEmbedder(), extractor=FakeExtractor())


@pytest.fixture
def start_daemon(tmp_path: Path) -> Iterator[StartDaemon]:
    """Starts daemons; those that still run at the end are stopped, and must end with 0."""
    started: list[DaemonProcess] = []

    def start(folder: Path = tmp_path, **options: Any) -> DaemonProcess:
        daemon = DaemonProcess(folder, **options)
        started.append(daemon)
        daemon.start()
        return daemon

    yield start
    codes = {daemon.stop() for daemon in started if daemon.is_running}
    assert codes <= {0}, "\n".join(daemon.log() for daemon in started)


@pytest.fixture
def daemon(start_daemon: StartDaemon) -> DaemonProcess:
    """A running daemon."""
    return start_daemon()


@pytest.fixture
def client(daemon: DaemonProcess) -> Iterator[Client]:
    """A client of the running daemon."""
    with daemon.client() as connected:
        yield connected
