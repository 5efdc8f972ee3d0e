"""What subscribers are told: in order, at least once, from where they left off."""

from collections.abc import Callable

import apsw
import pytest
from memud_client import Client

from tests.conftest import StartDaemon
from tests.daemons import DaemonProcess

FULL = {"tokens_used": 90, "context_window": 100}
EMPTY = {"tokens_used": 9, "context_window": 100}


def _cross(client: Client, session_id: str) -> None:
    """Fill a session's window, once."""
    client.call("capture", events=[], session_id=session_id, context=FULL)


@pytest.fixture
def subscribe(client: Client) -> Callable[..., list[str]]:
    """Takes notices from the beginning on; gives their sessions."""

    def take(count: int, cursor: int = 0) -> list[str]:
        notices = client.subscribe(["compaction"], cursor=cursor)
        found = [str(next(notices)["payload"]["session_id"]) for _ in range(count)]
        notices.close()
        return found

    return take


def test_notices_come_in_order_and_a_cursor_resumes_behind_them(
    client: Client, subscribe: Callable[..., list[str]]
) -> None:
    """Who comes back with the last cursor misses nothing and sees nothing twice."""
    for n in range(5):
        _cross(client, f"s{n}")
    assert subscribe(5) == ["s0", "s1", "s2", "s3", "s4"]
    assert subscribe(3, cursor=2) == ["s2", "s3", "s4"]


def test_a_waiting_subscriber_is_told_at_once(client: Client) -> None:
    """Nobody polls: the notice follows the transaction that makes it true."""
    notices = client.subscribe(["compaction"], cursor=0)
    _cross(client, "first")
    assert next(notices)["payload"]["session_id"] == "first"
    _cross(client, "second")
    assert next(notices)["payload"] == {"session_id": "second", "ratio": 0.9}
    notices.close()


def test_notices_outlive_a_kill(start_daemon: StartDaemon) -> None:
    """A subscriber that was away during a crash gets what it missed."""
    daemon = start_daemon()
    with daemon.client() as client:
        _cross(client, "before")
    daemon.kill()
    daemon.start()
    with daemon.client() as client:
        _cross(client, "after")
        notices = client.subscribe(["compaction"], cursor=0)
        assert [next(notices)["payload"]["session_id"] for _ in range(2)] == ["before", "after"]
        notices.close()
    assert daemon.stop() == 0


def test_a_crossing_is_told_once(client: Client, subscribe: Callable[..., list[str]]) -> None:
    """The same window, reported again, is no second notice; a new cycle is."""
    for window in (FULL, FULL, EMPTY, FULL):
        client.call("capture", events=[], session_id="s", context=window)
    _cross(client, "last")
    assert subscribe(3) == ["s", "s", "last"]


def test_a_change_of_health_is_told(start_daemon: StartDaemon) -> None:
    """A dead turn makes the daemon degraded; dropping it makes it well; each change is one notice."""
    daemon: DaemonProcess = start_daemon()
    with daemon.client() as client:
        client.capture([{"key": "k", "role": "user", "content": "I decided to buy a canoe."}], session_id="s")
        client.session_compact("s")
    daemon.stop()
    connection = apsw.Connection(str(daemon.database))
    connection.execute("UPDATE capture_queue SET state = 'dead', reason = 'test'")
    connection.close()
    daemon.start()
    with daemon.client() as client:
        client.queue_drop(state="dead")
        client.job_run("monitor")
        notices = client.subscribe(["health"], cursor=0)
        notice = next(notices)
        payload = notice["payload"]
        assert (notice["topic"], payload["status"], payload["reasons"]) == ("health", "ok", [])
        assert payload["embedder"] == {"name": "none", "mode": "off", "done": 0, "total": 0}
        notices.close()
    assert daemon.stop() == 0
