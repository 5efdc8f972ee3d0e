"""Captures acknowledged a second, synced to the disk, beside Redis with `appendfsync always`; 64 clients.

.venv/bin/python -m bench.run redis     needs redis-server on the path; without it the figure says so.

Both are spoken to in their own protocol over a Unix socket by the same few lines, each client waiting for its
answer before it goes on. They take turns, on the same disk.
"""

import asyncio
import json
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.results import Figures
from bench.running import running

CLIENTS = 64
SECONDS = 4.0
ROUNDS = 4
_START_S = 10.0
_ROOM = {"MEMUD_CAPTURE__MAX_QUEUED": "1000000"}  # it comes faster than facts are drawn

Request = Callable[[int], bytes]
"""The bytes that hand over the text of that number."""


def measure() -> Figures:
    """Acknowledged a second by each, and the ratio in the median round."""
    server = shutil.which("redis-server")
    if server is None:
        return {"skipped": "redis-server is not on the path"}
    with (
        tempfile.TemporaryDirectory(prefix="memud-bench-") as folder,
        _redis(server, Path(folder)) as redis,
        running(Path(folder) / "state", embedder="none", env=_ROOM) as (client, _),
    ):
        socket = Path(client.socket_path)
        rates = [
            (asyncio.run(_rate(socket, _capture)), asyncio.run(_rate(redis, _push))) for _ in range(ROUNDS)
        ]
    return {
        "memud": {"captures/s": round(statistics.median(ours for ours, _ in rates))},
        "redis, appendfsync always": {"pushes/s": round(statistics.median(theirs for _, theirs in rates))},
        "memud / redis": round(statistics.median(ours / theirs for ours, theirs in rates), 2),
    }


async def _rate(socket: Path, request: Request) -> float:
    """How many a second all clients together had acknowledged."""
    end, first = time.monotonic() + SECONDS, time.monotonic_ns()
    counts = await asyncio.gather(*(_client(socket, request, first + place, end) for place in range(CLIENTS)))
    return sum(counts) / SECONDS


async def _client(socket: Path, request: Request, first: int, end: float) -> int:
    """How many it had acknowledged; of the numbers from its first on each 64th is its own."""
    reader, writer = await asyncio.open_unix_connection(str(socket))
    count = 0
    while time.monotonic() < end:
        writer.write(request(first + CLIENTS * count))
        reply = await reader.readline()
        assert b'"accepted":1' in reply or reply.startswith(b":"), reply
        count += 1
    writer.close()
    return count


def _capture(number: int) -> bytes:
    event = {"role": "user", "content": _text(number), "key": str(number)}
    params = {"session_id": f"s{number % CLIENTS}", "events": [event]}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "capture", "params": params}).encode() + b"\n"


def _push(number: int) -> bytes:
    parts = (b"RPUSH", b"events", _text(number).encode())
    return b"*3\r\n" + b"".join(b"$%d\r\n%s\r\n" % (len(part), part) for part in parts)


def _text(number: int) -> str:
    return f"I walked {number} steps along the river today and met nobody whom I know"


@contextmanager
def _redis(server: str, folder: Path) -> Iterator[Path]:
    """A server of our own that listens nowhere but on its socket."""
    socket = folder / "redis.sock"
    options = {"port": "0", "unixsocket": str(socket), "dir": str(folder), "save": ""}
    options |= {"appendonly": "yes", "appendfsync": "always"}
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    process = subprocess.Popen([server, *words], stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + _START_S
        while not socket.exists():
            if time.monotonic() > end:
                raise TimeoutError("redis-server does not start")
            time.sleep(0.02)
        yield socket
    finally:
        process.terminate()
        process.wait(_START_S)
