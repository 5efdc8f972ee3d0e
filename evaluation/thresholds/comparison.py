"""The A/B run: the same stores under one threshold after the other, by the daemon's own setting.

A threshold in a call is strict for every result, so it can't stand for the shipped gate with its two bars.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from evaluation.asking import Memud
from evaluation.conditions import Progress
from evaluation.evidence import recall_all
from evaluation.ingest import fill
from evaluation.reading import check
from evaluation.sets import beam, lifebench, locomo, proactive, unrelated
from evaluation.stand import stand_in
from evaluation.store import Store, limited
from evaluation.thresholds.table import Row, row

SETTING = "MEMUD_RECALL__THRESHOLD"
_SETS = {"locomo": locomo, "beam": beam, "proactive": proactive, "lifebench": lifebench}
_WITHOUT_ANSWER = "adversarial"  # questions about the wrong one of two people
_DISTURBED = 3  # stores of a set that the unrelated prompts are put to


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """Prompts with evidence: `stores` have it in their questions."""

    name: str
    stores: Sequence[Store]


def labelled_sets(data: Path, limit: int | None) -> list[LabelledSet]:
    """Those that are there, each with at most `limit` prompts. Raises DataError when one is missing."""
    for module in _SETS.values():
        check(data, module.SET.files)
    return [LabelledSet(name, _prompts(module.read(data), limit)) for name, module in _SETS.items()]


def unrelated_prompts(limit: int | None) -> list[str]:
    """Those of the package but for greetings, which get silence at any threshold."""
    return [each.text for each in unrelated.prompts() if each.kind != "greeting"][:limit]


def compare(
    sets: Sequence[LabelledSet],
    prompts: Sequence[str],
    thresholds: Sequence[float],
    settings: Mapping[str, str],
    progress: Progress,
) -> Iterator[Row]:
    """A row for each set and threshold: a store is filled once, and its daemon started anew for each."""
    for each in sets:
        with TemporaryDirectory(prefix="memud-eval-") as name:
            folder = Path(name)
            with stand_in(folder, settings, progress) as running:
                fill(running, each.stores)
            for threshold in thresholds:
                under = {**settings, SETTING: str(threshold)}
                with stand_in(folder, under, progress) as running:
                    memud = Memud(running)
                    asked = recall_all(memud, each.stores, progress)
                    yield row(each.name, threshold, asked, list(_alarms(memud, each, prompts, progress)))


def _alarms(memud: Memud, chosen: LabelledSet, prompts: Sequence[str], progress: Progress) -> Iterator[bool]:
    """Whether each prompt finds anything in each of the first few stores."""
    stores = chosen.stores[:_DISTURBED]
    for place, prompt in enumerate(prompts, start=1):
        for store in stores:
            yield bool(memud.recall(store, prompt).keys)
        progress("recall", place, len(prompts))


def _prompts(stores: Sequence[Store], limit: int | None) -> list[Store]:
    return limited([_with_evidence(store) for store in stores], limit)


def _with_evidence(store: Store) -> Store:
    questions = [each for each in store.questions if each.evidence and each.kind != _WITHOUT_ANSWER]
    return replace(store, questions=questions)
