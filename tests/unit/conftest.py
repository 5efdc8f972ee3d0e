"""A stand-in daemon, and the command line that talks to it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from memud_client.testing import StubDaemon

from cli.app import main
from tests.answers import ANSWERS, Memud


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[StubDaemon]:
    with StubDaemon(tmp_path / "s", dict(ANSWERS)) as stub:
        yield stub


@pytest.fixture
def memud(
    daemon: StubDaemon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Memud:
    """Runs a command line in this process: exit code, standard output, standard error."""
    monkeypatch.setenv("MEMUD_SOCKET", str(daemon.path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "160")
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "CONFIGURATION_DIRECTORY", "MEMUD_STATE_DIR"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return run
