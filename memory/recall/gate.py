"""What passes: the best opens the gate, others are admitted behind it, and the rest is told why not."""

from collections.abc import Sequence
from dataclasses import dataclass

from config.settings import RecallSettings
from memory.recall.query import Query
from memory.recall.scored import Scored

NEAR_MISSES = 5


@dataclass(frozen=True, slots=True)
class Bars:
    """`gate` is asked of the best score, `admit` of the relevance of the others; both 0..1."""

    gate: float
    admit: float
    is_strict: bool = False  # a threshold in the call holds for every result


@dataclass(frozen=True, slots=True)
class Verdict:
    """`passed` best first; `missed` with reasons, closest first."""

    passed: list[Scored]
    missed: list[tuple[Scored, str]]


def bars(query: Query, settings: RecallSettings) -> Bars:
    """The bars of one question: its own threshold for all results, or the configured two."""
    if query.threshold is not None:
        return Bars(query.threshold, query.threshold, is_strict=True)
    return Bars(settings.gate, settings.admit)


def judge(scored: Sequence[Scored], bars: Bars) -> Verdict:
    """Split candidates into what is recalled and what is not. A gate of 0 lets everything through."""
    eligible = [one for one in scored if one.candidate.excluded is None]
    if bars.gate == 0:
        return Verdict(eligible, _excluded(scored))
    ranked = sorted(eligible, key=_by_score)
    is_open = bool(ranked) and ranked[0].score >= bars.gate
    passed = [one for one in ranked if is_open and _is_admitted(one, bars)]
    missed = [
        (one, why_missed(one, bars, is_open=is_open))
        for one in ranked
        if not (is_open and _is_admitted(one, bars))
    ]
    return Verdict(passed, (missed[:NEAR_MISSES] + _excluded(scored))[:NEAR_MISSES])


def _by_score(one: Scored) -> tuple[float, float, float, int]:
    """Score, then importance and retention."""
    return (-one.score, -one.candidate.importance, -one.retention, one.candidate.key)


def _is_admitted(one: Scored, bars: Bars) -> bool:
    return one.score >= bars.gate or (not bars.is_strict and one.relevance >= bars.admit)


def why_missed(one: Scored, bars: Bars, *, is_open: bool) -> str:
    if not is_open or bars.is_strict:
        if one.relevance >= bars.gate > one.score:
            return f"faded: relevance {one.relevance:.2f}, but score {one.score:.2f} < {bars.gate:.2f}"
        return f"score {one.score:.2f} < threshold {bars.gate:.2f}"
    return f"relevance {one.relevance:.2f} < admission {bars.admit:.2f}"


def _excluded(scored: Sequence[Scored]) -> list[tuple[Scored, str]]:
    return [(one, one.candidate.excluded) for one in scored if one.candidate.excluded is not None]
