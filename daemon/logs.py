"""The log: JSON for systemd, colours on a terminal; the standard library's loggers go through it too."""

import logging
import sys
import traceback
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, Processor

_QUIET = ("apscheduler", "asyncio", "httpx2", "httpcore2", "openai", "anthropic")
_MAX_FRAMES = 8


def configure(level: str, stream: TextIO = sys.stderr) -> None:
    """Send all logs of the process to `stream`, from `level` on.

    An exception is logged by type and place, without its words.
    """
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_words,
    ]
    threshold = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(threshold),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _renderer(stream)],
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(threshold)
    for name in _QUIET:
        logging.getLogger(name).setLevel(max(threshold, logging.WARNING))


def where(error: BaseException) -> list[str]:
    """Where an exception arose, as `file:line function`, innermost last; nothing of what it says."""
    frames = traceback.extract_tb(error.__traceback__)[-_MAX_FRAMES:]
    return [f"{frame.filename.rpartition('/')[2]}:{frame.lineno} {frame.name}" for frame in frames]


def _renderer(stream: TextIO) -> Processor:
    if stream.isatty():
        return structlog.dev.ConsoleRenderer(colors=True)
    return structlog.processors.JSONRenderer(ensure_ascii=False)


def _without_words(_logger: Any, _method: str, event: EventDict) -> EventDict:
    # The message of an exception may quote what a user said.
    error = event.pop("exc_info", None)
    if isinstance(error, tuple):
        error = error[1]
    elif error is True:
        error = sys.exception()
    if isinstance(error, BaseException):
        event["error"] = type(error).__name__
        event["at"] = where(error)
    return event
