"""One run of one set: what it is given, and what it gives back."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluation.asking import Memud, Searcher
from evaluation.conditions import Conditions, Progress
from evaluation.ingest import fill
from evaluation.report import Figures, Findings
from evaluation.stand import Stand
from evaluation.store import Store, counts, limited


@dataclass(frozen=True, slots=True)
class Trial:
    """A set's view of the run: the conditions and an empty daemon to put to the test."""

    conditions: Conditions
    stand: Stand
    memud: Memud

    @property
    def data(self) -> Path:
        """The folder with the sets."""
        return self.conditions.data

    @property
    def progress(self) -> Progress:
        """Where to say how far the work is."""
        return self.stand.progress

    def fill(self, stores: Sequence[Store]) -> dict[str, int]:
        """Hand all turns over and wait until the daemon is settled; the counts of it."""
        left_out = fill(self.stand, stores)
        self.stand.fit([store.name for store in stores])
        return {**counts(stores), "left_out": left_out}


@dataclass(frozen=True, slots=True)
class SearchSet:
    """The part of a set that a baseline can answer, too: stores, and what is asked of them by `search`."""

    read: Callable[[Path], list[Store]]
    measure: Callable[[Searcher, Sequence[Store], Progress], Figures]


@dataclass(frozen=True, slots=True)
class EvalSet:
    """A set by its name: the files it needs below the data folder, and its measurement.

    One that `brings_own` data as well does without those files where no folder is named. One with a `begin`
    turns the daemon's clock from there on.
    """

    name: str
    files: tuple[str, ...]
    measure: Callable[[Trial], Findings]
    search: SearchSet | None = None
    brings_own: bool = False
    begin: int | None = None


def evidence_set(
    name: str,
    files: tuple[str, ...],
    search: SearchSet,
    gate: Callable[[Memud, Sequence[Store], Progress], Figures],
) -> EvalSet:
    """A set of stores and questions: first all of it by `search`, then as prompts at the gate."""

    def measure(trial: Trial) -> Findings:
        stores = limited(search.read(trial.data), trial.conditions.limit)
        filled = trial.fill(stores)
        found = search.measure(trial.memud, stores, trial.progress)
        return Findings(filled, {**found, **gate(trial.memud, stores, trial.progress)})

    return EvalSet(name, files, measure, search)
