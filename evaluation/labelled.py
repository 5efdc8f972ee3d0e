"""The four sets whose questions name the turns that answer them, for measurements over all of them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from evaluation.sets import beam, lifebench, locomo, proactive
from evaluation.store import Store

READERS: Mapping[str, Callable[[Path], list[Store]]] = {
    "locomo": lambda data: locomo.answerable(locomo.read(data)),
    "beam": beam.read,
    "proactive": proactive.read,
    "lifebench": lifebench.read,
}
FILES = (*locomo.SET.files, *beam.SET.files, *proactive.SET.files, *lifebench.SET.files)
