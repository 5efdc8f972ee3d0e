"""The events of a capture, decoded one by one: a bad one fails alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec import Raw

from config.settings import ServerSettings
from daemon.protocol.capture import Event, Skipped
from daemon.protocol.fields import INT64_MAX, INT64_MIN, Key
from daemon.protocol.params import read_params
from memory.errors import InvalidError, MemudError


@dataclass(frozen=True, slots=True)
class Events:
    """What a capture brought: events with their place in the call, and what can't be kept."""

    events: tuple[tuple[int, Event], ...]
    skipped: tuple[Skipped, ...]


class _TooLargeError(MemudError):
    reason = "too_large"


class _TooDeepError(MemudError):
    reason = "too_deep"


class _Keyed(msgspec.Struct, frozen=True):
    key: Key | None = None


def read_events(raws: Sequence[Raw], limits: ServerSettings) -> Events:
    """Every event that can be read, in order. Raises InvalidError when there are too many."""
    if len(raws) > limits.max_events:
        raise InvalidError(
            f"{len(raws)} events in one call; {limits.max_events} are allowed",
            hint="Send them in several calls.",
        )
    events: list[tuple[int, Event]] = []
    skipped: list[Skipped] = []
    for index, raw in enumerate(raws):
        try:
            events.append((index, _read_event(bytes(raw), limits)))
        except MemudError as error:
            reason = "invalid" if error.reason == "parse" else error.reason
            skipped.append(Skipped(key=_find_key(bytes(raw)), reason=reason, index=index, detail=str(error)))
    return Events(tuple(events), tuple(skipped))


def _read_event(raw: bytes, limits: ServerSettings) -> Event:
    if len(raw) > limits.max_event_bytes:
        raise _TooLargeError(f"an event of {len(raw)} bytes; {limits.max_event_bytes} are allowed")
    event = read_params(Event, raw)
    _check(event.content, limits.max_depth)
    if b"\\u0000" in raw:
        return msgspec.structs.replace(event, content=_without_nul(event.content))
    return event


def _check(content: Any, max_depth: int) -> None:
    level: list[Any] = [content]
    for _ in range(max_depth + 1):
        level = [child for node in level for child in _children(node)]
        if any(type(child) is int and not INT64_MIN <= child <= INT64_MAX for child in level):
            raise InvalidError("a number of `content` does not fit 64 bits")
        if not level:
            return
    raise _TooDeepError(f"`content` is nested more than {max_depth} deep")


def _children(node: Any) -> Iterable[Any]:
    if isinstance(node, dict):
        return node.values()
    return node if isinstance(node, list) else ()


def _without_nul(node: Any) -> Any:
    if isinstance(node, str):
        return node.replace("\0", "")
    if isinstance(node, list):
        return [_without_nul(child) for child in node]
    if isinstance(node, dict):
        return {_without_nul(name): _without_nul(child) for name, child in node.items()}
    return node


def _find_key(raw: bytes) -> str | None:
    try:
        return msgspec.json.decode(raw, type=_Keyed).key
    except (msgspec.DecodeError, RecursionError):
        return None
