"""Measures one set under its conditions."""

from evaluation.asking import Memud
from evaluation.conditions import Conditions, Progress
from evaluation.reading import check
from evaluation.report import Report
from evaluation.stand import stand
from evaluation.trial import EvalSet, Trial


def run(chosen: EvalSet, conditions: Conditions, progress: Progress) -> Report:
    """Start a daemon, measure, stop it. Raises DataError before anything starts, StandError."""
    check(conditions.data, chosen.files)
    if conditions.cache and not conditions.words_only:
        conditions.cache.parent.mkdir(parents=True, exist_ok=True)
    with stand(conditions, progress) as running:
        findings = chosen.measure(Trial(conditions, running, Memud(running)))
        told = {"version": running.version, "embedder": running.embedder, **conditions.told()}
        return Report(chosen.name, told, findings, running.tally.costs())
