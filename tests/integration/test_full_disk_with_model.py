"""A disk that fills up while turns are at the model."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from memud_client import StorageFullError

from memory.testing import told_facts
from tests.conftest import StartDaemon
from tests.daemons import DaemonProcess
from tests.filler import filled
from tests.stubs.anthropic_api import AnthropicStub
from tests.stubs.models import KEY

_PATIENCE = 15
_WORKERS = 2  # as shipped
HEARD = ["I play the cello.", "我对花生过敏。", "My sister lives in Porto."]
AT_ONCE = {
    "MEMUD_EXTRACT__BATCH_TURNS": "1",
    "MEMUD_EXTRACT__QUIET_S": "0",
    "MEMUD_STORE__BALLAST_BYTES": "65536",
}


@pytest.mark.slow
async def test_learning_goes_on_when_there_is_room_again(small_disk: Path, start_daemon: StartDaemon) -> None:
    """The disk is full whenever a first answer comes; with room the facts are there, and later ones too."""
    filler = small_disk / "filler"

    def truth(prompt: str) -> Any:
        if len(stub.requests) <= _WORKERS:
            filled(filler)
        return told_facts(prompt)

    stub = AnthropicStub(truth)
    async with stub.serving() as address:
        env = {**AT_ONCE, "ANTHROPIC_API_KEY": KEY, "MEMUD_LLM__ANTHROPIC_BASE_URL": address}
        daemon = await asyncio.to_thread(lambda: start_daemon(state_dir=small_disk, env=env))
        facts = await asyncio.to_thread(_talk, daemon, filler)
        await asyncio.to_thread(daemon.stop)
    assert facts == set(HEARD)


def _talk(daemon: DaemonProcess, filler: Path) -> set[str]:
    """Say something in several sessions, the first of it while the disk fills up; what is known then."""
    with daemon.client() as client:
        for n, words in enumerate(HEARD[:-1]):
            client.capture([{"role": "user", "content": words, "key": words}], session_id=str(n))
        for _ in range(_PATIENCE):
            if "disk is full" in str(client.health()["reasons"]):
                break
            with suppress(StorageFullError):  # waits for facts, for two seconds
                client.session_compact("0")
        filler.unlink()
        client.health()
        client.capture([{"role": "user", "content": HEARD[-1], "key": HEARD[-1]}], session_id="last")
        for _ in range(_PATIENCE):
            with suppress(StorageFullError):
                client.session_compact("last")
            if len(facts := client.list()["results"]) == len(HEARD):
                break
        return {item["memory"] for item in facts}
