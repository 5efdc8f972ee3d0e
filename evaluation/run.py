"""Measures one set under its conditions."""

from evaluation.asking import Memud
from evaluation.baselines import baseline
from evaluation.conditions import Conditions, Progress
from evaluation.errors import DataError
from evaluation.reading import check
from evaluation.report import Findings, Report
from evaluation.stand import stand
from evaluation.store import counts, limited
from evaluation.trial import EvalSet, Trial


def run(chosen: EvalSet, conditions: Conditions, progress: Progress) -> Report:
    """Measure a daemon that lives only so long, or the baseline that the conditions name, if any.

    Raises DataError and InvalidError before anything starts, StandError.
    """
    if conditions.is_data_named or not chosen.brings_own:
        check(conditions.data, chosen.files)
    conditions.make_room()
    if conditions.baseline:
        return _run_baseline(chosen, conditions, progress)
    with stand(conditions, progress, chosen.begin) as running:
        findings = chosen.measure(Trial(conditions, running, Memud(running)))
        told = {"version": running.version, "embedder": running.embedder, **conditions.told()}
        return Report(chosen.name, told, findings, running.tally.costs())


def _run_baseline(chosen: EvalSet, conditions: Conditions, progress: Progress) -> Report:
    """The same questions on the same texts, without memud. Raises DataError where a set has none."""
    search = chosen.search
    if search is None:
        raise DataError(f"{chosen.name} asks for more than a search: it has no baseline")
    stores = limited(search.read(conditions.data), conditions.limit)
    with baseline(conditions, stores, progress) as searcher:
        figures = search.measure(searcher, stores, progress)
    return Report(chosen.name, conditions.told(), Findings(counts(stores), figures), {})
