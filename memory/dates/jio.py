"""The one place that touches jionlp: loaded at the first Chinese date, silenced, one thread at a time."""

import functools
import io
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stdout
from datetime import datetime, timedelta
from typing import Any, TextIO, cast

from memory.dates.moment import Said, Stretch

_ONE_AT_A_TIME = threading.Lock()  # jionlp keeps what it parses, and its first set-up, in one shared object


def chinese_day(words: str, said: Said) -> Stretch:
    """The days that a Chinese date means. Raises ValueError for words that jionlp can't read."""
    return _read(words, said.local)


@functools.lru_cache(maxsize=1024)  # the same turn is recalled again and again
def _read(words: str, now: datetime) -> Stretch:
    base = {part: getattr(now, part) for part in ("year", "month", "day", "hour", "minute", "second")}
    with _ONE_AT_A_TIME:
        parse = _parser()
        if parse is None:
            raise ValueError("jionlp can't be loaded")
        first, last = parse(words, time_base=base)["time"][:2]
    return Stretch(datetime.fromisoformat(first), datetime.fromisoformat(last) + timedelta(seconds=1), "day")


def is_chinese_available() -> bool:
    """Whether Chinese days can be read: jionlp unpacks dictionaries beside itself at its first import."""
    with _ONE_AT_A_TIME:
        return _parser() is not None


@functools.cache
def _parser() -> Callable[..., dict[str, Any]] | None:
    with redirect_stdout(cast(TextIO, _WithoutBanner(sys.stdout))):
        try:
            from jionlp import parse_time  # 0.15 s and 40 MB
        except (ImportError, OSError):
            return None  # the folder is read-only and nobody has imported it before
    return cast(Callable[..., dict[str, Any]], parse_time)


class _WithoutBanner(io.TextIOBase):
    """Standard output without the greeting; what other threads write meanwhile goes through."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._thread = threading.get_ident()

    def write(self, text: str) -> int:
        """Drop what the importing thread prints."""
        return len(text) if threading.get_ident() == self._thread else self._out.write(text)

    def flush(self) -> None:
        """Flush the real one."""
        self._out.flush()
