"""The client for programs without an event loop: one connection, opened at the first call."""

import os
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, Unpack

from memud_client import requests, types
from memud_client.errors import ClosedError, DisconnectedError, ProtocolError, TimedOutError, UnreachableError
from memud_client.hangup import has_hung_up
from memud_client.paths import default_socket_path
from memud_client.wire import (
    Inbox,
    Message,
    Reply,
    Request,
    Subscription,
    encode,
    like,
    lost,
    pauses_s,
    timed_out,
    unreachable,
)

Params = ParamSpec("Params")
Answer = TypeVar("Answer")

_CHUNK_BYTES = 65_536


def _method(
    build: Callable[Params, Request[Answer]],
) -> "Callable[Concatenate[Client, Params], Answer]":
    def send(self: "Client", /, *args: Params.args, **kwargs: Params.kwargs) -> Answer:
        return self.send(build(*args, **kwargs))

    return like(build, send)


class Client:
    """A connection to the daemon. Safe to share between threads; calls go one after another.

    Nothing is opened before the first call. A connection that broke is opened anew; a call whose answer
    was lost is sent again once if a second delivery has no second effect, else DisconnectedError tells
    that its outcome is unknown. `user_id` is filled into every call that does not name another.
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
        self._lock = threading.Lock()
        self._link: _Link | None = None
        self._last_id = 0
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection. Calls after it raise ClosedError."""
        self._is_closed = True
        self._drop_link()

    def call(self, method: str, **params: Any) -> Any:
        """Any method of the protocol by its name, with its parameters as they are."""
        return self.send(Request(method, params))

    def send(self, request: Request[Answer]) -> Answer:
        """Send one request and wait for its result.

        Raises the error the daemon names, UnreachableError when no daemon is there, TimedOutError
        after `timeout_s`.
        """
        with self._lock:
            self._last_id += 1
            line = encode(request.for_user(self._user_id), self._last_id)
            try:
                reply = self._exchange(self._open_link(), line)
            except DisconnectedError:
                self._drop_link()
                if not request.is_repeatable:
                    raise
                reply = self._exchange(self._reopen_link(), line)
            except TimedOutError:
                # Hanging up makes the daemon give the call up, too.
                self._drop_link()
                raise
        result: Answer = reply.value()
        return result

    def subscribe(
        self,
        topics: Iterable[types.Topic] = ("proactive", "compaction", "health"),
        **options: Unpack[types.SubscribeOptions],
    ) -> Generator[types.Notice, None, None]:
        """Notices as they come, over a connection of their own; ends only when it is closed.

        After a broken connection it goes on behind the last notice taken, however long the daemon
        was away. Delivery is at least once. Raises UnreachableError if there is no daemon at the start.
        """
        wanted = Subscription(requests.subscribe(topics, **options).for_user(self._user_id))
        link = _Link.open(self.socket_path, self._connect_timeout_s)
        while True:
            with closing(link), suppress(DisconnectedError):
                yield from _notices(link, wanted)
            link = self._wait_for_daemon(None)

    def _exchange(self, link: "_Link", line: bytes) -> Reply:
        until = None if self._timeout_s is None else time.monotonic() + self._timeout_s
        link.send(line, until)
        while True:
            message = link.receive(until)
            if isinstance(message, Reply) and message.request_id in (self._last_id, None):
                return message

    def _open_link(self) -> "_Link":
        if self._is_closed:
            raise ClosedError("the client is closed")
        if self._link is not None and self._link.has_ended():
            # The daemon restarted while we were idle; nothing is lost by starting anew.
            self._drop_link()
            return self._reopen_link()
        if self._link is None:
            self._link = _Link.open(self.socket_path, self._connect_timeout_s)
        return self._link

    def _reopen_link(self) -> "_Link":
        self._link = self._wait_for_daemon(time.monotonic() + self._connect_timeout_s)
        return self._link

    def _wait_for_daemon(self, until: float | None) -> "_Link":
        pauses = pauses_s()
        while True:
            time.sleep(next(pauses))
            try:
                return _Link.open(self.socket_path, self._connect_timeout_s)
            except UnreachableError:
                if self._is_closed or (until is not None and time.monotonic() > until):
                    raise

    def _drop_link(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

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


def _notices(link: "_Link", wanted: Subscription) -> Iterator[types.Notice]:
    link.send(encode(wanted.request(), 1), None)
    while True:
        notice = wanted.take(link.receive(None))
        if notice is not None:
            yield notice


class _Link:
    """One connected socket."""

    def __init__(self, connected: socket.socket, path: Path) -> None:
        self._socket = connected
        self._path = path
        self._inbox = Inbox()
        self._ready: deque[Message] = deque()

    @classmethod
    def open(cls, path: Path, timeout_s: float) -> Self:
        """Connect, or raise UnreachableError."""
        connected = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connected.settimeout(timeout_s)
        try:
            connected.connect(str(path))
        except OSError as error:
            connected.close()
            raise unreachable(path, error) from error
        return cls(connected, path)

    def close(self) -> None:
        """Give the socket back."""
        self._socket.close()

    def has_ended(self) -> bool:
        """Whether the daemon hung up while nothing was asked."""
        if self._socket.fileno() < 0:
            return True
        self._socket.settimeout(0)
        return has_hung_up(self._socket)

    def send(self, line: bytes, until: float | None) -> None:
        """Send a whole line."""
        self._limit(until)
        try:
            self._socket.sendall(line)
        except TimeoutError as error:
            # Half a line may be on its way; what follows would be glued to it.
            self.close()
            raise timed_out() from error
        except OSError as error:
            raise lost(self._path) from error

    def receive(self, until: float | None) -> Message:
        """The next message. Raises DisconnectedError when the daemon hangs up."""
        while not self._ready:
            chunk = self._read(until)
            if not chunk:
                raise lost(self._path)
            self._take(chunk)
        return self._ready.popleft()

    def _take(self, chunk: bytes) -> None:
        try:
            self._ready.extend(self._inbox.feed(chunk))
        except ProtocolError:
            self.close()
            raise

    def _read(self, until: float | None) -> bytes:
        self._limit(until)
        try:
            return self._socket.recv(_CHUNK_BYTES)
        except TimeoutError as error:
            raise timed_out() from error
        except OSError as error:
            raise lost(self._path) from error

    def _limit(self, until: float | None) -> None:
        # A timeout of 0 would mean "do not block", so the last moment is a millisecond long.
        self._socket.settimeout(None if until is None else max(until - time.monotonic(), 0.001))
