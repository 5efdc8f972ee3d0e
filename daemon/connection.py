"""One peer's connection: reads lines, runs their calls side by side, sends the answers as they come."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

from daemon.answers import Answers
from daemon.call import RunningCall, check_binding
from daemon.faults import guarded
from daemon.lines import Lines
from daemon.peer import uid_of
from daemon.protocol.connection import CancelParams, CancelResult, HelloParams, HelloResult
from daemon.protocol.errors import GivenUpError, LineTooLongError, RequestError
from daemon.protocol.frames import (
    Call,
    Refusal,
    read_line,
    write_error,
    write_notification,
    write_result,
)
from daemon.protocol.params import read_params
from daemon.sender import Sender
from daemon.service import Service
from memory.errors import MemudError


class Connection:
    """A peer, from its first line to its last answer. At most `max_in_flight` calls run at a time.

    More than that stay unread in the socket, so that a peer can't fill the daemon's memory.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, service: Service) -> None:
        settings = service.settings
        self._service = service
        self._uid = uid_of(writer.get_extra_info("socket"))
        self._lines = Lines(reader, settings.max_line_bytes, settings.partial_line_timeout_s)
        self._sender = Sender(writer, settings.write_timeout_s, service.max_notifications)
        self._slots = asyncio.Semaphore(settings.max_in_flight)
        self._in_flight: set[RunningCall] = set()
        self._background = asyncio.TaskGroup()
        self._started: set[asyncio.Task[None]] = set()
        self._bound_user: str | None = None
        self._own: dict[str, Callable[[bytes], object]] = {"hello": self._greet, "cancel": self._cancel}

    @property
    def uid(self) -> int | None:
        """See Subscriber."""
        return self._uid

    async def run(self) -> None:
        """Serve the peer until it ends, misbehaves or `stop` is called; then every call is answered."""
        try:
            async with self._background:
                self.start(self._sender.pump())
                async with asyncio.TaskGroup() as calls:
                    with suppress(ConnectionError):
                        await self._read(calls)
                for task in self._started:
                    task.cancel()
        finally:
            await self._sender.close()

    def stop(self) -> None:
        """Answer what has arrived, then end."""
        self._lines.stop()

    def give_up(self, reason: MemudError) -> None:
        """Answer all calls in flight with this error."""
        for call in self._in_flight:
            call.give_up(reason)

    def abort(self) -> None:
        """Hang up at once; what is in flight ends unanswered."""
        self._sender.abort()

    async def send_notification(self, method: str, params: object) -> bool:
        """See Subscriber."""
        return self._sender.notify(write_notification(method, params))

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """See Subscriber."""
        task = self._background.create_task(self._watched(coroutine))
        self._started.add(task)
        task.add_done_callback(self._started.discard)

    async def _watched(self, coroutine: Coroutine[Any, Any, None]) -> None:
        try:
            with guarded("subscribe"):
                await coroutine
        except MemudError:
            self.abort()

    async def _read(self, calls: asyncio.TaskGroup) -> None:
        while True:
            try:
                line = await self._lines.next()
            except LineTooLongError as error:
                await self._sender.send(write_error(None, error))
                continue
            except TimeoutError:
                fault = RequestError("the rest of a line did not come", hint="End each request with LF.")
                return await self._sender.send(write_error(None, fault))
            if line is None:
                return None
            await self._take(line, calls)

    async def _take(self, line: bytes, calls: asyncio.TaskGroup) -> None:
        frame = read_line(line)
        answers = Answers(len(frame.calls), is_batch=frame.is_batch)
        for call in frame.calls:
            prepared = self._prepare(call)
            if isinstance(prepared, RunningCall):
                await self._slots.acquire()
                self._in_flight.add(prepared)
                calls.create_task(self._finish(prepared, answers))
            else:
                await self._send(answers.add(prepared))

    def _prepare(self, call: Call) -> RunningCall | bytes | None:
        """A call to run, or at once its reply (None for a notification's)."""
        if isinstance(call, Refusal):
            return write_error(call.id, call.error)
        try:
            if call.method in self._own:
                result = self._own[call.method](bytes(call.params))
                return None if call.id is None else write_result(call.id, result)
            return RunningCall(call, self._service.method(call.method), self, self._bound_user)
        except MemudError as error:
            return None if call.id is None else write_error(call.id, error)

    async def _finish(self, call: RunningCall, answers: Answers) -> None:
        try:
            reply = await call.reply()
            with suppress(ConnectionError):
                await self._send(answers.add(reply))
        finally:
            self._in_flight.discard(call)
            self._slots.release()

    async def _send(self, line: bytes | None) -> None:
        if line is not None:
            await self._sender.send(line)

    def _greet(self, raw: bytes) -> HelloResult:
        params = read_params(HelloParams, raw)
        check_binding(self._bound_user, params.user_id)
        user_id = params.user_id or self._bound_user
        result = self._service.greet(params, user_id)
        self._bound_user = user_id
        return result

    def _cancel(self, raw: bytes) -> CancelResult:
        wanted = bytes(read_params(CancelParams, raw).id)
        found = [call for call in self._in_flight if call.id == wanted]
        for call in found:
            call.give_up(GivenUpError("the client cancelled the request"))
        return CancelResult(cancelled=bool(found))
