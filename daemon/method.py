"""The seam between wire and handlers: a handler gets typed params and a Context, and returns a result."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from daemon.protocol.signature import Signature
from memory.model import Scope

P = TypeVar("P")
R = TypeVar("R")


class Subscriber(Protocol):
    """The connection, as a handler may use it."""

    @property
    def uid(self) -> int | None:
        """The user at the other end, as the system knows it; None where it can't tell."""
        ...

    async def send_notification(self, method: str, params: object) -> bool:
        """Queue a notification; never waits.

        False: the peer reads too slowly and it was dropped. The peer gets one `lagged` notification
        for all that were dropped in a row, and can subscribe again from its cursor.
        """
        ...

    def start(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a task that is cancelled when the connection closes, such as a subscription's pump.

        An exception in it closes the connection.
        """
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """What a handler knows of a call beside its params.

    `scope` is resolved: the bound user, else the named one, else `default`. `named_user` is None when
    neither the call nor the connection named one. `deadline` is in the loop's monotonic seconds.
    """

    scope: Scope
    named_user: str | None
    deadline: float | None
    connection: Subscriber

    def remaining_s(self) -> float | None:
        """Seconds until the deadline, never negative; None: no deadline."""
        if self.deadline is None:
            return None
        return max(0.0, self.deadline - asyncio.get_running_loop().time())


Handler = Callable[[P, Context], Awaitable[R]]


class Handlers(Protocol):
    """A group of methods that share their parts."""

    def methods(self) -> "Iterable[Method[Any, Any]]":
        """What is answered here."""
        ...


@dataclass(frozen=True, slots=True)
class Method(Generic[P, R]):
    """A method of the wire with what answers it: `Method(RECALL, recall)`.

    The handler raises the errors of memory.errors; anything else is logged and answered as internal.
    It may be cancelled at any await: by its caller, its deadline, or the stop of the daemon.
    """

    signature: Signature[P, R]
    handler: Handler[P, R]
