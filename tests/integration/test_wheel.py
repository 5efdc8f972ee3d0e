"""The wheels, built and installed as a stranger would, start a daemon that answers."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from memud_client import Client

from tests.daemons import DaemonProcess, clean_env

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Both wheels, built by the tools that are here, without the network."""
    out = tmp_path_factory.mktemp("wheels")
    for project in (ROOT, ROOT / "client"):
        build = [
            sys.executable,
            "-m",
            "build",
            "--wheel",
            "--no-isolation",
            "--outdir",
            str(out),
            str(project),
        ]
        built = subprocess.run(build, capture_output=True, text=True)
        assert built.returncode == 0, built.stderr
    return sorted(out.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheels: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment with our wheels alone, as pip puts them there."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=True)
    install = [folder / "bin" / "python", "-m", "pip", "install", "--no-deps", "--no-index", *wheels]
    done = subprocess.run([str(part) for part in install], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


class InstalledDaemon(DaemonProcess):
    """The daemon of the installed wheel; only the libraries it depends on are borrowed from here."""

    def __init__(self, folder: Path, environment: Path) -> None:
        libraries = folder / "libraries"
        libraries.mkdir()
        for entry in Path(sysconfig.get_paths()["purelib"]).iterdir():
            # Neither our own code nor the .pth files that lead to this checkout.
            if not entry.name.startswith(("memud", "_memud")) and entry.suffix != ".pth":
                (libraries / entry.name).symlink_to(entry)
        super().__init__(folder, env={"PYTHONPATH": str(libraries)})
        self._command_line = [str(environment / "bin" / "memud"), "run"]

    def _command(self) -> list[str]:
        return [*self._command_line, "--state-dir", str(self.state_dir), "--socket", str(self.socket_path)]


@pytest.fixture
def installed_daemon(
    installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[DaemonProcess]:
    """The daemon of the wheel, running in a folder that is not this checkout."""
    monkeypatch.chdir(tmp_path)
    daemon = InstalledDaemon(tmp_path, installed)
    daemon.start()
    yield daemon
    if daemon.is_running:
        assert daemon.stop() == 0


@pytest.mark.slow
def test_the_wheel_brings_the_whole_plugin_for_openclaw(installed: Path) -> None:
    """Who installs memud needs neither a compiler nor this checkout."""
    plugin, source = installed / "share" / "memud" / "openclaw", ROOT / "plugins" / "openclaw"
    assert (plugin / "openclaw.plugin.json").exists()
    assert (plugin / "package.json").exists()
    built = {path.name for path in (source / "dist").glob("*.js")}
    assert {path.name for path in (plugin / "dist").iterdir()} == built


@pytest.mark.slow
def test_the_installed_daemon_answers(installed: Path, installed_daemon: DaemonProcess) -> None:
    """It captures, finds, and runs from the installed files, not from the checkout."""
    with Client(installed_daemon.socket_path) as client:
        assert client.health()["status"] == "ok"
        client.capture([{"key": "k", "role": "user", "content": "My favourite tea is oolong."}])
        assert client.search("favourite tea")["results"]
    maps = Path(f"/proc/{installed_daemon.pid}/cmdline").read_bytes()
    assert str(installed).encode() in maps
    assert installed_daemon.stop() == 0


@pytest.mark.slow
@pytest.mark.usefixtures("installed_daemon")  # it borrows the libraries
def test_the_installed_command_puts_its_own_plugin_into_openclaw(installed: Path, tmp_path: Path) -> None:
    """OpenClaw loads the plugin from where pip has put it."""
    stub = tmp_path / "bin" / "openclaw"
    stub.parent.mkdir()
    stub.write_text("#!/bin/sh\necho OpenClaw 2026.9.6\n")
    stub.chmod(0o755)
    own = {
        "PATH": f"{stub.parent}:/usr/bin:/bin",
        "PYTHONPATH": str(tmp_path / "libraries"),
        "OPENCLAW_STATE_DIR": str(tmp_path),
    }
    command = [str(installed / "bin" / "memud"), "openclaw", "install", "--yes"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={**clean_env(), **own})
    assert done.returncode == 0, done.stderr
    plugins = json.loads((tmp_path / "openclaw.json").read_text())["plugins"]
    assert plugins["load"]["paths"] == [str(installed / "share" / "memud" / "openclaw")]


@pytest.mark.slow
def test_the_installed_command_finds_nothing_in_the_checkout(installed: Path, tmp_path: Path) -> None:
    """Where our modules are imported from."""
    where = [
        installed / "bin" / "python",
        "-c",
        "import memory, cli, memud_client; print(memory.__path__[0])",
    ]
    libraries = {**os.environ, "PYTHONPATH": ""}
    found = subprocess.run(
        [str(part) for part in where], capture_output=True, text=True, cwd=tmp_path, env=libraries
    )
    assert found.stdout.startswith(str(installed)), found.stderr


@pytest.mark.slow
def test_the_wheel_brings_everything_that_is_read_at_run_time(wheels: list[Path], installed: Path) -> None:
    """Migrations, defaults, word lists and systemd units are in it; tests, benchmarks and secrets are not."""
    (wheel,) = [wheel for wheel in wheels if wheel.name.startswith("memud-")]
    names = zipfile.ZipFile(wheel).namelist()
    data = {
        str(file.relative_to(ROOT))
        for room in ("cli", "config", "daemon", "jobs", "memory", "migrations")
        for file in (ROOT / room).rglob("*")
        if file.is_file() and file.suffix in {".sql", ".toml", ".txt", ".npy", ".md", ".json"}
    }
    tracked = set(
        subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True).stdout.split("\n")
    )
    assert data & tracked <= set(names)
    assert not [name for name in names if name.startswith(("tests/", "bench/", "plugins/"))]
    units = installed / "share" / "memud" / "systemd"
    assert {path.relative_to(units) for path in units.rglob("*.service")} == {
        path.relative_to(ROOT / "systemd") for path in (ROOT / "systemd").rglob("*.service")
    }
