"""One quick retry of what failed in passing; longer waits are the queue's, which keeps them on disk."""

import asyncio
from collections.abc import Awaitable, Callable

from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, stop_after_delay, wait_random

from memory.errors import OutageError

Sleep = Callable[[float], Awaitable[None]]
_QUICK_S = 5  # who was silent for longer is not asked again at once: two timeouts would outlast a lease


def once_more(sleep: Sleep = asyncio.sleep) -> AsyncRetrying:
    """Calls again once after an outage that came quickly and named no time to come back; raises the last."""
    return AsyncRetrying(
        retry=retry_if_exception(_may_pass_at_once),
        stop=stop_after_attempt(2) | stop_after_delay(_QUICK_S),
        wait=wait_random(0.2, 1.0),
        sleep=sleep,
        reraise=True,
    )


def _may_pass_at_once(error: BaseException) -> bool:
    return isinstance(error, OutageError) and error.retry_after_ms is None
