"""The socket's server: whom it lets in, and how it stops."""

import asyncio
from collections.abc import Mapping
from typing import Any

import structlog

from config.settings import ServerSettings
from daemon.connection import Connection
from daemon.faults import guarded
from daemon.listener import Listener, open_listener
from daemon.method import Method
from daemon.peer import is_welcome, uid_of
from daemon.protocol.errors import StoppingError
from daemon.protocol.frames import write_error
from daemon.service import Service
from memory.errors import BusyError, MemudError

_READ_AHEAD_BYTES = 65_536
_LOOK_AT_DOOR_S = 2.0
_LAST_WORDS_S = 1.0
"""How long the error that a call was given up may take to reach its client."""

_log = structlog.get_logger()


class Server:
    """Serves the methods to every welcome peer; `hello` and `cancel` are its own.

    `started` is set once peers are served.
    """

    def __init__(
        self,
        methods: Mapping[str, Method[Any, Any]],
        settings: ServerSettings,
        *,
        version: str,
        max_notifications: int,
    ) -> None:
        self.started = asyncio.Event()
        self._service = Service(methods, settings, version, max_notifications)
        self._connections: dict[Connection, asyncio.Task[None]] = {}
        self._is_idle = asyncio.Event()
        self._is_idle.set()
        self._is_stopping = False
        self._tasks: asyncio.TaskGroup | None = None

    @property
    def peers(self) -> int:
        """How many peers are connected."""
        return len(self._connections)

    async def serve(self, listener: Listener, stop: asyncio.Event) -> None:
        """Serve until `stop`; then let nobody in, answer what is in flight, and close.

        What takes longer than `drain_timeout_s` is answered with `stopping`. Closes the listener.
        """
        async with asyncio.TaskGroup() as self._tasks:
            accepting = await self._accept_from(listener)
            try:
                self.started.set()
                while not await _is_set_within(stop, _LOOK_AT_DOOR_S):
                    again = _opened_again(listener)
                    if again:
                        accepting.close()
                        listener = again
                        accepting = await self._accept_from(listener)
            finally:
                accepting.close()
                listener.remove()
            await self._drain()
        self._tasks = None

    async def _accept_from(self, listener: Listener) -> asyncio.Server:
        # Not start_unix_server: newer Pythons remove the socket file with it, even systemd's.
        return await asyncio.start_server(self._accept, sock=listener.socket, limit=_READ_AHEAD_BYTES)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        settings = self._service.settings
        if self._tasks is None:
            return writer.transport.abort()
        if not is_welcome(uid_of(writer.get_extra_info("socket")), settings.allowed_uids):
            _log.warning("peer_refused", reason="uid")
            return writer.transport.abort()
        if len(self._connections) >= settings.max_connections:
            full = BusyError("too many connections", hint="Close one.", retry_after_ms=1000)
            writer.write(write_error(None, full) + b"\n")
            return writer.close()
        connection = Connection(reader, writer, self._service)
        self._is_idle.clear()
        self._connections[connection] = self._tasks.create_task(self._attend(connection))
        if self._is_stopping:
            connection.stop()  # let in by the kernel before we closed: what it has sent is answered
        return None

    async def _attend(self, connection: Connection) -> None:
        try:
            with guarded("connection"):
                await connection.run()
        except MemudError:
            connection.abort()
        finally:
            del self._connections[connection]
            if not self._connections:
                self._is_idle.set()

    async def _drain(self) -> None:
        self._is_stopping = True
        for connection in self._connections:
            connection.stop()
        if await _is_set_within(self._is_idle, self._service.settings.drain_timeout_s):
            return
        for connection in self._connections:
            connection.give_up(StoppingError("the daemon stops", hint="Connect again and repeat."))
        if await _is_set_within(self._is_idle, _LAST_WORDS_S):
            return
        for connection, task in self._connections.items():
            connection.abort()
            task.cancel("the daemon stops")


def _opened_again(listener: Listener) -> Listener | None:
    """A new socket where somebody deleted the file: a daemon that nobody can reach would lock the store."""
    if not listener.is_lost or listener.path is None:
        return None
    try:
        again = open_listener(listener.path)
    except (MemudError, OSError) as error:
        _log.warning("socket_lost", error=str(error))
        return None
    _log.warning("socket_opened_again")
    return again


async def _is_set_within(event: asyncio.Event, timeout_s: float) -> bool:
    try:
        async with asyncio.timeout(timeout_s):
            return await event.wait()
    except TimeoutError:
        return False
