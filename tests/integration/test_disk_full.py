"""A full disk: recall goes on, capture says so, and it heals by itself."""

import resource
from pathlib import Path

import pytest
from memud_client import Client, StorageFullError

from tests.conftest import StartDaemon
from tests.daemons import DaemonProcess
from tests.filler import capture_until_full, filled

MIB = 2**20
FACT = "My favourite tea is smoky lapsang souchong."
QUESTION = "which tea is the user's favourite?"
SMALL_BALLAST = {"MEMUD_STORE__BALLAST_BYTES": str(MIB)}


def _assert_answers(client: Client) -> None:
    """Reading methods work."""
    assert client.search(QUESTION)["results"]
    assert client.recall(QUESTION)["results"]
    health = client.health()
    assert health["status"] == "error"
    assert "disk is full" in health["reasons"][0]


def _assert_all_there(client: Client, keys: list[str]) -> None:
    events = [{"key": key, "role": "user", "content": "again"} for key in keys]
    assert client.capture(events[:500])["duplicates"] == len(events[:500])


def test_recall_goes_on_and_capture_heals_when_there_is_room(
    small_disk: Path, start_daemon: StartDaemon
) -> None:
    """storage_full while it is full, the watchdog is fed all the while, and nothing acknowledged is lost."""
    daemon = start_daemon(state_dir=small_disk, env={**SMALL_BALLAST, "WATCHDOG_USEC": "300000"})
    with daemon.client() as client:
        client.add(FACT)
        filler = filled(small_disk / "filler")
        kept = capture_until_full(client)
        _assert_answers(client)
        with pytest.raises(StorageFullError) as caught:
            client.capture([{"key": "late", "role": "user", "content": "one more"}])
        assert caught.value.retriable
        assert caught.value.retry_after_ms
        daemon.notices.clear()
        assert daemon.hears(b"WATCHDOG=1")
        filler.unlink()
        assert client.health()["status"] != "error"
        assert client.capture([{"key": "late", "role": "user", "content": "one more"}])["accepted"] == 1
        _assert_all_there(client, kept)
    assert daemon.stop() == 0


def test_forgetting_works_on_a_full_disk(small_disk: Path, start_daemon: StartDaemon) -> None:
    """The ballast makes room for what frees room."""
    daemon = start_daemon(state_dir=small_disk, env=SMALL_BALLAST)
    with daemon.client() as client:
        item = client.add(FACT)["item"]
        filled(small_disk / "filler")
        capture_until_full(client)
        assert client.forget(item["id"])["item_ids"] == [item["id"]]
        assert client.list()["results"] == []


def test_a_daemon_starts_on_a_full_disk(small_disk: Path, start_daemon: StartDaemon) -> None:
    """After a crash and with not a byte left, the ballast is room enough to serve what is there."""
    daemon = start_daemon(state_dir=small_disk, env=SMALL_BALLAST)
    with daemon.client() as client:
        client.add(FACT)
        client.capture([{"key": "k", "role": "user", "content": "and I like it hot"}])
    daemon.kill()
    filler = filled(small_disk / "filler")
    again = start_daemon(state_dir=small_disk, env=SMALL_BALLAST)
    with again.client() as client:
        assert client.search(QUESTION)["results"]
        filler.unlink()
        assert client.capture([{"key": "late", "role": "user", "content": "one more"}])["accepted"] == 1
    assert again.stop() == 0


def test_without_a_byte_to_open_the_database_the_daemon_says_so(small_disk: Path, tmp_path: Path) -> None:
    """It ends with a sentence and a code that makes systemd try again; later everything is there."""
    daemon = DaemonProcess(tmp_path, state_dir=small_disk, env=SMALL_BALLAST)
    daemon.start()
    with daemon.client() as client:
        client.add(FACT)
    daemon.kill()
    (small_disk / "ballast").unlink()
    filler = filled(small_disk / "filler")
    daemon.launch()
    assert daemon.wait() == 1
    assert "the disk is full" in daemon.log()
    assert "Traceback" not in daemon.log()
    filler.unlink()
    daemon.start()
    with daemon.client() as client:
        assert client.search(QUESTION)["results"]
    assert daemon.stop() == 0


def test_a_limit_on_file_size_is_a_full_disk(start_daemon: StartDaemon, tmp_path: Path) -> None:
    """Where a quota stops a write capture says so, recall goes on, and it heals when the quota is lifted."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2 * MIB, resource.RLIM_INFINITY))

    daemon: DaemonProcess = start_daemon(tmp_path, env={"MEMUD_STORE__BALLAST_BYTES": "4096"}, before=limit)
    with daemon.client() as client:
        client.add(FACT)
        kept = capture_until_full(client)
        assert client.search(QUESTION)["results"]
        resource.prlimit(daemon.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        assert client.capture([{"key": "late", "role": "user", "content": "one more"}])["accepted"] == 1
        _assert_all_there(client, kept)
    assert daemon.stop() == 0
