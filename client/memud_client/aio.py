"""The client for asyncio: one connection that any number of tasks share; answers may come in any order."""

import asyncio
import os
import socket
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, Unpack, cast

from memud_client import requests, types
from memud_client.errors import ClosedError, DisconnectedError, MemudError, ProtocolError, UnreachableError
from memud_client.hangup import has_hung_up
from memud_client.paths import default_socket_path
from memud_client.wire import (
    Inbox,
    Message,
    Notification,
    Reply,
    Request,
    Subscription,
    encode,
    encode_notification,
    like,
    lost,
    pauses_s,
    timed_out,
    unreachable,
)

Params = ParamSpec("Params")
Answer = TypeVar("Answer")

_MAX_WAITING = 256
"""Past it the socket is not read on, so that a slow subscriber does not fill its own memory."""


def _method(
    build: Callable[Params, Request[Answer]],
) -> "Callable[Concatenate[AsyncClient, Params], Awaitable[Answer]]":
    def send(self: "AsyncClient", /, *args: Params.args, **kwargs: Params.kwargs) -> Awaitable[Answer]:
        return self.send(build(*args, **kwargs))

    return like(build, send)


class AsyncClient:
    """A connection to the daemon for one event loop; the async twin of `Client`, with the same promises.

    Calls of many tasks travel side by side over it. Cancelling a task gives up its own call alone.
    """

    def __init__(
        self,
        socket_path: Path | str | None = None,
        *,
        user_id: str | None = None,
        timeout_s: float | None = 30.0,
        connect_timeout_s: float = 5.0,
    ) -> None:
        self.socket_path = Path(socket_path) if socket_path else default_socket_path(os.environ)
        self._user_id = user_id
        self._timeout_s = timeout_s
        self._connect_timeout_s = connect_timeout_s
        self._opening = asyncio.Lock()
        self._link: _Calls | None = None
        self._last_id = 0
        self._is_closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """End the connection. Calls after it raise ClosedError, calls in flight DisconnectedError."""
        self._is_closed = True
        if self._link is not None:
            self._link.close()

    async def call(self, method: str, **params: Any) -> Any:
        """Any method of the protocol by its name, with its parameters as they are."""
        return await self.send(Request(method, params))

    async def send(self, request: Request[Answer]) -> Answer:
        """Send one request and wait for its result.

        Raises the error the daemon names, UnreachableError when no daemon is there, TimedOutError
        after `timeout_s`.
        """
        self._last_id += 1
        request_id = self._last_id
        line = encode(request.for_user(self._user_id), request_id)
        try:
            reply = await self._exchange(line, request_id)
        except DisconnectedError:
            if self._is_closed or not request.is_repeatable:
                raise
            reply = await self._exchange(line, request_id)
        result: Answer = reply.value()
        return result

    async def subscribe(
        self,
        topics: Iterable[types.Topic] = ("proactive", "compaction", "health"),
        **options: Unpack[types.SubscribeOptions],
    ) -> AsyncGenerator[types.Notice, None]:
        """Notices as they come, over a connection of their own; ends only when it is closed.

        After a broken connection it goes on behind the last notice taken, however long the daemon
        was away. Delivery is at least once. Raises UnreachableError if there is no daemon at the start.
        Wrap it in `contextlib.aclosing` if you leave the loop early.
        """
        wanted = Subscription(requests.subscribe(topics, **options).for_user(self._user_id))
        link = await self._connect(_Feed)
        while True:
            with closing(link), suppress(DisconnectedError):
                link.send(encode(wanted.request(), 1))
                while True:
                    notice = wanted.take(await link.receive())
                    if notice is not None:
                        yield notice
            link = await self._wait_for_daemon(_Feed)

    async def _exchange(self, line: bytes, request_id: int) -> Reply:
        link = await self._open_link()
        try:
            async with asyncio.timeout(self._timeout_s):
                return await link.ask(line, request_id)
        except TimeoutError as error:
            raise timed_out() from error

    async def _open_link(self) -> "_Calls":
        async with self._opening:
            if self._is_closed:
                raise ClosedError("the client is closed")
            if self._link is None:
                self._link = await self._connect(_Calls)
            elif self._link.has_ended:
                self._link = await self._reconnect()
            return self._link

    async def _reconnect(self) -> "_Calls":
        try:
            async with asyncio.timeout(self._connect_timeout_s):
                return await self._wait_for_daemon(_Calls)
        except TimeoutError as error:
            raise unreachable(self.socket_path, error) from error

    async def _wait_for_daemon(self, kind: "type[Kind]") -> "Kind":
        pauses = pauses_s()
        while True:
            await asyncio.sleep(next(pauses))
            try:
                return await self._connect(kind)
            except UnreachableError:
                if self._is_closed:
                    raise

    async def _connect(self, kind: "type[Kind]") -> "Kind":
        connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connected.setblocking(False)
        try:
            async with asyncio.timeout(self._connect_timeout_s):
                return await self._wrap(connected, kind)
        except OSError as error:
            connected.close()
            raise unreachable(self.socket_path, error) from error
        except asyncio.CancelledError:
            connected.close()
            raise

    async def _wrap(self, connected: socket.socket, kind: "type[Kind]") -> "Kind":
        loop = asyncio.get_running_loop()
        await loop.sock_connect(connected, str(self.socket_path))
        _, link = await loop.create_unix_connection(lambda: kind(self.socket_path, connected), sock=connected)
        return link

    hello = _method(requests.hello)
    capture = _method(requests.capture)
    recall = _method(requests.recall)
    search = _method(requests.search)
    recall_log = _method(requests.recall_log)
    add = _method(requests.add)
    list = _method(requests.list_items)
    get = _method(requests.get)
    history = _method(requests.history)
    update = _method(requests.update)
    forget = _method(requests.forget)
    restore = _method(requests.restore)
    pin = _method(requests.pin)
    explain = _method(requests.explain)
    proactive_list = _method(requests.proactive_list)
    proactive_next = _method(requests.proactive_next)
    proactive_resolve = _method(requests.proactive_resolve)
    proactive_stats = _method(requests.proactive_stats)
    session_compact = _method(requests.session_compact)
    session_resume = _method(requests.session_resume)
    categories_list = _method(requests.categories_list)
    resources_get = _method(requests.resources_get)
    stats = _method(requests.stats)
    health = _method(requests.health)
    metrics = _method(requests.metrics)
    queue_list = _method(requests.queue_list)
    queue_retry = _method(requests.queue_retry)
    queue_drop = _method(requests.queue_drop)
    agent_report = _method(requests.agent_report)
    notes_take = _method(requests.notes_take)
    notes_list = _method(requests.notes_list)
    notes_forget = _method(requests.notes_forget)
    export_records = _method(requests.export_records)
    import_records = _method(requests.import_records)
    job_run = _method(requests.job_run)


class _Link(asyncio.Protocol, ABC):
    """One connected socket; needs no task of its own, the loop calls it when bytes arrive."""

    def __init__(self, path: Path, connected: socket.socket) -> None:
        self._has_ended = False
        self._path = path
        self._socket = connected
        self._inbox = Inbox()
        self._transport: asyncio.Transport | None = None
        self._fault: MemudError | None = None

    @property
    def has_ended(self) -> bool:
        """Whether either side hung up; the loop may not have noticed yet."""
        return self._has_ended or has_hung_up(self._socket)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by the loop."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Called by the loop."""
        try:
            for message in self._inbox.feed(data):
                self._take(message)
        except ProtocolError as error:
            self._fault = error
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by the loop."""
        self._has_ended = True
        self._wake()

    def send(self, line: bytes) -> None:
        """Hand a line to the socket."""
        if self._transport is None or self._has_ended:
            raise self._end()
        self._transport.write(line)

    def close(self) -> None:
        """Hang up."""
        self._has_ended = True
        if self._transport is not None:
            self._transport.close()

    def _end(self) -> MemudError:
        return self._fault or lost(self._path)

    @abstractmethod
    def _take(self, message: Message) -> None:
        """What to do with a message."""

    @abstractmethod
    def _wake(self) -> None:
        """Tell all who wait that nothing comes any more."""


class _Calls(_Link):
    """A connection for requests and their answers."""

    def __init__(self, path: Path, connected: socket.socket) -> None:
        super().__init__(path, connected)
        self._asked: dict[int, asyncio.Future[Reply]] = {}

    async def ask(self, line: bytes, request_id: int) -> Reply:
        """Send a request and wait for its own answer. Raises DisconnectedError when the daemon hangs up."""
        self._asked[request_id] = asyncio.get_running_loop().create_future()
        try:
            self.send(line)
            return await self._asked[request_id]
        except asyncio.CancelledError:
            self._give_up(request_id)
            raise
        finally:
            del self._asked[request_id]

    def _give_up(self, request_id: int) -> None:
        # A notification: the daemon stops the work, and nobody waits for its answer.
        if not self._has_ended:
            self.send(encode_notification("cancel", {"id": request_id}))

    def _take(self, message: Message) -> None:
        if isinstance(message, Notification):
            return
        # Without an id the daemon could not read a line of ours and can't tell which: all have to know.
        ids = list(self._asked) if message.request_id is None else [message.request_id]
        for request_id in ids:
            # The asker of a late answer is gone.
            future = self._asked.get(request_id)
            if future is not None and not future.done():
                future.set_result(message)

    def _wake(self) -> None:
        for future in self._asked.values():
            if not future.done():
                future.set_exception(self._end())


class _Feed(_Link):
    """A connection for one subscription."""

    def __init__(self, path: Path, connected: socket.socket) -> None:
        super().__init__(path, connected)
        self._waiting: deque[Message] = deque()
        self._changed = asyncio.Event()

    async def receive(self) -> Message:
        """The next message, in order. Raises DisconnectedError when the daemon hangs up."""
        while not self._waiting:
            if self._has_ended:
                raise self._end()
            self._changed.clear()
            await self._changed.wait()
        message = self._waiting.popleft()
        if self._transport is not None and not self._has_ended:
            self._transport.resume_reading()
        return message

    def _take(self, message: Message) -> None:
        self._waiting.append(message)
        self._changed.set()
        if len(self._waiting) >= _MAX_WAITING and self._transport is not None:
            self._transport.pause_reading()

    def _wake(self) -> None:
        self._changed.set()


Kind = TypeVar("Kind", bound=_Link)
