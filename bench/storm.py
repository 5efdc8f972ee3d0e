"""Captures from many connections until the daemon dies under them; remembers what was acknowledged."""

import json
import socket
import threading
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from memud_client import Client

_PIPELINED = 4
_PLACES = ("attic", "cellar", "garage", "office", "kitchen", "studio", "workshop", "hallway")
_COLOURS = ("amber", "crimson", "ivory", "teal", "violet", "olive", "silver", "indigo")


@dataclass
class Sent:
    """Every event that was sent, and which of them were acknowledged as stored or as known."""

    events: dict[str, dict[str, Any]] = field(default_factory=dict)
    acked: set[str] = field(default_factory=set)

    @property
    def in_flight(self) -> set[str]:
        """Sent, and never answered."""
        return self.events.keys() - self.acked


class Storm:
    """Some connections that capture without pause."""

    def __init__(self, socket_path: Path, sent: Sent, rng: Random, connections: int = 4) -> None:
        self._socket_path = socket_path
        self._sent = sent
        self._seeds = [rng.getrandbits(32) for _ in range(connections)]
        self._acks = 0
        self._changed = threading.Condition()
        self._threads = [threading.Thread(target=self._capture, args=(seed,)) for seed in self._seeds]

    def begin(self) -> None:
        """Let the connections send."""
        for thread in self._threads:
            thread.start()

    def wait_for(self, acks: int, timeout_s: float = 60.0) -> None:
        """Return when so many events are acknowledged."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._acks >= acks, timeout_s):
                raise TimeoutError(f"{self._acks} of {acks} events were acknowledged")

    def end(self) -> None:
        """Wait until every connection has seen the daemon go."""
        for thread in self._threads:
            thread.join()

    def _capture(self, seed: int) -> None:
        rng = Random(seed)  # noqa: S311 - no secrets
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connected:
                connected.connect(str(self._socket_path))
                with connected.makefile("rb") as answers:
                    number = 0
                    while self._talk(connected, answers, f"{seed:x}-{number}", rng):
                        number += 1
        except OSError:
            return  # the daemon was killed: what was in flight stays unanswered

    def _talk(self, connected: socket.socket, answers: Any, name: str, rng: Random) -> bool:
        """Some pipelined calls and their answers; False when the daemon has gone."""
        calls = {
            n: [_event(f"{name}-{n}-{k}", rng) for k in range(rng.choice([1, 1, 3]))]
            for n in range(_PIPELINED)
        }
        with self._changed:
            for events in calls.values():
                self._sent.events.update({event["key"]: event for event in events})
        connected.sendall(b"".join(_line(n, events, f"s{rng.randrange(6)}") for n, events in calls.items()))
        for _ in calls:
            line = answers.readline()
            if not line.endswith(b"\n"):
                return False
            self._note(json.loads(line), calls)
        return True

    def _note(self, reply: dict[str, Any], calls: dict[int, list[dict[str, Any]]]) -> None:
        if "result" not in reply:
            return  # busy: nothing was stored
        assert reply["result"]["skipped"] == []
        keys = [event["key"] for event in calls[reply["id"]]]
        with self._changed:
            self._sent.acked.update(keys)
            self._acks += len(keys)
            self._changed.notify_all()


def resend(client: Client, sent: Sent) -> tuple[int, int]:
    """Send everything again, as a client whose answers were lost does; afterwards all is acknowledged.

    (acknowledged before, and lost all the same; never acknowledged, and stored all the same)
    """
    lost = _accepted(client, sent, sorted(sent.acked))
    in_flight = sorted(sent.in_flight)
    known = len(in_flight) - _accepted(client, sent, in_flight)
    sent.acked.update(in_flight)
    return lost, known


def _accepted(client: Client, sent: Sent, keys: list[str]) -> int:
    count = 0
    for start in range(0, len(keys), 400):
        reply = client.capture([sent.events[key] for key in keys[start : start + 400]], session_id="resent")
        count += reply["accepted"]
    return count


def _event(key: str, rng: Random) -> dict[str, Any]:
    place, colour = rng.choice(_PLACES), rng.choice(_COLOURS)
    words = f"I decided to paint the {place} {colour}, tin {rng.randrange(10**6)}."
    return {"key": key, "role": "user", "content": words}


def _line(number: int, events: list[dict[str, Any]], session_id: str) -> bytes:
    params = {"events": events, "session_id": session_id}
    request = {"jsonrpc": "2.0", "id": number, "method": "capture", "params": params}
    return json.dumps(request).encode() + b"\n"
