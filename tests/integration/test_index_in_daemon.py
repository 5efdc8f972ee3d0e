"""The vector index of a real daemon: what health, metrics and commands tell of it, and what is refused."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from memud_client import Client, MemudError

from tests.conftest import StartDaemon
from tests.daemons import DaemonProcess, clean_env
from tests.real_vss import needs_vss

RHYMING = ("tests.rhyming_daemon", "early", str(2**40))


@pytest.fixture
def without_vss(tmp_path: Path) -> dict[str, str]:
    """An environment whose package sqlite-vss has nothing in it."""
    package = tmp_path / "shadow" / "sqlite_vss"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    return {"PYTHONPATH": f"{package.parent}:{':'.join(sys.path)}"}


@pytest.fixture
def daemon(start_daemon: StartDaemon) -> DaemonProcess:
    """With a model that rhymes, and one fact."""
    started = start_daemon(program=RHYMING)
    with started.client() as client:
        client.add("I own a canoe", infer=False)
    return started


def _run(daemon: DaemonProcess, *words: str, language: str = "en_US.UTF-8") -> Any:
    return subprocess.run(
        [sys.executable, "-m", "cli", *words, "--socket", str(daemon.socket_path)],
        env={**clean_env(), "LC_ALL": language, "NO_COLOR": "1"}, capture_output=True, text=True,
    )  # fmt: skip


def test_health_and_metrics_tell_of_the_index(client: Client) -> None:
    """Which one answers, how many vectors it has, and what they take."""
    index, values = client.health()["index"], client.metrics()["values"]
    assert (index["backend"], index["wanted"], index["reason"], index["building"]) == (
        "exact", "exact", None, None,
    )  # fmt: skip
    assert index["size"] == values["memud_index_vectors"] == 2
    assert index["bytes"] >= 2 * 128 * 4
    assert values["memud_index_bytes"] >= 2 * 128 * 4


@needs_vss
def test_the_command_changes_the_index_and_says_so(daemon: DaemonProcess) -> None:
    """In the language of who asks."""
    planned = _run(daemon, "job", "run", "reindex", "--backend", "vss", "--dry-run")
    assert "vss would be built beside exact" in planned.stdout
    assert _run(daemon, "job", "run", "reindex", "--backend", "vss").stdout.splitlines() == [
        "reindex is done.", "  vectors in the new index: 2", "  vss answers now",
    ]  # fmt: skip
    assert "index: vss, 2 vectors" in _run(daemon, "status").stdout
    assert "索引：vss，2 个向量" in _run(daemon, "status", language="zh_CN.UTF-8").stdout
    again = _run(daemon, "job", "run", "reindex", "--backend", "vss", language="zh_CN.UTF-8")
    assert "vss 已在使用" in again.stdout


@needs_vss
def test_who_waits_at_a_terminal_sees_how_far_it_is(tmp_path: Path, start_daemon: StartDaemon) -> None:
    """A bar beside the answer, gone once the index answers."""
    sign = tmp_path / "may_write"
    daemon = start_daemon(program=(*RHYMING, "--hold", str(sign)))
    with daemon.client() as client:
        client.add("I own a canoe", infer=False)
    screen, of_command = os.openpty()
    command = ["-m", "cli", "job", "run", "reindex", "--backend", "vss", "--socket", str(daemon.socket_path)]
    env = {**clean_env(), "LC_ALL": "C.UTF-8", "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(
        [sys.executable, *command], env=env, stdout=subprocess.PIPE, stderr=of_command
    ) as waiting:
        os.close(of_command)
        seen = b""
        while b"0/2" not in seen:
            seen += os.read(screen, 4096)
        sign.touch()
        answer, _ = waiting.communicate()
    os.close(screen)
    assert b"building the index" in seen
    assert b"vss answers now" in answer


@needs_vss
def test_who_watches_is_told_that_another_index_answers(daemon: DaemonProcess, client: Client) -> None:
    """And how far it was on the way."""
    notices = client.subscribe(["health"], cursor=0)
    client.job_run("reindex", backend="vss")
    seen = [next(notices)["payload"]["index"]]
    while seen[-1]["backend"] != "vss":
        seen.append(next(notices)["payload"]["index"])
    notices.close()
    assert seen[-1] == {"backend": "vss", "wanted": "vss", "building": None}


def test_a_backend_that_nobody_knows_is_refused(daemon: DaemonProcess, client: Client) -> None:
    """With the known ones, by the command and on the wire."""
    refused = _run(daemon, "job", "run", "reindex", "--backend", "annoy")
    assert (refused.returncode, "faiss" in refused.stderr) == (64, True)
    with pytest.raises(MemudError, match="annoy"):
        client.job_run("reindex", backend="annoy")  # type: ignore[arg-type]


def test_no_other_job_takes_a_backend(daemon: DaemonProcess) -> None:
    """And it is not run without it either."""
    refused = _run(daemon, "job", "run", "backup", "--backend", "exact")
    assert (refused.returncode, refused.stdout) == (64, "")
    assert "the job backup takes no backend" in refused.stderr
    assert not (daemon.state_dir / "backups").exists()


@needs_vss
def test_an_index_that_is_not_installed_is_refused_with_what_to_install(
    start_daemon: StartDaemon, without_vss: dict[str, str]
) -> None:
    """Nothing has changed."""
    daemon = start_daemon(program=RHYMING, env=without_vss)
    refused = _run(daemon, "job", "run", "reindex", "--backend", "vss")
    assert refused.returncode == 1
    assert "pip install 'memud[vss]'" in refused.stderr
    with daemon.client() as client:
        health = client.health()
    assert (health["status"], health["index"]["wanted"]) == ("ok", "exact")


@needs_vss
def test_a_configured_index_that_is_not_installed_is_told_loudly(
    start_daemon: StartDaemon, without_vss: dict[str, str]
) -> None:
    """The exact one answers; log, health and status say why, and what to do."""
    daemon = start_daemon(program=RHYMING, env={**without_vss, "MEMUD_INDEX__BACKEND": "vss"})
    with daemon.client() as client, pytest.raises(MemudError):
        client.job_run("reindex", backend="vss")
    with daemon.client() as client:
        health = client.health()
    assert health["status"] == "degraded"
    assert (health["index"]["backend"], health["index"]["wanted"]) == ("exact", "vss")
    assert "can't be read" in health["index"]["reason"]
    assert any("the index vss is wanted and exact answers" in reason for reason in health["reasons"])
    assert any("pip install 'memud[vss]'" in reason for reason in health["reasons"])
    assert "index_not_replaced" in daemon.log()
    assert "想用索引 vss，目前由 exact 应答" in _run(daemon, "status", language="zh_CN.UTF-8").stdout


def test_a_setting_that_nobody_knows_is_refused(tmp_path: Path) -> None:
    """At the start, with the known ones."""
    daemon = DaemonProcess(tmp_path, env={"MEMUD_INDEX__BACKEND": "annoy"})
    daemon.launch()
    assert daemon.wait() == 78
    assert "index.backend: Input should be 'exact', 'vss' or 'faiss'" in daemon.log()


def test_a_disk_that_an_index_would_fill_is_left_alone(small_disk: Path, start_daemon: StartDaemon) -> None:
    """It says how much is needed, and the exact one goes on."""
    daemon = start_daemon(program=RHYMING, state_dir=small_disk)
    with daemon.client() as client:
        for n in range(3):
            client.add(f"I own {n} canoes", infer=False)
        filler = small_disk / "filler"
        with suppress(OSError):
            filler.write_bytes(bytes(12 * 2**20))
        with pytest.raises(MemudError, match="may need 1 MiB of disk, 0 MiB are free"):
            client.job_run("reindex", backend="vss")
        filler.unlink()
        health = client.health()
    assert (health["index"]["backend"], health["index"]["size"]) == ("exact", 6)
