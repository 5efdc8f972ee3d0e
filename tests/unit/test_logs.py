"""The log as systemd and a terminal get it."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager

import pytest
import structlog

from daemon.logs import configure
from memory.testing import FrozenClock
from tests.stubs.models import Stubbed, anthropic_stub, asking, openai_stub


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It does."""
        return True


@pytest.fixture(autouse=True)
def untouched() -> Iterator[None]:
    """Logging is the process's own; a test gives it back as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    root.handlers[:], root.level = handlers, level


def lines(stream: io.StringIO) -> list[dict[str, object]]:
    """The events of a JSON log."""
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_events_are_json_where_nobody_looks() -> None:
    """One object a line, with level, time and fields; Chinese stays readable."""
    stream = io.StringIO()
    configure("info", stream)
    structlog.get_logger().info("capture_stored", turns=2, zone="亚洲")
    structlog.get_logger().debug("too_fine")
    (event,) = lines(stream)
    assert (event["event"], event["level"], event["turns"]) == ("capture_stored", "info", 2)
    assert "timestamp" in event
    assert "亚洲" in stream.getvalue()


def test_a_terminal_gets_colours() -> None:
    """For a person in the foreground."""
    stream = Terminal()
    configure("info", stream)
    structlog.get_logger().info("ready")
    assert "\x1b[" in stream.getvalue()


def test_the_standard_library_logs_through_the_same_door() -> None:
    """Libraries' warnings arrive as events, and their chatter does not."""
    stream = io.StringIO()
    configure("info", stream)
    logging.getLogger("apscheduler.scheduler").warning("run of job %s was missed", "monitor")
    logging.getLogger("apscheduler.scheduler").info("added job")
    (event,) = lines(stream)
    assert event["event"] == "run of job monitor was missed"
    assert event["logger"] == "apscheduler.scheduler"


@pytest.mark.parametrize("foreign", [True, False])
def test_an_exception_keeps_its_place_and_loses_its_words(foreign: bool) -> None:
    """What a user said may stand in the message of an exception, so it is not logged."""
    stream = io.StringIO()
    configure("info", stream)
    log = logging.getLogger("library") if foreign else structlog.get_logger()
    try:
        raise ValueError("my diary")
    except ValueError:
        log.exception("work_failed")
    (event,) = lines(stream)
    assert event["error"] == "ValueError"
    assert "test_an_exception" in str(event["at"])
    assert "diary" not in stream.getvalue()


def test_configuring_twice_logs_once() -> None:
    """The last call counts."""
    first, second = io.StringIO(), io.StringIO()
    configure("info", first)
    configure("warning", second)
    structlog.get_logger().warning("once")
    structlog.get_logger().info("never")
    assert first.getvalue() == ""
    assert len(lines(second)) == 1


@pytest.mark.parametrize("open_stub", [anthropic_stub, openai_stub])
async def test_a_call_to_a_provider_leaves_no_line(
    open_stub: Callable[..., AbstractAsyncContextManager[Stubbed]],
) -> None:
    """Neither key nor prompt nor address, at the finest level: the SDKs would tell all of it."""
    stream = io.StringIO()
    configure("debug", stream)
    async with open_stub(FrozenClock()) as stubbed:
        await stubbed.model.answer(asking())
    assert stream.getvalue() == ""
