"""An item that several channels reach for at once is handed out by one of them."""

import asyncio
from pathlib import Path

from memud_client import AsyncClient

from tests.conftest import StartDaemon
from tests.day import start_day, unix

NOON, CHANNELS = unix("2026-12-01 12:00"), 8


async def test_of_many_recalls_and_polls_at_once_one_brings_it(
    start_daemon: StartDaemon, tmp_path: Path
) -> None:
    """The answer that has it is the only one; in its list, and where it is a recall's in its block."""
    day = start_day(start_daemon, tmp_path, NOON)
    day.say("remind me in 2 minutes to call Ana")
    day.wait_for_a_prediction()
    day.clock.set(NOON + 120)
    clients = [AsyncClient(day.daemon.socket_path) for _ in range(CHANNELS)]
    recalls = [client.recall("what is on today?", session_id=f"s{n}") for n, client in enumerate(clients)]
    polls = [client.proactive_next() for client in clients]
    recalled, polled = await asyncio.gather(asyncio.gather(*recalls), asyncio.gather(*polls))
    for client in clients:
        await client.close()
    by_recall = sum(len(answer["proactive"]) for answer in recalled)
    assert by_recall + sum(len(answer["results"]) for answer in polled) == 1
    assert sum("call Ana" in answer["context"] for answer in recalled) == by_recall
