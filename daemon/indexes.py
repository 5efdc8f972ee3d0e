"""Which vector index a start opens: the wanted one if it is ready, else the exact one, saying why."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import structlog

from memory.database import Database
from memory.errors import MemudError, StorageFullError
from memory.ports import Embedder, VectorIndex
from memory.store import index_choice
from memory.store.index_choice import IndexChoice
from memory.vectors.backends import EXACT, Backends, Open, open_exact
from memory.vectors.stamp import Stamp

log = structlog.get_logger()


def open_vss(folder: Path, stamp: Stamp) -> VectorIndex:
    """Its library is read only where it is wanted."""
    from memory.vectors.vss.index import VssIndex

    return VssIndex.open(folder, stamp)


def open_faiss(folder: Path, stamp: Stamp) -> VectorIndex:
    """Its library is loaded only where it is wanted."""
    from memory.vectors.ann.index import FaissIndex

    return FaissIndex.open(folder, stamp)


BACKENDS: Mapping[str, Open] = {EXACT: open_exact, "vss": open_vss, "faiss": open_faiss}


@dataclass(frozen=True, slots=True)
class OpenedIndex:
    """The index to begin with, and why the chosen one can't be used."""

    index: VectorIndex
    fault: MemudError | None = None


async def read_choice(database: Database, configured: str) -> IndexChoice:
    """What was chosen under this configuration, or what it says itself; that is kept from now on."""
    found = await database.read(lambda c: index_choice.read(c, configured))
    if found is not None:
        return found
    choice = IndexChoice(configured, configured, is_built=configured == EXACT)
    with suppress(StorageFullError):  # the next start says the same
        await database.write(lambda c: index_choice.keep(c, choice))
    return choice


async def open_index(backends: Backends, choice: IndexChoice, embedder: Embedder) -> OpenedIndex:
    """The chosen index, if it was built before; else the exact one, which answers until that is built.

    Where the chosen one can't be used, the exact one takes its place for good, and the log says so.
    """
    try:
        index = await asyncio.to_thread(_open, backends, choice, embedder)
        opened = OpenedIndex(index)
    except MemudError as fault:
        cause = str(fault.__cause__ or "")
        log.error("index_unavailable", wanted=choice.chosen, reason=str(fault), cause=cause, hint=fault.hint)
        opened = OpenedIndex(backends.open(EXACT, embedder), fault)
    await asyncio.to_thread(backends.tidy, opened.index.backend if opened.fault else choice.chosen, embedder)
    return opened


def _open(backends: Backends, choice: IndexChoice, embedder: Embedder) -> VectorIndex:
    is_ready = choice.is_built and backends.has_files(choice.chosen, embedder)
    return backends.open(choice.chosen if is_ready else EXACT, embedder)
