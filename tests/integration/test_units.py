"""The systemd units, read by systemd itself."""

import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
USER_UNITS = (SYSTEMD / "memud.service", SYSTEMD / "memud.socket")
SYSTEM_UNITS = (SYSTEMD / "system" / "memud.service", SYSTEMD / "system" / "memud.socket")
DRAIN_S = 15

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def install(units: tuple[Path, ...], folder: Path) -> list[str]:
    """The units as they would lie in systemd's folder, calling a program that exists."""
    program = folder / "memud"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    for unit in units:
        (folder / unit.name).write_text(unit.read_text().replace("@MEMUD@", str(program)))
    return [str(folder / unit.name) for unit in units]


def analyze(*arguments: str, runtime: Path) -> subprocess.CompletedProcess[str]:
    """systemd-analyze with an environment of its own."""
    env = {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "XDG_RUNTIME_DIR": str(runtime), "HOME": str(runtime)}
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, env=env)


@needs_systemd
@pytest.mark.parametrize(
    ("units", "manager"), [(USER_UNITS, "--user"), (SYSTEM_UNITS, "--system")], ids=["user", "system"]
)
def test_systemd_accepts_the_units(units: tuple[Path, ...], manager: str, tmp_path: Path) -> None:
    """Neither error nor warning about a unit of ours."""
    answer = analyze(manager, "verify", *install(units, tmp_path), runtime=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert "memud" not in answer.stderr


@needs_systemd
def test_the_strict_drop_in_fits_the_user_unit(tmp_path: Path) -> None:
    """systemd accepts the unit with the optional sandbox on top."""
    service, _ = install(USER_UNITS, tmp_path)
    drop_ins = tmp_path / "memud.service.d"
    drop_ins.mkdir()
    shutil.copy(SYSTEMD / "dropins" / "strict.conf", drop_ins)
    answer = analyze("--user", "verify", service, runtime=tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert "memud" not in answer.stderr


@needs_systemd
def test_the_system_unit_stays_a_closed_box(tmp_path: Path) -> None:
    """The exposure that systemd counts stays at 1.5 of 10 or below."""
    service, _ = install(SYSTEM_UNITS, tmp_path)
    answer = analyze("security", "--offline=true", "--threshold=15", service, runtime=tmp_path)
    assert answer.returncode == 0, answer.stdout


def section(path: Path, name: str) -> dict[str, str]:
    """One section of a unit; of repeated keys the last."""
    parser = ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign] # systemd's keys keep their case
    parser.read(path)
    return dict(parser[name])


@pytest.mark.parametrize("service", [USER_UNITS[0], SYSTEM_UNITS[0]], ids=["user", "system"])
def test_the_services_keep_the_contract_of_the_daemon(service: Path) -> None:
    """READY and watchdog are expected, hopeless exits are not repeated, and the drain is waited for."""
    settings = section(service, "Service")
    assert settings["Type"] == "notify"
    assert settings["ExecStart"] == "@MEMUD@ run"
    assert settings["RestartPreventExitStatus"].split() == ["64", "75", "78"]
    assert int(settings["TimeoutStopSec"].rstrip("s")) > DRAIN_S
    assert int(settings["WatchdogSec"].rstrip("s")) > 0


@pytest.mark.parametrize("socket", [USER_UNITS[1], SYSTEM_UNITS[1]], ids=["user", "system"])
def test_the_sockets_are_their_owners_alone(socket: Path) -> None:
    """Nobody else may connect unless an operator says so."""
    assert section(socket, "Socket")["SocketMode"] == "0600"


def test_the_gateway_never_depends_on_its_memory() -> None:
    """OpenClaw's gateway starts without memud, too."""
    settings = section(SYSTEMD / "dropins" / "openclaw.conf", "Unit")
    assert settings["Wants"] == "memud.socket"
    assert not {"Requires", "BindsTo", "Requisite"} & settings.keys()
