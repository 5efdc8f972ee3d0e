"""The ladder of a real daemon: a model while it may cost something, then rules or waiting."""

import time
from collections.abc import Callable, Iterator

import pytest
from memud_client import Client

from bench.stub_model import stub_model
from tests.conftest import StartDaemon
from tests.daemons import TOO_LONG_S

LIMIT = 9_000
FACT = "I'm allergic to peanuts."


@pytest.fixture
def model() -> Iterator[dict[str, str]]:
    """The settings that lead to a model which bills what it is sent."""
    with stub_model() as address:
        yield {
            "MEMUD_EXTRACT__PROVIDER": "openai",
            "MEMUD_EXTRACT__QUIET_S": "0",
            "MEMUD_LLM__OPENAI_BASE_URL": f"{address}/v1",
            "MEMUD_BUDGET__TOKENS_PER_DAY": str(LIMIT),
        }


def say(client: Client, count: int, first: int = 0) -> None:
    """Capture facts in a session of their own each, so that no call waits for another."""
    for number in range(first, first + count):
        client.capture([{"role": "user", "content": FACT}], session_id=f"s{number}")


def until(holds: Callable[[], bool]) -> None:
    """Ask the daemon until it does; each question is a round trip, so nothing spins."""
    end = time.monotonic() + TOO_LONG_S
    while not holds():
        assert time.monotonic() < end


def until_idle(client: Client) -> None:
    """Until every turn is done or dead."""

    def is_idle() -> bool:
        queue = client.health()["queue"]
        return bool(queue["queued"] + queue["leased"] == 0)

    until(is_idle)


def spent(client: Client) -> dict[str, int]:
    """Tokens by purpose."""
    days = client.stats()["tokens"]["days"]
    return {row["purpose"]: row["input_tokens"] + row["output_tokens"] for row in days}


def reasons(client: Client) -> set[str | None]:
    """Why turns wait for their facts."""
    return {entry["reason"] for entry in client.queue_list()["results"]}


def test_a_spent_budget_goes_on_by_rules(start_daemon: StartDaemon, model: dict[str, str]) -> None:
    """No call leads past the limit, every turn is done, and health says on which rung facts are drawn."""
    with start_daemon(env=model).client() as client:
        say(client, 12)
        until_idle(client)
        for number in range(12, 16):  # one by one, until what is left holds no call any more
            say(client, 1, number)
            until_idle(client)
        health, taken = client.health(), spent(client)["extract"]
        rules = client.stats()["items"]
    assert 0 < taken <= LIMIT
    assert health["budget"]["spent"]
    assert health["budget"]["used"] == taken
    assert any("facts are drawn by rules until midnight" in why for why in health["reasons"])
    assert rules == 1  # the stub draws none


def test_a_spent_budget_lets_turns_wait(start_daemon: StartDaemon, model: dict[str, str]) -> None:
    """Kept with their reason until midnight, found by their words meanwhile, and none is dead."""
    with start_daemon(env={**model, "MEMUD_BUDGET__THEN": "wait"}).client() as client:
        say(client, 12)
        until(lambda: client.health()["budget"]["spent"])
        until(lambda: reasons(client) == {"budget"})  # the last ones are only now asked about
        health, taken = client.health(), spent(client)["extract"]
        assert client.search("allergic to peanuts")["results"]
    assert 0 < taken <= LIMIT
    assert health["queue"]["dead"] == 0
    assert any("turns wait for their facts until midnight" in why for why in health["reasons"])


def test_vectors_of_a_provider_are_paid_for(start_daemon: StartDaemon, model: dict[str, str]) -> None:
    """They are priced, and within the same budget as the model's answers."""
    address = model["MEMUD_LLM__OPENAI_BASE_URL"]
    env = {"MEMUD_EMBED__OPENAI_BASE_URL": address, "MEMUD_BUDGET__TOKENS_PER_DAY": "0"}
    with start_daemon(embed="openai", env=env).client() as client:
        say(client, 2)
        until_idle(client)
        client.recall("Which nuts am I allergic to?", session_id="s1")
        tokens, used = client.stats()["tokens"], client.health()["budget"]["used"]
    rows = {row["purpose"]: row for row in tokens["days"]}
    assert {"embed", "embed_query"} <= rows.keys()
    assert all(row["model"] == "text-embedding-3-small" and not row["local"] for row in rows.values())
    assert rows["embed"]["cost_usd"] > 0
    assert used == tokens["spent"] > 0
