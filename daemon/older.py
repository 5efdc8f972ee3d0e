"""Who opens what lies outside; among it the models before the one in use, by the stamps on their vectors."""

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial

from config.settings import EmbedSettings
from daemon.indexes import BACKENDS
from daemon.providers import Reach, open_embedder
from memory.embed.local import local_provider
from memory.ports import Embedder
from memory.vectors.backends import Open
from memory.vectors.generations import Close


@dataclass(frozen=True, slots=True)
class Opened:
    """An embedder that may be closed before the daemon stops, once or twice."""

    embedder: Embedder
    close: Close


OpenEmbedder = Callable[[EmbedSettings, AsyncExitStack], tuple[Embedder | None, str]]
OpenOlder = Callable[[str, int, EmbedSettings, AsyncExitStack], Opened | None]


def open_older(
    name: str, dimension: int, settings: EmbedSettings, stack: AsyncExitStack, reach: Reach
) -> Opened | None:
    """The very model of this name, to answer for the vectors it made; None where it can't be had any more."""
    provider = _provider_of(name, settings)
    if provider is None:
        return None
    inner = AsyncExitStack()
    stack.push_async_callback(inner.aclose)
    changes = {"provider": provider, "openai_model": name, "openai_dimension": dimension}
    embedder, _ = open_embedder(settings.model_copy(update=changes), inner, reach)
    if embedder is None or embedder.name != name:  # another version is another model
        return None
    return Opened(embedder, inner.aclose)


def _provider_of(name: str, settings: EmbedSettings) -> str | None:
    """The provider that can be told by the name of its model; whoever asks OpenAI now, asked it before."""
    if name == settings.openai_model:
        return "openai"
    return local_provider(name) or ("openai" if settings.provider == "openai" else None)


@dataclass(frozen=True, slots=True)
class Providers:
    """A test hands in its own."""

    open_embedder: OpenEmbedder
    open_older: OpenOlder
    backends: Mapping[str, Open] = field(default_factory=lambda: BACKENDS)

    @classmethod
    def within(cls, reach: Reach) -> "Providers":
        """The real ones."""
        return cls(partial(open_embedder, reach=reach), partial(open_older, reach=reach))
