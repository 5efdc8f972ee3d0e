"""When the file of sqlite-vss is written."""

import threading

import pytest

from memory.vectors.vss.writer import Pace, Writer

WAIT_S = 20  # for what comes at once; the end of a test that fails


class Waiting:
    """What waits to be written; counts the batches, each of which takes all."""

    def __init__(self, *, is_well: bool = True) -> None:
        self.fullness = 0.0
        self.batches = 0
        self.written = threading.Event()
        self._is_well = is_well

    def write(self) -> bool:
        """A batch."""
        self.batches += 1
        if self._is_well:
            self.fullness = 0.0
        self.written.set()
        return self._is_well


def started(waiting: Waiting, pace: Pace) -> Writer:
    """At work."""
    writer = Writer(waiting.write, lambda: waiting.fullness, pace)
    writer.start()
    return writer


def test_a_full_batch_is_written_at_once() -> None:
    """However quiet it has to be for a smaller one."""
    waiting = Waiting()
    writer = started(waiting, Pace(idle_s=3600))
    waiting.fullness = 1.0
    writer.ring()
    assert waiting.written.wait(WAIT_S)
    writer.stop()


def test_a_smaller_one_is_written_once_nothing_changes_any_more() -> None:
    """A short talk is written in the end."""
    waiting = Waiting()
    writer = started(waiting, Pace(idle_s=0.01))
    waiting.fullness = 0.001
    writer.ring()
    assert waiting.written.wait(WAIT_S)
    writer.stop()


def test_a_smaller_one_waits_for_quiet_and_a_stop_does_not_wait_for_it() -> None:
    """Whoever stops writes the last batch by itself, if it likes."""
    waiting = Waiting()
    writer = started(waiting, Pace(idle_s=3600))
    waiting.fullness = 0.999
    writer.ring()
    writer.stop()
    assert waiting.batches == 0


def test_after_a_fault_it_rests_before_it_tries_again() -> None:
    """A full disk is not asked without end."""
    waiting = Waiting(is_well=False)
    writer = started(waiting, Pace(idle_s=3600))
    waiting.fullness = 1.0
    writer.ring()
    assert waiting.written.wait(WAIT_S)
    writer.ring()
    writer.stop()
    assert waiting.batches == 1


@pytest.mark.parametrize("is_started", [True, False])
def test_a_stop_is_safe_at_any_time_and_twice(is_started: bool) -> None:
    """Before it began, too; nothing begins after it."""
    waiting = Waiting()
    writer = Writer(waiting.write, lambda: waiting.fullness, Pace(idle_s=0))
    if is_started:
        writer.start()
    writer.stop()
    writer.stop()
    waiting.fullness = 1.0
    writer.start()
    writer.ring()
    assert waiting.batches == 0
