"""The daemon in a process of its own, with the real SDK, against a provider that is a stub."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from memud_client import Client

from memory.testing import told_facts
from tests.conftest import StartDaemon
from tests.daemons import DaemonProcess
from tests.stubs import script
from tests.stubs.anthropic_api import AnthropicStub
from tests.stubs.models import KEY
from tests.stubs.openai_api import OpenAIStub
from tests.stubs.provider import StubProvider
from tests.stubs.script import Fault
from tests.world import bytes_of

AT_ONCE = {"MEMUD_EXTRACT__BATCH_TURNS": "1", "MEMUD_EXTRACT__QUIET_S": "0"}
_PATIENCE = 20
SPOKEN = ["I play the cello.", "我对花生过敏。"]


class Running:
    """A daemon and the provider behind it."""

    def __init__(self, daemon: DaemonProcess, stub: StubProvider) -> None:
        self.daemon = daemon
        self.stub = stub

    async def ask(self, call: Callable[[Client], Any]) -> Any:
        """What the daemon answers, while this loop serves the provider."""

        def asked() -> Any:
            with self.daemon.client() as client:
                return call(client)

        return await asyncio.to_thread(asked)

    async def hear(self) -> None:
        """Say everything, and wait until each turn was worked on once."""
        events = [{"role": "user", "content": words, "key": words} for words in SPOKEN]
        await self.ask(lambda client: client.capture(events, session_id="s"))
        for _ in range(_PATIENCE):
            await self.ask(lambda client: client.session_compact("s"))  # waits for facts, for two seconds
            health = await self.ask(lambda client: client.health())
            waiting, is_stopped = health["queue"], health["extractor"]["breaker"] != "closed"
            if not waiting["leased"] and (is_stopped or not waiting["queued"]):
                return
        raise AssertionError(self.daemon.log())


@asynccontextmanager
async def running(
    start: StartDaemon, stub: StubProvider, settings: Callable[[str], dict[str, str]], embed: str = "none"
) -> AsyncIterator[Running]:
    """The daemon with its stub, both up."""
    async with stub.serving() as address:
        daemon = await asyncio.to_thread(lambda: start(embed=embed, env={**AT_ONCE, **settings(address)}))
        yield Running(daemon, stub)
        await asyncio.to_thread(daemon.stop)


def for_claude(address: str) -> dict[str, str]:
    """A key is all it takes."""
    return {"ANTHROPIC_API_KEY": KEY, "MEMUD_LLM__ANTHROPIC_BASE_URL": address}


def for_a_server_of_one_s_own(address: str) -> dict[str, str]:
    """As docs/EXTRACTION.md points memud at Ollama: no key."""
    return {
        "MEMUD_EXTRACT__PROVIDER": "openai",
        "MEMUD_LLM__OPENAI_BASE_URL": f"{address}/v1",
        "MEMUD_LLM__OPENAI_MODEL": "qwen3:8b",
    }


async def test_what_waited_for_a_key_is_learnt_when_memud_is_started_with_a_good_one(
    start_daemon: StartDaemon,
) -> None:
    """As the hint says: it does not wait for a probe that the daemon before had in mind."""
    async with running(
        start_daemon, AnthropicStub(told_facts, script.always(Fault.KEY_REFUSED)), for_claude
    ) as up:
        await up.hear()
    async with running(start_daemon, AnthropicStub(told_facts), for_claude) as up:
        await up.hear()
        items = (await up.ask(lambda client: client.list()))["results"]
    assert {item["memory"] for item in items} == set(SPOKEN)


@pytest.mark.parametrize(
    ("stub", "settings", "name"),
    [
        (AnthropicStub(told_facts), for_claude, "anthropic/claude-sonnet-5-5"),
        (OpenAIStub(told_facts), for_a_server_of_one_s_own, "openai/qwen3:8b"),
    ],
    ids=["anthropic", "ollama"],
)
async def test_what_is_said_becomes_the_facts_that_the_model_draws(
    start_daemon: StartDaemon, stub: StubProvider, settings: Callable[[str], dict[str, str]], name: str
) -> None:
    """From the socket over the provider's API into the store, in both languages."""
    async with running(start_daemon, stub, settings) as up:
        await up.hear()
        items = (await up.ask(lambda client: client.list()))["results"]
        health = await up.ask(lambda client: client.health())
    assert {item["memory"] for item in items} == set(SPOKEN)
    assert health["extractor"] == {"name": name, "mode": "ok", "breaker": "closed"}
    assert stub.requests


def _foreseen(prompt: str) -> Any:
    """A ground truth for both questions: what was told, and what will be wanted next."""
    if "<open>" not in prompt:
        return told_facts(prompt)
    said = {"topic": "cello", "text": "Scores for the cello.", "turns": ["t1"]}
    return {"intents": [{**said, "probability": 0.8, "when": "", "days": 3}]}


async def test_the_monitor_asks_the_model_what_will_be_wanted_next(start_daemon: StartDaemon) -> None:
    """Over the provider's API into the ledger; a second tick costs nothing; the tokens are told apart."""
    stub = AnthropicStub(_foreseen)
    async with running(start_daemon, stub, for_claude) as up:
        await up.hear()
        await up.ask(lambda client: client.job_run("monitor"))
        await up.ask(lambda client: client.job_run("monitor"))
        guessed = (await up.ask(lambda client: client.proactive_list(detector="llm_intent")))["results"]
        stats = await up.ask(lambda client: client.stats())
    assert [item["text"] for item in guessed] == ["Perhaps next: Scores for the cello."]
    assert sum("<open>" in str(request.body) for request in stub.requests) == 1
    assert "predict" in str(stats)


async def test_a_refused_key_is_seen_and_loses_nothing(start_daemon: StartDaemon) -> None:
    """One request; the turns wait and are found by their words; the key is written nowhere."""
    stub = AnthropicStub(told_facts, script.always(Fault.KEY_REFUSED))
    async with running(start_daemon, stub, for_claude) as up:
        await up.hear()
        health = await up.ask(lambda client: client.health())
        found = await up.ask(lambda client: client.search("cello"))
    assert len(stub.requests) == 1
    assert (health["status"], health["extractor"]["breaker"]) == ("degraded", "open")
    assert "new facts wait for the model: Anthropic refuses the key" in health["reasons"]
    assert (health["queue"]["queued"], health["queue"]["dead"]) == (len(SPOKEN), 0)
    assert [result["memory"] for result in found["results"]] == [SPOKEN[0]]
    assert KEY not in up.daemon.log()
    assert KEY.encode() not in bytes_of(up.daemon.database)


async def test_a_provider_that_was_named_without_a_key_is_missed_and_the_rules_go_on(
    start_daemon: StartDaemon,
) -> None:
    """`health` says what to do; facts are drawn all the same."""
    stub = AnthropicStub(told_facts)
    async with running(start_daemon, stub, lambda _: {"MEMUD_EXTRACT__PROVIDER": "anthropic"}) as up:
        await up.hear()
        health = await up.ask(lambda client: client.health())
        items = (await up.ask(lambda client: client.list()))["results"]
    assert health["extractor"]["name"] == "rules"
    assert any("there is no ANTHROPIC_API_KEY" in reason for reason in health["reasons"])
    assert items
    assert stub.requests == []


def for_embeddings(address: str) -> dict[str, str]:
    """OpenAI for vectors, rules for facts."""
    return {
        "OPENAI_API_KEY": KEY,
        "MEMUD_EXTRACT__PROVIDER": "rules",
        "MEMUD_EMBED__OPENAI_BASE_URL": f"{address}/v1",
    }


async def test_what_is_said_is_embedded_by_openai(start_daemon: StartDaemon) -> None:
    """Every text has its vector; turns and questions are sent, and nothing but them."""
    stub = OpenAIStub(told_facts)
    async with running(start_daemon, stub, for_embeddings, "openai") as up:
        await up.hear()
        health = await up.ask(lambda client: client.health())
        found = await up.ask(lambda client: client.search("cello"))
    embedder = health["embedder"]
    assert (embedder["name"], embedder["dim"], embedder["pending"]) == ("text-embedding-3-small", 1536, 0)
    assert found["results"]
    assert {request.path for request in stub.requests} == {"/v1/embeddings"}


async def test_a_refused_key_of_the_embedder_is_seen_and_words_are_found(start_daemon: StartDaemon) -> None:
    """Full text answers, what was said waits for its vector, and nobody asks again."""
    stub = OpenAIStub(told_facts, script.always(Fault.KEY_REFUSED))
    async with running(start_daemon, stub, for_embeddings, "openai") as up:
        await up.ask(lambda client: client.capture([{"role": "user", "content": SPOKEN[0]}], session_id="s"))
        await up.ask(lambda client: client.search("violin"))
        asked_until_refused = len(stub.requests)
        found = await up.ask(lambda client: client.search("cello"))
        health = await up.ask(lambda client: client.health())
    assert [result["memory"] for result in found["results"]] == [SPOKEN[0]]
    assert "embedder away" in found["degraded"]
    assert any("full text alone until vectors can be had" in reason for reason in health["reasons"])
    assert len(stub.requests) == asked_until_refused


def patient(address: str) -> dict[str, str]:
    """Claude, with turns that wait ten minutes for others."""
    waits = {"MEMUD_EXTRACT__BATCH_TURNS": "4", "MEMUD_EXTRACT__QUIET_S": "600"}
    return for_claude(address) | waits


async def test_a_compaction_waits_for_no_others_and_costs_one_call(start_daemon: StartDaemon) -> None:
    """Two turns that would wait ten minutes are read together at once, when their session is summed up."""
    stub = AnthropicStub(told_facts)
    async with running(start_daemon, stub, patient) as up:
        await up.hear()
        items = (await up.ask(lambda client: client.list()))["results"]
    assert {item["memory"] for item in items} == set(SPOKEN)
    assert len(stub.requests) == 1
