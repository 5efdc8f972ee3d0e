"""What passes: the best opens the gate, others are admitted behind it, and the rest is told why not."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from config.settings import RecallSettings
from memory.recall.query import Query
from memory.recall.scored import Scored
from memory.recall.together import with_partners
from memory.scoring.silence import is_silent_prompt

NEAR_MISSES = 5
SHORT_GATE = 0.90
_MEANS_NOTHING = ("empty", "courtesy")


@dataclass(frozen=True, slots=True)
class Bars:
    """`gate` is asked of the best score, `admit` of the relevance of the others; both 0..1."""

    gate: float
    admit: float
    is_strict: bool = False  # a threshold in the call holds for every result


@dataclass(frozen=True, slots=True)
class Verdict:
    """`passed` in the order of standing, best first; `missed` with reasons, closest first."""

    passed: list[Scored]
    missed: list[tuple[Scored, str]]


def bars(query: Query, settings: RecallSettings) -> Bars | None:
    """The bars of one question: its own threshold for all results, or the configured two.

    None: nothing can be meant by it, so it gets silence. A scrap of a few words finds something by chance
    more often (one in seven at .75), so it has to find it surely.
    """
    if query.threshold == 0:
        return Bars(0.0, 0.0, is_strict=True)
    silent = is_silent_prompt(query.text)
    if silent in _MEANS_NOTHING:
        return None
    if query.threshold is not None:
        return Bars(query.threshold, query.threshold, is_strict=True)
    is_scrap = silent == "too_short"
    return Bars(max(settings.gate, SHORT_GATE if is_scrap else 0.0), settings.admit)


def silence(query: Query) -> str | None:
    """Why nothing can be meant by a prompt: `empty` or `courtesy`; None when it may be answered."""
    reason = None if query.threshold == 0 else is_silent_prompt(query.text)
    return reason if reason in _MEANS_NOTHING else None


def judge(scored: Sequence[Scored], bars: Bars) -> Verdict:
    """Split candidates into what is recalled and what is not. A gate of 0 lets everything through."""
    eligible = [one for one in scored if one.candidate.excluded is None]
    if bars.gate == 0:
        return Verdict(eligible, _excluded(scored))
    ranked = sorted(eligible, key=_by_score)
    is_open = bool(ranked) and ranked[0].score >= bars.gate
    passed = [one for one in eligible if is_open and _is_admitted(one, bars)]
    admitted = {one.candidate.key for one in passed}
    passed.sort(key=lambda one: (-one.standing, one.candidate.key))
    passed = with_partners(passed, passed if bars.is_strict else eligible)
    shown = admitted.union(one.candidate.key for one in passed)
    closest = islice((one for one in ranked if one.candidate.key not in shown), NEAR_MISSES)
    missed = [(one, why_missed(one, bars, is_open=is_open)) for one in closest]
    return Verdict(passed, (missed + _excluded(scored))[:NEAR_MISSES])


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
