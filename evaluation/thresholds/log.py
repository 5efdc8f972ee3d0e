"""One's own prompts asked again as of their time, and judged by what became of the memories.

A threshold in a call is strict for every result, so the same threshold gives less here than as a setting.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from memud_client import Client, types

from evaluation.conditions import Progress

NEWEST = 500
"""So many of the newest prompts are looked at."""

NEEDED = 30
"""Prompts with a known outcome: from fewer nothing is concluded."""

KEPT = 0.9
"""Of the used memories that the lowest threshold gives, so many have to be left."""

_PAGE = 500
_UNWANTED = ("forgotten", "edited")
_KNOWN = ("used", "unused", *_UNWANTED)

Why = Literal["keeps_used", "too_few", "none_used"]


@dataclass(frozen=True, slots=True)
class Again:
    """A logged prompt at one threshold: the ids given; `tokens` is None where its words were forgotten."""

    logged: types.LoggedRecall
    ids: frozenset[str]
    tokens: int | None


@dataclass(frozen=True, slots=True)
class LogRow:
    """One threshold. `known` counts memories given of known outcome; `used` and `unwanted` are among them.

    Shares are 0..1, None of nothing; `tokens` is the mean over the prompts that could be asked again.
    """

    threshold: float
    prompts: int
    answered: float
    memories: int
    known: int
    used: int
    unwanted: int
    used_share: float | None
    unwanted_share: float | None
    tokens: float


@dataclass(frozen=True, slots=True)
class LogRecommendation:
    """`keeps_used`: the highest threshold that loses few used memories; else nothing can be said."""

    threshold: float | None
    why: Why


def newest(client: Client, limit: int) -> list[types.LoggedRecall]:
    """The newest recalls of the log, at most so many."""
    found: list[types.LoggedRecall] = []
    cursor: str | None = None
    while len(found) < limit:
        wanted = min(_PAGE, limit - len(found))
        page = client.recall_log(limit=wanted, cursor=cursor) if cursor else client.recall_log(limit=wanted)
        found += page["results"]
        cursor = page["cursor"]
        if cursor is None:
            break
    return found


def replay(
    client: Client, logged: Sequence[types.LoggedRecall], thresholds: Sequence[float], progress: Progress
) -> Iterator[LogRow]:
    """A row for each threshold. Asking as of a moment leaves no trace and delivers nothing."""
    for threshold in thresholds:
        again: list[Again] = []
        for one in logged:
            again.append(_ask(client, one, threshold) if one["query"] else _remembered(one, threshold))
            progress("recall", len(again), len(logged))
        yield log_row(threshold, again)


def log_row(threshold: float, again: Sequence[Again]) -> LogRow:
    """The measures of one threshold, of one prompt at least."""
    outcomes = [
        given["outcome"] for one in again for given in one.logged["results"] if given["id"] in one.ids
    ]
    tokens = [one.tokens for one in again if one.tokens is not None]
    known = sum(outcome in _KNOWN for outcome in outcomes)
    used, unwanted = outcomes.count("used"), sum(outcome in _UNWANTED for outcome in outcomes)
    return LogRow(
        threshold=threshold,
        prompts=len(again),
        answered=fmean(bool(one.ids) for one in again),
        memories=sum(len(one.ids) for one in again),
        known=known,
        used=used,
        unwanted=unwanted,
        used_share=used / known if known else None,
        unwanted_share=unwanted / known if known else None,
        tokens=fmean(tokens) if tokens else 0.0,
    )


def known_prompts(logged: Sequence[types.LoggedRecall]) -> int:
    """How many prompts have a memory whose outcome is known."""
    return sum(any(given["outcome"] in _KNOWN for given in one["results"]) for one in logged)


def recommend(rows: Sequence[LogRow], known: int) -> LogRecommendation:
    """The highest threshold that keeps KEPT of the used memories; none from fewer than NEEDED known prompts.

    What no recall gave is not in the log, so it can't say that a lower threshold than the lowest is better.
    """
    ordered = sorted(rows, key=lambda each: each.threshold)
    if known < NEEDED:
        return LogRecommendation(None, "too_few")
    if not ordered[0].used:
        return LogRecommendation(None, "none_used")
    keeping = [each for each in ordered if each.used >= KEPT * ordered[0].used]
    return LogRecommendation(keeping[-1].threshold, "keeps_used")


def _ask(client: Client, one: types.LoggedRecall, threshold: float) -> Again:
    options: types.RecallOptions = {"threshold": threshold, "as_of": one["at"]}
    if one["session_id"] is not None:
        options["session_id"] = one["session_id"]
    reply = client.recall(one["query"], **options)
    return Again(one, frozenset(result["id"] for result in reply["results"]), reply["tokens"])


def _remembered(one: types.LoggedRecall, threshold: float) -> Again:
    """Where the words were forgotten, by the scores of then."""
    return Again(one, frozenset(given["id"] for given in one["results"] if given["score"] >= threshold), None)
