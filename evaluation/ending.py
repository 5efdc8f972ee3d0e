"""An end on request: a signal becomes an exception, so that daemon and folder go as on any other end."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def orderly_end() -> Iterator[None]:
    """SIGTERM and SIGHUP raise SystemExit(128 + number); what comes after the first is ignored.

    One that is ignored at the start stays so, as under nohup. For the main thread alone.
    """
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    taken = {number: old for number, old in before.items() if old not in (signal.SIG_IGN, None)}
    for number in taken:
        signal.signal(number, _end)
    try:
        yield
    finally:
        for number, old in taken.items():
            signal.signal(number, old)


def _end(number: int, _frame: FrameType | None) -> NoReturn:
    for each in _SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise SystemExit(128 + number)
