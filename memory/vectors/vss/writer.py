"""The thread that writes what waits: when it is much, and when nothing changes any more."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic


@dataclass(frozen=True, slots=True)
class Pace:
    """When to write. Each batch rewrites the whole index, so changes wait until it is worth it.

    `rows` changes, or a twentieth of the index if that is more, are written at once; fewer of them after
    `idle_s` without another, but in no more than `share` of the time. The end of the process does not wait
    for an index above `closing_bytes`: what it lacks is found, and written, after the next start.
    """

    rows: int = 1000
    idle_s: float = 60.0
    share: float = 0.01
    closing_bytes: int = 100_000_000


class Writer:
    """Calls `write`, which says whether it went well, in a thread of its own.

    `fullness` is 0 where nothing waits and 1 or more where it is to be written at once.
    """

    def __init__(self, write: Callable[[], bool], fullness: Callable[[], float], pace: Pace) -> None:
        self._write = write
        self._fullness = fullness
        self._pace = pace
        self._bell = threading.Condition()
        self._changed_at = self._rested_at = self._mended_at = monotonic()
        self._is_over = False
        self._thread = threading.Thread(target=self._serve, name="memud-vss", daemon=True)

    def start(self) -> None:
        """Begin to wait; safe to call twice."""
        with self._bell:
            if self._thread.ident is None and not self._is_over:
                self._thread.start()

    def ring(self) -> None:
        """Something changed."""
        with self._bell:
            self._changed_at = monotonic()
            self._bell.notify()

    def stop(self) -> None:
        """Write no more; a batch in hand is finished."""
        with self._bell:
            self._is_over = True
            self._bell.notify()
        if self._thread.ident is not None:
            self._thread.join()

    def _serve(self) -> None:
        while self._has_work():
            began = monotonic()
            is_well = self._write()
            ended = monotonic()
            self._rested_at = ended + (ended - began) / self._pace.share
            self._mended_at = ended if is_well else ended + self._pace.idle_s

    def _has_work(self) -> bool:
        with self._bell:
            while not self._is_over:
                pause_s = self._pause_s()
                if pause_s is not None and pause_s <= 0:
                    return True
                self._bell.wait(pause_s)
        return False

    def _pause_s(self) -> float | None:
        fullness = self._fullness()
        if not fullness:
            return None
        quiet_at = max(self._changed_at + self._pace.idle_s, self._rested_at)
        due_at = self._mended_at if fullness >= 1 else max(quiet_at, self._mended_at)
        return due_at - monotonic()
