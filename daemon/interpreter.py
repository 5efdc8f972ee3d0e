"""How the interpreter serves a daemon: what stays is not looked through again, threads take short turns."""

import gc
import sys

_TURN_S = 0.001


def keep_loaded() -> None:
    """What is loaded by now stays for good: the collector looks no more at it.

    Else all of it is looked through at every hundredth recall or so, and a tenth of a second nothing answers.
    """
    gc.freeze()
    gc.enable()


def take_short_turns() -> None:
    """Let a thread that computes make way for the event loop after a millisecond, not after five."""
    sys.setswitchinterval(_TURN_S)
