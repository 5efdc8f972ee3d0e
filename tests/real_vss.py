"""The index over the real sqlite-vss, in tests."""

import platform
from pathlib import Path

import pytest

from memory.vectors.stamp import Stamp
from memory.vectors.vss.index import VssIndex
from memory.vectors.vss.writer import Pace

# Where a library exists, `make setup` installs it: a test that can't load it fails there, and says why.
needs_vss = pytest.mark.skipif(
    (platform.system(), platform.machine()) != ("Linux", "x86_64"),
    reason="sqlite-vss has no library for this platform that memud can load",
)

UNHURRIED = Pace(idle_s=3600)
"""Nothing is written by itself but batches that are full: a test says when."""


def open_vss(folder: Path, dimension: int, pace: Pace = UNHURRIED) -> VssIndex:
    """The index over its file in this folder, as a start finds it."""
    return VssIndex.open(folder, Stamp("vss", "a model", dimension), pace)
