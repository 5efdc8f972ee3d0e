"""The talk with systemd, over a real datagram socket."""

import os
import socket
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from daemon.systemd import Notifier, take_descriptors, watchdog_period_s


@pytest.fixture(params=["file", "abstract"])
def manager(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    """A socket as systemd has it, and its NOTIFY_SOCKET."""
    address = str(tmp_path / "notify") if request.param == "file" else f"@memud-test-{os.getpid()}"
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as receiver:
        receiver.bind(address.replace("@", "\0"))
        receiver.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        receiver.settimeout(5)
        yield receiver, address


def receive(manager: socket.socket) -> tuple[str, int]:
    """A message, and the process it comes from."""
    message, ancillary, _, _ = manager.recvmsg(4096, 1024)
    return message.decode(), struct.unpack("3i", ancillary[0][2])[0]


def test_systemd_hears_each_message_from_this_very_process(manager: tuple[socket.socket, str]) -> None:
    """READY with its status, WATCHDOG, STOPPING: in order, with our process id as the kernel sees it."""
    receiver, address = manager
    notifier = Notifier({"NOTIFY_SOCKET": address})
    assert notifier.ready("记忆 3")
    assert notifier.alive()
    assert notifier.stopping()
    messages = [receive(receiver) for _ in range(3)]
    assert [text for text, _ in messages] == [
        "READY=1\nSTATUS=记忆 3",
        "WATCHDOG=1",
        "STOPPING=1",
    ]
    assert {pid for _, pid in messages} == {os.getpid()}


def test_without_systemd_nothing_is_sent(tmp_path: Path) -> None:
    """In the foreground, or when nobody listens any more, the daemon just goes on."""
    assert not Notifier({}).ready("serving")
    assert not Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")}).ready("serving")


@pytest.mark.parametrize(
    ("env", "period_s"),
    [
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"}, 10.0),
        ({"WATCHDOG_USEC": "30000000"}, 10.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_the_watchdog_is_fed_three_times_in_its_patience(env: dict[str, str], period_s: float | None) -> None:
    """And only if it watches this process."""
    assert watchdog_period_s(env, pid=7) == period_s


def test_sockets_handed_over_are_taken_once() -> None:
    """The environment forgets them, and other variables stay."""
    env = {"LISTEN_PID": "7", "LISTEN_FDS": "0", "LISTEN_FDNAMES": "memud", "HOME": "/"}
    assert take_descriptors(env, pid=7) == []
    assert env == {"HOME": "/"}


@pytest.mark.parametrize("env", [{"LISTEN_PID": "8", "LISTEN_FDS": "1"}, {"LISTEN_FDS": "1"}, {}])
def test_sockets_of_another_process_are_left_alone(env: dict[str, str]) -> None:
    """A number that a parent meant for itself is not ours."""
    assert take_descriptors(env, pid=7) == []
