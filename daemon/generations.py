"""Opens the model in use, and the models before it as long as texts have vectors of theirs."""

from contextlib import AsyncExitStack

import apsw
import structlog

from config.settings import EmbedSettings
from daemon.older import Providers
from memory.database import Database
from memory.ports import Embedder
from memory.store import calibrations
from memory.vectors import loading
from memory.vectors.exact import ExactIndex
from memory.vectors.generations import Close, Generation, Generations, nothing_to_close

log = structlog.get_logger()


async def open_generations(
    database: Database,
    settings: EmbedSettings,
    providers: Providers,
    stack: AsyncExitStack,
) -> tuple[Generations, str]:
    """All that can be opened, with empty indexes, and why there is no embedder at all ("" if none is wished).

    Without a model in use the older ones are left alone: nothing would take their place.
    """
    embedder, fault = providers.open_embedder(settings, stack)
    if embedder is None:
        return Generations(None), fault
    await _drop_misfits(database, embedder)
    older, lost = list[Generation](), list[str]()
    for name in await database.read(loading.names):
        if name == embedder.name:
            continue
        dimension, *others = await _lengths(database, name)
        opened = None if others else providers.open_older(name, dimension, settings, stack)
        if opened is None or opened.embedder.dimension != dimension:
            lost.append(name)
        else:
            older.append(_generation(opened.embedder, opened.close))
    if older or lost:
        log.info("model_changes", embedder=embedder.name, older=[one.name for one in older], lost=lost)
    return Generations(_generation(embedder), older, lost), fault


async def _drop_misfits(database: Database, embedder: Embedder) -> None:
    """The same name with other dimensions is another model in all but name: its texts are pending again."""
    name, dimension = embedder.name, embedder.dimension
    if await _lengths(database, name) <= {dimension}:
        return
    log.warning("dimension_changed", embedder=name, dimension=dimension)

    def drop(connection: apsw.Connection) -> None:
        loading.drop_others(connection, name, dimension)
        calibrations.drop(connection, name)

    await database.write(drop, frees_space=True)


async def _lengths(database: Database, name: str) -> set[int]:
    return await database.read(lambda c: loading.lengths(c, name))


def _generation(embedder: Embedder, close: Close = nothing_to_close) -> Generation:
    return Generation(embedder, ExactIndex(embedder.dimension), close=close)
