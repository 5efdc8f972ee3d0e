"""One request in flight: from raw params to a reply, and how it is given up."""

import asyncio
from typing import Any

from daemon.faults import guarded
from daemon.method import Context, Method, Subscriber
from daemon.protocol.call import Call, Reading
from daemon.protocol.frames import Request, write_error, write_result
from daemon.protocol.params import read_params
from memory.errors import DeadlineError, ForbiddenError, MemudError
from memory.model import Scope
from memory.redact import redact_name

_GRACE_S = 0.05
"""How long after its deadline a handler may still answer by itself."""


class RunningCall:
    """A request on its way through its handler; its deadline counts from here."""

    def __init__(
        self, request: Request, method: Method[Any, Any], connection: Subscriber, bound_user: str | None
    ) -> None:
        self._request = request
        self._method = method
        self._connection = connection
        self._bound_user = bound_user
        self._arrived = asyncio.get_running_loop().time()
        self._given_up: MemudError | None = None
        self._running: asyncio.Timeout | None = None

    @property
    def id(self) -> bytes | None:
        """The request's id as it was sent; None for a notification."""
        return self._request.id

    async def reply(self) -> bytes | None:
        """The response, always one but for a notification; whatever goes wrong is an error response."""
        request_id = self._request.id
        try:
            with guarded(self._method.signature.name):
                result = await self._result()
                return None if request_id is None else write_result(request_id, result)
        except MemudError as error:
            return None if request_id is None else write_error(request_id, error)

    def give_up(self, reason: MemudError) -> None:
        """Cancel the handler; the reply is this error, unless the result is already there."""
        self._given_up = self._given_up or reason
        if self._running is not None and not self._running.expired():
            self._running.reschedule(asyncio.get_running_loop().time())

    async def _result(self) -> object:
        params = read_params(self._method.signature.params, bytes(self._request.params))
        context = self._context(params)
        if self._given_up is not None:
            raise self._given_up
        try:
            async with asyncio.timeout_at(self._limit(context.deadline)) as self._running:
                return await self._method.handler(params, context)
        except TimeoutError:
            if self._running is None or not self._running.expired():
                raise
            raise self._given_up or _deadline_error() from None
        finally:
            self._running = None

    def _context(self, params: Call) -> Context:
        check_binding(self._bound_user, params.user_id)
        named = self._bound_user or params.user_id
        is_public = isinstance(params, Reading) and not params.private
        agent, session = (one and redact_name(one) for one in (params.agent_id, params.session_id))
        scope = Scope(named or "default", agent, session, is_public)
        span_ms = params.deadline_ms
        deadline = None if span_ms is None else self._arrived + span_ms / 1000
        return Context(scope, named, deadline, self._connection)

    def _limit(self, deadline: float | None) -> float | None:
        if deadline is None or self._method.signature.keeps_deadline:
            return None
        return deadline + _GRACE_S


def check_binding(bound_user: str | None, user_id: str | None) -> None:
    """Raise ForbiddenError where a bound connection asks for another user."""
    if bound_user is not None and user_id not in (None, bound_user):
        raise ForbiddenError("the connection is bound to another user", hint="Open a connection of your own.")


def _deadline_error() -> DeadlineError:
    return DeadlineError(
        "no answer before the deadline", hint="Give more time, or repeat a capture by its keys."
    )
