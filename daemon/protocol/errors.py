"""The errors of the wire: what only the wire knows, and the one table from reasons to codes."""

from dataclasses import dataclass

from msgspec import UNSET, Struct, UnsetType

from memory.errors import MemudError


class ParseError(MemudError):
    """The line is not JSON."""

    reason = "parse"


class RequestError(MemudError):
    """The line is JSON, and no JSON-RPC 2.0 request."""

    reason = "invalid_request"


class UnknownMethodError(MemudError):
    """There is no such method."""

    reason = "unknown_method"


class LineTooLongError(MemudError):
    """The line is longer than the limit; it was skipped to its end."""

    reason = "too_large"


class VersionError(MemudError):
    """The client speaks another major version of the protocol."""

    reason = "unsupported_protocol"


class GivenUpError(MemudError):
    """The client cancelled the request."""

    reason = "cancelled"


class StoppingError(MemudError):
    """The daemon stops; the request was given up."""

    reason = "stopping"
    retriable = True


@dataclass(frozen=True, slots=True)
class Code:
    """The JSON-RPC code of a reason, and what it means."""

    code: int
    reason: str
    meaning: str


INTERNAL = Code(-32603, "internal", "A fault of the daemon; its log has the cause.")

CODES = (
    Code(-32700, "parse", "The line is not JSON (UTF-8)."),
    Code(-32600, "invalid_request", "JSON, but no JSON-RPC 2.0 request."),
    Code(-32600, "too_large", "The line is too long; it was skipped, the connection goes on."),
    Code(-32601, "unknown_method", "There is no such method."),
    Code(-32602, "invalid", "A parameter is missing, unknown, of the wrong type or out of bounds."),
    INTERNAL,
    Code(-32001, "not_found", "No memory, turn, prediction or queue entry has this id."),
    Code(-32002, "forbidden", "The connection is bound to another user."),
    Code(-32003, "busy", "Too much is waiting. Nothing was stored; try again after `retry_after_ms`."),
    Code(-32004, "storage_full", "The disk is full. Recall goes on; capture again when space is free."),
    Code(-32005, "deadline", "The deadline passed. A capture may have been stored: repeat it by its keys."),
    Code(-32006, "temporary", "A provider failed in a way that may pass."),
    Code(-32007, "unavailable", "A part can't be used on this machine."),
    Code(-32008, "closed", "The part was closed already."),
    Code(-32009, "locked", "Another daemon owns the database."),
    Code(-32010, "schema", "The database does not fit this version of memud."),
    Code(-32011, "unsupported_protocol", "Another major version of the protocol."),
    Code(-32012, "stopping", "The daemon stops; connect again and repeat."),
    Code(-32013, "outage", "A provider is overloaded, broken or out of reach."),
    Code(-32014, "key_refused", "A provider refuses the key."),
    Code(-32015, "budget", "The day's tokens for paid models are spent."),
    Code(-32016, "answer", "A model gave no usable answer."),
    Code(-32800, "cancelled", "The client cancelled the request."),
)

_BY_REASON = {code.reason: code for code in CODES}


class ErrorData(Struct, kw_only=True, frozen=True):
    """What a program needs beside the code."""

    reason: str
    retriable: bool
    hint: str
    retry_after_ms: int | UnsetType = UNSET


class ErrorObject(Struct, kw_only=True, frozen=True):
    """The `error` of a JSON-RPC response."""

    code: int
    message: str
    data: ErrorData


def error_object(error: MemudError) -> ErrorObject:
    """The error as it goes over the wire; an unknown reason is an internal fault."""
    code = _BY_REASON.get(error.reason, INTERNAL)
    after_ms = UNSET if error.retry_after_ms is None else error.retry_after_ms
    data = ErrorData(reason=code.reason, retriable=error.retriable, hint=error.hint, retry_after_ms=after_ms)
    return ErrorObject(code=code.code, message=str(error), data=data)
