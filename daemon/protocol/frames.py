"""Lines to requests, results to lines. Params stay raw here: a frame is decoded in two steps."""

import re
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Raw, Struct

from daemon.protocol.errors import ParseError, RequestError, error_object
from daemon.protocol.table import METHOD_ALIASES
from memory.errors import MemudError

MAX_BATCH = 100
_MAX_ID_BYTES = 256
_NO_ID = b"null"

# A client that cuts text in the middle of an emoji sends half a surrogate pair. Escaped backslashes are
# matched first, so that what only looks like an escape stays.
_SURROGATES = re.compile(
    rb"\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2})"
)


class _Envelope(Struct, frozen=True):
    jsonrpc: Literal["2.0"]
    method: Annotated[str, Meta(max_length=64)]
    params: Raw = Raw()
    id: Raw = Raw()


class _IdAlone(Struct, frozen=True):
    id: Raw = Raw()


@dataclass(frozen=True, slots=True)
class Request:
    """A call. `id` is echoed byte by byte; None makes it a notification, which gets no reply."""

    id: bytes | None
    method: str
    params: Raw


@dataclass(frozen=True, slots=True)
class Refusal:
    """What came instead of a request. It is always answered, if need be to the id null."""

    id: bytes
    error: MemudError


Call = Request | Refusal


@dataclass(frozen=True, slots=True)
class Frame:
    """One line: one call, or a batch whose replies go back in one array."""

    calls: tuple[Call, ...]
    is_batch: bool = False


_envelopes = msgspec.json.Decoder(_Envelope)
_batches = msgspec.json.Decoder(list[Raw])
_ids = msgspec.json.Decoder(_IdAlone)
_id_values = msgspec.json.Decoder(int | float | str | None)


def read_line(line: bytes) -> Frame:
    """The calls of a line; never raises. Half surrogate pairs are replaced by U+FFFD."""
    text = _mend(line)
    if not text.lstrip().startswith(b"["):
        return Frame((_read_call(text),))
    try:
        parts = _batches.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        return Frame((Refusal(_NO_ID, _parse_error(error)),))
    if not 1 <= len(parts) <= MAX_BATCH:
        fault = RequestError(f"a batch of {len(parts)} requests", hint=f"Send 1 to {MAX_BATCH} in a batch.")
        return Frame((Refusal(_NO_ID, fault),))
    return Frame(tuple(_read_call(bytes(part)) for part in parts), is_batch=True)


def write_result(request_id: bytes, result: object) -> bytes:
    """A response without the line's end. Raises TypeError for what JSON can't hold."""
    return b'{"jsonrpc":"2.0","id":' + request_id + b',"result":' + msgspec.json.encode(result) + b"}"


def write_error(request_id: bytes | None, error: MemudError) -> bytes:
    """An error response without the line's end; None: the id could not be read."""
    body = msgspec.json.encode(error_object(error))
    return b'{"jsonrpc":"2.0","id":' + (request_id or _NO_ID) + b',"error":' + body + b"}"


def write_notification(method: str, params: object) -> bytes:
    """A notification without the line's end."""
    name, body = msgspec.json.encode(method), msgspec.json.encode(params)
    return b'{"jsonrpc":"2.0","method":' + name + b',"params":' + body + b"}"


def _read_call(text: bytes) -> Call:
    try:
        envelope = _envelopes.decode(text)
        request_id = _checked_id(bytes(envelope.id))
    except msgspec.ValidationError as error:
        hint = 'Send {"jsonrpc": "2.0", "id": 1, "method": "health", "params": {}}.'
        return Refusal(_find_id(text), RequestError(str(error)[:200], hint=hint))
    except (msgspec.DecodeError, RecursionError) as error:
        return Refusal(_NO_ID, _parse_error(error))
    return Request(request_id, METHOD_ALIASES.get(envelope.method, envelope.method), envelope.params)


def _checked_id(raw: bytes) -> bytes | None:
    if not raw:
        return None
    if len(raw) > _MAX_ID_BYTES:
        raise msgspec.ValidationError(f"an id of {len(raw)} bytes; {_MAX_ID_BYTES} are allowed")
    _id_values.decode(raw)
    return raw


def _find_id(text: bytes) -> bytes:
    try:
        return _checked_id(bytes(_ids.decode(text).id)) or _NO_ID
    except (msgspec.DecodeError, RecursionError):
        return _NO_ID


def _parse_error(error: Exception) -> ParseError:
    why = "nested too deeply" if isinstance(error, RecursionError) else str(error)[:200]
    return ParseError(f"not a JSON line: {why}", hint="Send one JSON object a line, in UTF-8.")


def _mend(line: bytes) -> bytes:
    if b"\\ud" not in line and b"\\uD" not in line:
        return line
    return _SURROGATES.sub(lambda found: b"\\ufffd" if found["half"] else found[0], line)
