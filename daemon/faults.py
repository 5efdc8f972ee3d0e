"""The guard around a handler: what it should not raise is logged without its words, and becomes internal."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from daemon.logs import where
from memory.errors import MemudError

_log = structlog.get_logger()


@contextmanager
def guarded(method: str) -> Iterator[None]:
    """Let memud's own errors pass; log any other exception and raise MemudError in its place."""
    try:
        yield
    except MemudError:
        raise
    except Exception as error:
        _log.error("request_failed", method=method, error=type(error).__name__, at=where(error))
        raise MemudError("internal fault", hint="See the daemon's log: request_failed.") from error
