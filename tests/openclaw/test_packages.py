"""How `make e2e-openclaw` comes by Node and OpenClaw, with a stub of npm."""

from pathlib import Path

import pytest

from tests.openclaw.packages import MissingError, ready

_NPM = """#!/bin/sh
echo "$@" >> {log}
case "$*" in *openclaw@*) case "$PATH" in */node/node_modules/node/bin:*) ;; *) exit 9 ;; esac ;; esac
case "$*" in
  *node@*) mkdir -p node_modules/node/bin && touch node_modules/node/bin/node ;;
  *openclaw@*) {openclaw} ;;
esac
"""
_FINE = "mkdir -p node_modules/.bin && touch node_modules/.bin/openclaw"


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What npm is asked, a line a call; nothing else of the machine is found."""
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    _npm(tmp_path, _FINE)
    return tmp_path / "npm.log"


def _npm(folder: Path, openclaw: str) -> None:
    command = folder / "bin" / "npm"
    command.parent.mkdir(exist_ok=True)
    command.write_text(_NPM.format(log=folder / "npm.log", openclaw=openclaw))
    command.chmod(0o755)


def test_missing_packages_are_installed_once_outside_the_tree(log: Path, tmp_path: Path) -> None:
    """A second run asks npm nothing."""
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    packages = ready(env)
    assert packages.folder.parent == tmp_path / "cache" / "memud"
    assert ready(env) == packages
    assert [line.split()[-1].split("@")[0] for line in log.read_text().splitlines()] == ["node", "openclaw"]


def test_half_an_installation_is_none(log: Path, tmp_path: Path) -> None:
    """npm's last words are told, and the next run begins anew."""
    env = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    _npm(tmp_path, "echo 'no network'; exit 1")
    with pytest.raises(MissingError, match="no network"):
        ready(env)
    _npm(tmp_path, _FINE)
    assert ready(env).is_complete
    assert len(log.read_text().splitlines()) == 4


def test_a_folder_that_was_named_is_not_filled(log: Path, tmp_path: Path) -> None:
    """It may be a person's own."""
    with pytest.raises(MissingError, match="MEMUD_E2E_OPENCLAW"):
        ready({"MEMUD_E2E_OPENCLAW": str(tmp_path)})
    assert not log.exists()


def test_without_npm_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without Node is no failure of memud's."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingError, match="npm is not installed"):
        ready({"XDG_CACHE_HOME": str(tmp_path)})
