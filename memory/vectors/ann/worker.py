"""A thread that takes steps as long as there are some, and then waits to be woken."""

import threading
from collections.abc import Callable


class Worker:
    """Calls `step` until it says False, then again at each ring, at the latest after `pause_s`."""

    def __init__(self, step: Callable[[], bool], pause_s: float) -> None:
        self._step = step
        self._pause_s = pause_s
        self._bell = threading.Event()
        self._is_over = threading.Event()
        self._starting = threading.Lock()
        self._thread = threading.Thread(target=self._serve, name="memud-faiss", daemon=True)

    def start(self) -> None:
        """Begin; safe to call twice."""
        with self._starting:
            if self._thread.ident is None and not self._is_over.is_set():
                self._thread.start()

    def ring(self) -> None:
        """There may be something to do."""
        self._bell.set()

    def stop(self) -> None:
        """Take no other step; wait for the one in hand."""
        self._is_over.set()
        self._bell.set()
        with self._starting:
            if self._thread.ident is not None:
                self._thread.join()

    def _serve(self) -> None:
        while not self._is_over.is_set():
            self._bell.clear()
            while not self._is_over.is_set() and self._step():
                pass
            self._bell.wait(self._pause_s)
