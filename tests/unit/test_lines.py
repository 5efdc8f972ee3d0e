"""A stream cut into lines: bounds on memory and patience, and the end."""

import asyncio
import tracemalloc

import pytest

from daemon.lines import Lines
from daemon.protocol.errors import LineTooLongError


def lines_of(reader: asyncio.StreamReader, max_bytes: int = 1000, patience_s: float = 5.0) -> Lines:
    """The lines of a reader that the test feeds."""
    return Lines(reader, max_bytes, patience_s)


async def feed_slowly(reader: asyncio.StreamReader) -> None:
    """A byte now and then, for ever: this is the slow peer itself."""
    while True:
        reader.feed_data(b"x")
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("cut", [1, 2, 3, 5, 100])
async def test_lines_are_the_same_however_the_bytes_arrive(cut: int) -> None:
    """Blank lines say nothing; a last line needs no LF; after the end there is nothing."""
    reader = asyncio.StreamReader()
    data = b"one\n\n \r\ntwo\r\nlast"
    for start in range(0, len(data), cut):
        reader.feed_data(data[start : start + cut])
    reader.feed_eof()
    lines = lines_of(reader)
    assert [await lines.next() for _ in range(5)] == [b"one", b"two\r", b"last", None, None]


async def test_a_line_that_is_skipped_takes_no_memory() -> None:
    """However long it is, only a chunk of it is held at a time."""
    reader = asyncio.StreamReader()
    lines = lines_of(reader)
    reader.feed_data(b"x" * 2000)
    with pytest.raises(LineTooLongError):
        await lines.next()

    async def feed() -> None:
        for _ in range(500):
            reader.feed_data(b"x" * 65_536)
            await asyncio.sleep(0)
        reader.feed_data(b"\nnext\n")

    tracemalloc.start()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(feed())
        assert await lines.next() == b"next"
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000


async def test_a_line_that_dribbles_in_is_given_up() -> None:
    """Patience is for the whole line, and a byte now and then does not renew it."""
    reader = asyncio.StreamReader()
    feeding = asyncio.ensure_future(feed_slowly(reader))
    async with asyncio.timeout(5):
        with pytest.raises(TimeoutError):
            await lines_of(reader, patience_s=0.05).next()
    assert not feeding.done()
    feeding.cancel()


async def test_patience_is_renewed_by_each_line() -> None:
    """A peer that sends whole lines may take its time between them."""
    reader = asyncio.StreamReader()
    lines = lines_of(reader, patience_s=0.5)
    for number in range(3):
        reader.feed_data(b"half")
        waiting = asyncio.ensure_future(lines.next())
        await asyncio.sleep(0)
        reader.feed_data(b"%d\n" % number)
        assert await waiting == b"half%d" % number


async def test_what_arrives_with_the_stop_is_still_given() -> None:
    """A line that came in the same moment is not lost; then the stream has ended."""
    reader = asyncio.StreamReader()
    lines = lines_of(reader)
    waiting = asyncio.ensure_future(lines.next())
    await asyncio.sleep(0)
    lines.stop()
    reader.feed_data(b"just in time\nhalf")
    assert await waiting == b"just in time"
    assert await lines.next() is None


async def test_the_stop_ends_a_wait() -> None:
    """An idle peer does not hold up the stop."""
    lines = lines_of(asyncio.StreamReader())
    waiting = asyncio.ensure_future(lines.next())
    await asyncio.sleep(0)
    lines.stop()
    assert await waiting is None
