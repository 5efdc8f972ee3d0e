"""The errors a caller of memud can meet: one base, one child for each reason that asks for another answer."""

from collections.abc import Mapping
from typing import Any


class MemudError(Exception):
    """memud could not do what it was asked to do.

    `code` is the JSON-RPC code (0 when the fault arose in the client), `reason` a stable word for
    programs, `hint` what to do now, `retriable` whether the same call may succeed later,
    `retry_after_ms` when.
    """

    reason = "internal"
    retriable = False

    def __init__(
        self,
        message: str,
        *,
        code: int = 0,
        reason: str | None = None,
        retriable: bool | None = None,
        retry_after_ms: int | None = None,
        hint: str = "",
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason or type(self).reason
        self.retriable = type(self).retriable if retriable is None else retriable
        self.retry_after_ms = retry_after_ms
        self.hint = hint


class InvalidError(MemudError):
    """The request can't be used as it is: a wrong type, an unknown parameter, too much at once."""

    reason = "invalid"


class NotFoundError(MemudError):
    """No memory, turn or queue entry has this id."""

    reason = "not_found"


class ForbiddenError(MemudError):
    """The connection is bound to another user."""

    reason = "forbidden"


class BusyError(MemudError):
    """Too much is waiting; nothing was stored. Try again after `retry_after_ms`."""

    reason = "busy"
    retriable = True


class StorageFullError(MemudError):
    """The disk is full: recall goes on, nothing new is stored until space is free."""

    reason = "storage_full"
    retriable = True


class DeadlineError(MemudError):
    """The `deadline_ms` of the call passed before anything could be answered."""

    reason = "deadline"
    retriable = True


class TemporaryError(MemudError):
    """A part of the daemon failed in a way that may pass."""

    reason = "temporary"
    retriable = True


class UnavailableError(MemudError):
    """A part of the daemon can't be used on its machine."""

    reason = "unavailable"


class ClosedError(MemudError):
    """The daemon is stopping, or the client was used after it was closed."""

    reason = "closed"


class TimedOutError(MemudError):
    """The client stopped waiting. The daemon may still carry out the call."""

    reason = "timed_out"
    retriable = True


class UnreachableError(MemudError):
    """No daemon answers at the socket; nothing was sent."""

    reason = "unreachable"
    retriable = True


class DisconnectedError(UnreachableError):
    """The connection broke before the answer came: the call may or may not have taken effect."""

    reason = "disconnected"


class ProtocolError(MemudError):
    """What came over the socket is not memud's protocol."""

    reason = "protocol"


_BY_REASON: Mapping[str, type[MemudError]] = {
    kind.reason: kind
    for kind in (
        InvalidError,
        NotFoundError,
        ForbiddenError,
        BusyError,
        StorageFullError,
        DeadlineError,
        TemporaryError,
        UnavailableError,
        ClosedError,
    )
} | dict.fromkeys(("outage", "key_refused", "budget"), TemporaryError)
_CALLER_FAULTS = range(-32602, -32599)
"""JSON-RPC's invalid request, unknown method and invalid parameters."""


def from_reply(error: Mapping[str, Any]) -> MemudError:
    """The typed error of a JSON-RPC error object; an unknown reason gives a plain MemudError."""
    data = error.get("data")
    details: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
    code = int(error.get("code", 0))
    reason = str(details.get("reason") or MemudError.reason)
    fallback = InvalidError if code in _CALLER_FAULTS else MemudError
    return _BY_REASON.get(reason, fallback)(
        str(error.get("message", "")),
        code=code,
        reason=reason,
        retriable=bool(details.get("retriable", False)),
        retry_after_ms=details.get("retry_after_ms"),
        hint=str(details.get("hint") or ""),
    )
