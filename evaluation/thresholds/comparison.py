"""The A/B run: the same stores under one threshold after the other, by the daemon's own setting.

A threshold in a call is strict for every result, so it can't stand for the shipped gate with its two bars.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from evaluation.asking import Memud
from evaluation.conditions import Progress
from evaluation.evidence import recall_all
from evaluation.ingest import fill
from evaluation.labelled import FILES, READERS
from evaluation.reading import check
from evaluation.sets import unrelated
from evaluation.stand import stand_in
from evaluation.store import Store, limited
from evaluation.thresholds.table import Row, row

_SETTING = "MEMUD_RECALL__THRESHOLD"
_DISTURBED = 3  # stores of a set that the unrelated prompts are put to


def labelled_sets(data: Path, limit: int | None) -> dict[str, list[Store]]:
    """The stores of each set, with at most `limit` prompts that have evidence. Raises DataError."""
    check(data, FILES)
    return {name: _prompts(read(data), limit) for name, read in READERS.items()}


def unrelated_prompts(limit: int | None) -> list[str]:
    """Those of the package but for greetings, which get silence at any threshold."""
    return [each.text for each in unrelated.prompts() if each.kind != "greeting"][:limit]


def compare(
    sets: Mapping[str, Sequence[Store]],
    prompts: Sequence[str],
    thresholds: Sequence[float],
    settings: Mapping[str, str],
    progress: Progress,
) -> Iterator[Row]:
    """A row for each set and threshold: a store is filled once, and its daemon started anew for each."""
    for of, stores in sets.items():
        with TemporaryDirectory(prefix="memud-eval-") as name:
            folder = Path(name)
            with stand_in(folder, settings, progress) as running:
                fill(running, stores)
                running.fit([store.name for store in stores])
            for threshold in thresholds:
                under = {**settings, _SETTING: str(threshold)}
                with stand_in(folder, under, progress) as running:
                    memud = Memud(running)
                    asked = recall_all(memud, stores, progress)
                    alarms = _alarms(memud, stores[:_DISTURBED], prompts, progress)
                    yield row(of, threshold, asked, list(alarms))


def _alarms(
    memud: Memud, stores: Sequence[Store], prompts: Sequence[str], progress: Progress
) -> Iterator[bool]:
    """Whether each prompt finds anything in each of the stores."""
    for place, prompt in enumerate(prompts, start=1):
        for store in stores:
            yield bool(memud.recall(store, prompt).keys)
        progress("recall", place, len(prompts))


def _prompts(stores: Sequence[Store], limit: int | None) -> list[Store]:
    asked = [
        replace(store, questions=[each for each in store.questions if each.evidence]) for store in stores
    ]
    return limited(asked, limit)
