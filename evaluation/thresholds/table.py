"""What each threshold gives and costs on labelled prompts and unrelated ones, and which one to take."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean
from typing import Literal

from evaluation.evidence import Asked
from evaluation.measures import share_found
from memory.errors import InvalidError

SHIPPED = (0.70, 0.75, 0.80)
CURVE = (0.50, 0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90)
"""For a picture: near enough to one another that a line can be drawn."""

ALLOWED_FALSE_ALARMS = 0.03
"""What the shipped threshold is calibrated for, and what the recommendation asks for."""

OVERALL = "overall"
_ROOM = 10  # results of a recall

Why = Literal["quiet", "quietest"]


@dataclass(frozen=True, slots=True)
class Row:
    """One threshold on one set. Shares are 0..1, `items` and `tokens` means over the labelled prompts.

    `recall`: of a prompt's evidence, at most ten turns. `precision`: of all results, those that are evidence;
    None where nothing came back. `false_alarms`: of the unrelated prompts, those with any result.
    """

    of: str
    threshold: float
    recall: float
    precision: float | None
    false_alarms: float
    items: float
    tokens: float
    prompts: int
    unrelated: int


@dataclass(frozen=True, slots=True)
class Recommendation:
    """`quiet`: the lowest threshold with few enough false alarms; `quietest`: none has so few."""

    threshold: float
    why: Why
    recall: float
    false_alarms: float


def read_thresholds(text: str) -> tuple[float, ...]:
    """Thresholds between 0 and 1 with commas between them. Raises InvalidError."""
    try:
        found = sorted({float(part) for part in text.split(",")})
    except ValueError as error:
        raise InvalidError(f"{text}: no list of thresholds", hint="for example .70,.75,.80") from error
    if not all(0 < each <= 1 for each in found):
        raise InvalidError(
            f"{text}: a threshold lies above 0, and at most at 1", hint="for example .70,.75,.80"
        )
    return tuple(found)


def row(of: str, threshold: float, asked: Sequence[Asked], alarms: Sequence[bool]) -> Row:
    """The measures of one set. Every prompt of `asked` has evidence; there is at least one of each kind.

    `alarms` says of each unrelated prompt whether anything came back.
    """
    return Row(
        of=of,
        threshold=threshold,
        recall=fmean(share_found(one.question.evidence, one.answer.found(_ROOM), _ROOM) for one in asked),
        precision=_mean_or_none(_is_evidence(asked)),
        false_alarms=fmean(alarms),
        items=fmean(len(one.answer.keys) for one in asked),
        tokens=fmean(one.answer.tokens for one in asked),
        prompts=len(asked),
        unrelated=len(alarms),
    )


def overall(rows: Iterable[Row]) -> list[Row]:
    """The mean over the sets at each threshold, from the lowest: a large set counts no more than a small."""
    ordered = sorted(rows, key=lambda each: each.threshold)
    return [
        _over(threshold, list(group)) for threshold, group in groupby(ordered, lambda each: each.threshold)
    ]


def recommend(rows: Iterable[Row]) -> Recommendation:
    """The lowest threshold that lets at most ALLOWED_FALSE_ALARMS through; else the one with the fewest.

    `rows` has one row a threshold. A lower threshold only adds results, so the lowest recalls most.
    """
    ordered = sorted(rows, key=lambda each: each.threshold)
    quiet = [each for each in ordered if each.false_alarms <= ALLOWED_FALSE_ALARMS]
    taken = quiet[0] if quiet else min(ordered, key=lambda each: each.false_alarms)
    why: Why = "quiet" if quiet else "quietest"
    return Recommendation(taken.threshold, why, taken.recall, taken.false_alarms)


def _is_evidence(asked: Sequence[Asked]) -> list[bool]:
    """Of each result of each prompt."""
    return [any(keys & piece for piece in one.question.evidence) for one in asked for keys in one.answer.keys]


def _over(threshold: float, rows: Sequence[Row]) -> Row:
    return Row(
        of=OVERALL,
        threshold=threshold,
        recall=fmean(each.recall for each in rows),
        precision=_mean_or_none([each.precision for each in rows if each.precision is not None]),
        false_alarms=fmean(each.false_alarms for each in rows),
        items=fmean(each.items for each in rows),
        tokens=fmean(each.tokens for each in rows),
        prompts=sum(each.prompts for each in rows),
        unrelated=sum(each.unrelated for each in rows),
    )


def _mean_or_none(values: Sequence[float]) -> float | None:
    return fmean(values) if values else None
