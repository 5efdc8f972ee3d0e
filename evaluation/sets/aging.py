"""The same stores more than a year later, cleaned up every week: what lasts must still be recalled."""

from collections.abc import Callable, Mapping, Sequence

from evaluation.asking import Memud
from evaluation.conditions import Progress
from evaluation.labelled import FILES, READERS
from evaluation.measures import Figure, figure, share_found
from evaluation.report import Figures, Findings
from evaluation.stand import Stand
from evaluation.store import Store, limited
from evaluation.trial import EvalSet, Trial
from memory.model import DAY_S

_DAYS = 400
_ROOM = 10  # results that the shipped gate shows at most
_WEEK_S = 7 * DAY_S

Shares = Mapping[str, Sequence[float]]  # by set: what each question found of its evidence


def when_old(store: Store) -> int:
    """When the aged store is asked."""
    return store.as_of - DAY_S + _DAYS * DAY_S


def cleanups(store: Store) -> range:
    """When the store is cleaned up, until it is asked again."""
    return range(store.as_of + _WEEK_S, when_old(store) + 1, _WEEK_S)


def figures(fresh: Shares, aged: Shares) -> Figures:
    """The evidence recall at the gate before and after, and what was lost, by set and over all questions."""
    lost = {of: [a - b for a, b in zip(fresh[of], aged[of], strict=True)] for of in fresh}
    found: dict[str, Figure | None] = {"lost": figure(each for of in lost for each in lost[of])}
    for of in fresh:
        found |= {f"gate.recall.{of}": figure(fresh[of]), f"aged.recall.{of}": figure(aged[of])}
        found[f"lost.{of}"] = figure(lost[of])
    return found


def _measure(trial: Trial) -> Findings:
    stores = {of: limited(read(trial.data), trial.conditions.limit) for of, read in READERS.items()}
    every = [store for group in stores.values() for store in group]
    counts = trial.fill(every)
    fresh = _gate(trial.memud, stores, trial.progress, lambda store: store.as_of)
    faded = _clean_up(trial.stand, every)
    trial.stand.fit([store.name for store in every])  # a store that shrank much is due again
    aged = _gate(trial.memud, stores, trial.progress, when_old)
    return Findings({**counts, "faded": faded}, figures(fresh, aged))


def _gate(
    memud: Memud,
    stores: Mapping[str, Sequence[Store]],
    progress: Progress,
    when: Callable[[Store], int],
) -> Shares:
    """The evidence recall of each question that has any, asked at some time of its store."""
    asked = [
        (of, store, question)
        for of, group in stores.items()
        for store in group
        for question in store.questions
        if question.evidence
    ]
    shares: dict[str, list[float]] = {of: [] for of in stores}
    for place, (of, store, question) in enumerate(asked, start=1):
        answer = memud.recall(store, question.text, when(store))
        shares[of].append(share_found(question.evidence, answer.found(), _ROOM))
        progress("recall", place, len(asked))
    return shares


def _clean_up(stand: Stand, stores: Sequence[Store]) -> int:
    """Every week's cleanup of every store; how many facts went."""
    faded = 0
    for place, store in enumerate(stores, start=1):
        for as_of in cleanups(store):
            report = stand.client.job_run("cleanup", user_id=store.name, as_of=as_of)
            faded += report["counts"].get("faded", 0)
        stand.progress("age", place, len(stores))
    return faded


SET = EvalSet("aging", FILES, _measure)
