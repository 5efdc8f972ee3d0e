"""A real daemon on a day that a test chooses: a user talks, the clock goes on, and notices come."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from memud_client import Client
from memud_client.types import Notice

from tests.clocked_daemon import FileClock
from tests.conftest import StartDaemon
from tests.daemons import DaemonProcess

ZONE = "Europe/Berlin"
_PATIENCE_S = 100.0  # thousands of turns may be waited for


def unix(local: str) -> int:
    """Unix seconds of a time in Berlin."""
    return int(datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(ZONE)).timestamp())


class Day:
    """A daemon, its clock, and a user who talks and is told; the daemon looks at its clock all the time."""

    def __init__(self, clock: FileClock, daemon: DaemonProcess) -> None:
        self.clock = clock
        self.daemon = daemon
        self._said = 0

    def say(self, text: str, *, tz: str = ZONE, role: str = "user") -> None:
        """A turn, acknowledged."""
        self.say_all([text], tz=tz, role=role)

    def say_all(self, texts: Sequence[str], *, tz: str = ZONE, role: str = "user") -> None:
        """Turns, acknowledged in one call."""
        events = [
            {"key": f"k{self._said + n}", "role": role, "content": text, "tz": tz}
            for n, text in enumerate(texts)
        ]
        self._said += len(texts)
        with self.daemon.client() as client:
            client.capture(events, session_id="s")

    def told(self, count: int, cursor: int = 0) -> list[Notice]:
        """The first notices behind a cursor, once so many have come."""
        with self.daemon.client() as client:
            notices = client.subscribe(["proactive"], cursor=cursor)
            found = [next(notices) for _ in range(count)]
            notices.close()
            return found

    def texts(self, count: int, cursor: int = 0) -> list[str]:
        """What they say."""
        return [notice["payload"]["text"] for notice in self.told(count, cursor)]

    def wait_for_a_prediction(self, count: int = 1) -> None:
        """Until so many are in the ledger: nobody asked the monitor to look."""
        with self.daemon.client() as client:
            while len(client.proactive_list()["results"]) < count:
                client.health()  # a turn of the daemon's own loop, and no pause

    def settle(self) -> None:
        """Until all turns are worked on and looked at, and the monitor has come round by the clock of now."""
        with Client(self.daemon.socket_path, timeout_s=_PATIENCE_S) as client:
            client.session_compact("s")
            client.job_run("monitor")

    def next(self) -> list[str]:
        """What another channel may still show."""
        with self.daemon.client() as client:
            return [item["text"] for item in client.proactive_next(limit=100)["results"]]


def start_day(start_daemon: StartDaemon, folder: Path, begin: int, **settings: str) -> Day:
    """A daemon whose clock stands at `begin`, and which looks at it all the time."""
    clock = FileClock(folder / "clock")
    clock.set(begin)
    env = {"MEMUD_PROACTIVE__LOOK_S": "0.02", **settings}
    return Day(clock, start_daemon(program=("tests.clocked_daemon", str(folder / "clock")), env=env))
