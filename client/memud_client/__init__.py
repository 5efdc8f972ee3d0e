"""Client of the memud memory daemon: `Client`, its async twin `AsyncClient`, and typed errors."""

from typing import TYPE_CHECKING, Any

from memud_client.errors import (
    BusyError,
    ClosedError,
    DeadlineError,
    DisconnectedError,
    ForbiddenError,
    InvalidError,
    MemudError,
    NotFoundError,
    ProtocolError,
    StorageFullError,
    TemporaryError,
    TimedOutError,
    UnavailableError,
    UnreachableError,
)
from memud_client.sync import Client

if TYPE_CHECKING:
    from memud_client.aio import AsyncClient

__all__ = [
    "AsyncClient",
    "BusyError",
    "Client",
    "ClosedError",
    "DeadlineError",
    "DisconnectedError",
    "ForbiddenError",
    "InvalidError",
    "MemudError",
    "NotFoundError",
    "ProtocolError",
    "StorageFullError",
    "TemporaryError",
    "TimedOutError",
    "UnavailableError",
    "UnreachableError",
]


def __getattr__(name: str) -> Any:
    # asyncio takes longer to import than a whole call takes, and a short command needs none of it.
    if name == "AsyncClient":
        from memud_client.aio import AsyncClient

        return AsyncClient
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
