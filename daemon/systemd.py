"""What systemd and a service tell each other: readiness, the watchdog, and sockets handed over."""

import os
import socket
from collections.abc import Mapping, MutableMapping

_FIRST_DESCRIPTOR = 3
_SEND_TIMEOUT_S = 0.1


class Notifier:
    """Tells systemd how the service is; without NOTIFY_SOCKET in `env` it tells nobody."""

    def __init__(self, env: Mapping[str, str]) -> None:
        address = env.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address

    def ready(self, status: str) -> bool:
        """The service serves; `status` is shown by `systemctl status`."""
        return self._send(f"READY=1\nSTATUS={status}")

    def alive(self) -> bool:
        """Feed the watchdog."""
        return self._send("WATCHDOG=1")

    def stopping(self) -> bool:
        """The service stops."""
        return self._send("STOPPING=1")

    def _send(self, message: str) -> bool:
        """False: nobody is listening, or can't take it now."""
        if not self._address:
            return False
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.settimeout(_SEND_TIMEOUT_S)
            try:
                sender.sendto(message.encode(), self._address)
            except OSError:
                return False
        return True


def watchdog_period_s(env: Mapping[str, str], pid: int) -> float | None:
    """How often to feed the watchdog: a third of its patience; None if it does not watch this process."""
    microseconds, watched = env.get("WATCHDOG_USEC", ""), env.get("WATCHDOG_PID", str(pid))
    if not microseconds.isdecimal() or int(microseconds) == 0 or watched != str(pid):
        return None
    return int(microseconds) / 3e6


def take_descriptors(env: MutableMapping[str, str], pid: int) -> list[int]:
    """The listening sockets meant for this process. `env` forgets them, so that no child takes them again."""
    meant_for, number = env.pop("LISTEN_PID", ""), env.pop("LISTEN_FDS", "")
    env.pop("LISTEN_FDNAMES", None)
    if meant_for != str(pid) or not number.isdecimal():
        return []
    descriptors = list(range(_FIRST_DESCRIPTOR, _FIRST_DESCRIPTOR + int(number)))
    for descriptor in descriptors:
        os.set_inheritable(descriptor, False)
    return descriptors
