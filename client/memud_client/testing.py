"""A stand-in daemon on a real socket, to test what speaks to memud without starting it."""

import json
import socket
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

Answers = Mapping[str, Any]
"""A method's result, or a function from its parameters to the result; a RefusedError is sent as an error."""


class RefusedError(Exception):
    """Raised by an answer to refuse the call: a JSON-RPC code, a message and what stands in `data`."""

    def __init__(self, message: str, code: int = -32000, **data: Any) -> None:
        super().__init__(message)
        self.frame = {"code": code, "message": message, "data": data}


class Connection:
    """One client's connection as the stand-in sees it. `number` counts connections from 0."""

    def __init__(self, connected: socket.socket, number: int) -> None:
        self.number = number
        self._socket = connected
        self._lines = connected.makefile("rb")

    def read(self) -> dict[str, Any] | None:
        """The next request, or None when the client has gone."""
        try:
            line = self._lines.readline()
        except OSError:
            return None
        return json.loads(line) if line.endswith(b"\n") else None

    def send(self, data: bytes) -> None:
        """Bytes as they are; a client that has gone is no fault."""
        try:
            self._socket.sendall(data)
        except OSError:
            self.hang_up()

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """A message nobody asked for."""
        self.send(_line({"jsonrpc": "2.0", "method": method, "params": params}))

    def reply(self, request: Mapping[str, Any], result: Any) -> None:
        """The answer to a request."""
        self.send(_line({"jsonrpc": "2.0", "id": request["id"], "result": result}))

    def refuse(self, request: Mapping[str, Any], error: RefusedError) -> None:
        """An error as the answer to a request."""
        self.send(_line({"jsonrpc": "2.0", "id": request["id"], "error": error.frame}))

    def hang_up(self) -> None:
        """End the connection; whoever reads from it is woken."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            return

    def close(self) -> None:
        """End the connection and give its parts back."""
        self.hang_up()
        self._lines.close()
        self._socket.close()


class SocketServer:
    """Listens on a real Unix socket; `talk` serves each connection in a thread of its own."""

    def __init__(self, path: Path, talk: Callable[[Connection], None]) -> None:
        self.path = path
        self._talk = talk
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._connections: list[Connection] = []
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        self._listening.bind(str(self.path))
        self._listening.listen()
        self._start(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Hang up on everybody, as a daemon that was killed does; the socket file is gone."""
        if self._listening.fileno() < 0:
            return
        self.path.unlink(missing_ok=True)
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._threads[0].join()
        for connection in self._connections:
            connection.hang_up()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                connected, _ = self._listening.accept()
            except OSError:
                return
            connection = Connection(connected, len(self._connections))
            self._connections.append(connection)
            self._start(self._serve, connection)

    def _serve(self, connection: Connection) -> None:
        self._talk(connection)
        connection.close()

    def _start(self, work: Callable[..., None], *parts: Any) -> None:
        thread = threading.Thread(target=work, args=parts, daemon=True)
        self._threads.append(thread)
        thread.start()


class StubDaemon(SocketServer):
    """Answers every method as it was told; `calls` lists what it was asked, in order."""

    def __init__(self, path: Path, answers: Answers) -> None:
        super().__init__(path, self._answer_all)
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self._answers = answers

    def _answer_all(self, connection: Connection) -> None:
        while (request := connection.read()) is not None:
            self._answer(connection, request)

    def _answer(self, connection: Connection, request: Mapping[str, Any]) -> None:
        method, params = request["method"], request.get("params", {})
        self.calls.append((method, params))
        try:
            if method not in self._answers:
                raise RefusedError(f"unknown method {method}", -32601, reason="unknown_method")
            answer = self._answers[method]
            connection.reply(request, answer(params) if callable(answer) else answer)
        except RefusedError as error:
            connection.refuse(request, error)


def _line(frame: Mapping[str, Any]) -> bytes:
    return json.dumps(frame, ensure_ascii=False).encode() + b"\n"
