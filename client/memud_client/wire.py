"""The protocol without a socket, shared by both clients: requests to lines, lines to messages."""

import inspect
import json
import random
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast, get_args

from memud_client.errors import (
    DisconnectedError,
    InvalidError,
    MemudError,
    ProtocolError,
    TimedOutError,
    UnreachableError,
    from_reply,
)
from memud_client.types.proactive import Notice

Answer = TypeVar("Answer")
Sent = TypeVar("Sent", bound=Callable[..., Any])

MAX_REQUEST_BYTES = 4 * 1024 * 1024
MAX_REPLY_BYTES = 64 * 1024 * 1024

_REPEATABLE = frozenset(
    {
        "hello",
        "recall",
        "retrieve",
        "search",
        "recall.log",
        "list",
        "get_all",
        "get",
        "history",
        "update",
        "pin",
        "explain",
        "proactive.list",
        "proactive.stats",
        "subscribe",
        "session.compact",
        "session.resume",
        "categories.list",
        "resources.get",
        "stats",
        "health",
        "metrics",
        "queue.list",
    }
)
"""Methods whose second effect equals their first."""

_CAPTURES = frozenset({"capture", "memorize", "retain"})


@dataclass(frozen=True, slots=True)
class Request(Generic[Answer]):
    """One call; `Answer` is the type of its result. `scoped`: the client's own user is filled in."""

    method: str
    params: Mapping[str, Any]
    scoped: bool = True

    @property
    def is_repeatable(self) -> bool:
        """Whether it may be sent again when the answer was lost. A capture may if each event has a key."""
        if self.method in _CAPTURES:
            events = self.params.get("events")
            return isinstance(events, list) and all(_has_key(event) for event in events)
        return self.method in _REPEATABLE

    def for_user(self, user_id: str | None) -> "Request[Answer]":
        """The same call with the client's user, unless it names its own."""
        if user_id is None or not self.scoped or "user_id" in self.params:
            return self
        return Request(self.method, {**self.params, "user_id": user_id}, self.scoped)


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to the request of this id; None when the daemon could not read the request."""

    request_id: int | None
    result: Any = None
    error: MemudError | None = None

    def value(self) -> Any:
        """The result; raises the error if it is one."""
        if self.error is not None:
            raise self.error
        return self.result


@dataclass(frozen=True, slots=True)
class Notification:
    """A message nobody asked for: what a subscription brings."""

    method: str
    params: Mapping[str, Any]


Message = Reply | Notification


def encode(request: Request[Any], request_id: int) -> bytes:
    """The request as one line.

    Raises InvalidError for what JSON can't hold and for a line that the daemon would refuse.
    """
    frame = {"jsonrpc": "2.0", "id": request_id, "method": request.method, "params": dict(request.params)}
    line = _dump(frame) + b"\n"
    if len(line) > MAX_REQUEST_BYTES:
        raise InvalidError(
            f"{request.method} has {len(line)} bytes, {MAX_REQUEST_BYTES} are allowed",
            hint="Send fewer events in one call.",
        )
    return line


def encode_notification(method: str, params: Mapping[str, Any]) -> bytes:
    """A request that wants no answer, as one line."""
    return _dump({"jsonrpc": "2.0", "method": method, "params": params}) + b"\n"


def with_keys(events: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The events, each with a key, so that a second delivery is a duplicate and not a second memory."""
    return [event if _has_key(event) else {**event, "key": uuid.uuid4().hex} for event in events]


class Inbox:
    """Cuts the byte stream into messages; keeps what is not yet a whole line."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._searched = 0

    def feed(self, chunk: bytes) -> Iterator[Message]:
        """The messages that `chunk` completes. Raises ProtocolError if one can't be read."""
        self._buffer += chunk
        while (end := self._buffer.find(b"\n", self._searched)) >= 0:
            line = bytes(self._buffer[:end])
            del self._buffer[: end + 1]
            self._searched = 0
            if line.strip():
                yield from _decode(line)
        self._searched = len(self._buffer)
        if self._searched > MAX_REPLY_BYTES:
            raise ProtocolError(f"a line of the daemon is longer than {MAX_REPLY_BYTES} bytes")


class Subscription:
    """What a subscriber asked for and how far it came; survives the connections it is served over."""

    def __init__(self, request: Request[Any]) -> None:
        self._request = request
        self._cursor: Any = request.params.get("cursor")

    def request(self) -> Request[Any]:
        """The request that goes on after the last notification taken."""
        params = dict(self._request.params)
        if self._cursor is not None:
            params["cursor"] = self._cursor
        return Request(self._request.method, params)

    def take(self, message: Message) -> Notice | None:
        """The notice, or None for what is none. Raises the error of a refused subscription.

        Raises DisconnectedError when the daemon left notices out: a new connection brings them.
        """
        if isinstance(message, Reply):
            self._cursor = message.value()["cursor"]
            return None
        if message.method == "lagged":
            raise DisconnectedError("this subscriber read too slowly; the daemon left notices out")
        if message.method != "event":
            return None
        self._cursor = message.params["cursor"]
        return cast(Notice, message.params)


def pauses_s() -> Iterator[float]:
    """How long to wait before each try to reach a daemon that went away: growing, jittered, capped."""
    pause_s = 0.02
    while True:
        yield pause_s * random.uniform(0.5, 1.0)  # noqa: S311 - spreads clients, guards no secret
        pause_s = min(pause_s * 2, 5.0)


def lost(path: Path) -> DisconnectedError:
    """The error of a connection that ended before the answer."""
    return DisconnectedError(
        f"the daemon at {path} hung up before it answered",
        hint="See `memud status`; a capture with keys can be sent again without harm.",
    )


def unreachable(path: Path, cause: OSError) -> UnreachableError:
    """The error of a socket where nobody answers."""
    return UnreachableError(
        f"no memud daemon at {path}: {cause.strerror or cause}",
        hint="Start it with `memud run` or `systemctl --user start memud`, or name another socket.",
    )


def timed_out() -> TimedOutError:
    """The error of an answer that did not come in time."""
    return TimedOutError(
        "no answer in time", hint="Give the client a longer timeout_s, or see `memud status`."
    )


def like(build: Callable[..., Any], send: Sent) -> Sent:
    """`send`, a client's method, with the name, words and signature of what builds its request."""
    signature = inspect.signature(build)
    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    send.__doc__, send.__name__ = build.__doc__, build.__name__
    (answer,) = get_args(signature.return_annotation)
    parameters = [itself, *signature.parameters.values()]
    vars(send)["__signature__"] = signature.replace(parameters=parameters, return_annotation=answer)
    return send


def _has_key(event: object) -> bool:
    # What is not an event at all gets no key either: the daemon skips it with a reason.
    return not isinstance(event, Mapping) or event.get("key") is not None


def _dump(frame: Mapping[str, Any]) -> bytes:
    try:
        text = json.dumps(frame, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidError(f"{frame['method']}: {error}", hint="Send plain JSON values.") from error
    try:
        return text.encode()
    except UnicodeEncodeError:
        # Half a surrogate pair: escaped it reaches the daemon, which skips that one event with its reason.
        return json.dumps(frame, separators=(",", ":")).encode()


def _decode(line: bytes) -> Iterator[Message]:
    try:
        frame = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(
            "the daemon sent a line that is not JSON", hint="Is this memud's socket?"
        ) from error
    for part in frame if isinstance(frame, list) else [frame]:
        yield _message(part)


def _message(frame: Any) -> Message:
    if not isinstance(frame, dict):
        raise ProtocolError("the daemon sent a JSON value that is no message", hint="Is this memud's socket?")
    if isinstance(frame.get("method"), str):
        return Notification(frame["method"], frame.get("params") or {})
    error = frame.get("error")
    return Reply(frame.get("id"), frame.get("result"), from_reply(error) if isinstance(error, dict) else None)
