"""Pairs of our own: a statement and a later one that ends it, or that only looks so. Asked by `add`."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

from evaluation.measures import Figure, figure
from evaluation.report import Findings
from evaluation.stand import Stand
from evaluation.trial import EvalSet, Trial
from memory.model import DAY_S

# The rules were improved on the even pairs of the first file, checked on the odd ones; nobody who works on
# them reads the second.
_FILES = {"learnt": "update_pairs.jsonl", "fresh": "update_pairs_fresh.jsonl"}


@dataclass(frozen=True, slots=True)
class Pair:
    """`half` is where it is from: learnt (read by those who made the rules), held or fresh."""

    half: str
    language: str
    old: str
    new: str
    is_update: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair, and what memud did: it ended the old one, or shows both together."""

    pair: Pair
    is_superseded: bool
    is_doubted: bool


def read() -> list[Pair]:
    """Those of the package."""
    return [pair for half, name in _FILES.items() for pair in _pairs(half, name)]


def figures(judged: Sequence[Judged]) -> dict[str, Figure | None]:
    """For each half and language: updates ended, updates ended or doubted, look-alikes ended wrongly."""
    found: dict[str, Figure | None] = {}
    for half in ("learnt", "held", "fresh"):
        group = [one for one in judged if one.pair.half == half]
        found |= {f"{half}.{name}": value for name, value in _shares(group).items()}
        for language in ("en", "zh"):
            each = _shares([one for one in group if one.pair.language == language])
            found |= {f"{half}.{language}.{name}": value for name, value in each.items()}
    return found


def _shares(judged: Sequence[Judged]) -> dict[str, Figure | None]:
    updates = [one for one in judged if one.pair.is_update]
    others = [one for one in judged if not one.pair.is_update]
    return {
        "superseded": figure(float(one.is_superseded) for one in updates),
        "seen": figure(float(one.is_superseded or one.is_doubted) for one in updates),
        "wrong": figure(float(one.is_superseded) for one in others),
    }


def _pairs(half: str, name: str) -> Iterator[Pair]:
    text = files("evaluation").joinpath("data", name).read_text(encoding="utf-8")
    for place, line in enumerate(text.rstrip("\n").split("\n")):
        row = json.loads(line)
        of = "held" if half == "learnt" and place % 2 else half
        yield Pair(of, row["lang"], row["old"], row["new"], row["label"] == "update")


def _measure(trial: Trial) -> Findings:
    pairs = read()[: trial.conditions.limit]
    now = _now(trial.stand)
    judged = []
    for place, pair in enumerate(pairs, start=1):
        judged.append(_judge(trial.stand, pair, f"updates-{place}", now))
        trial.progress("add", place, len(pairs))
    return Findings({"stores": len(pairs), "facts": 2 * len(pairs)}, figures(judged))


def _now(stand: Stand) -> int:
    """By the daemon's own clock: what is older than some weeks could fade before it is asked for."""
    return stand.client.add("Now.", user_id="updates")["item"]["created_at"]


def _judge(stand: Stand, pair: Pair, user_id: str, now: int) -> Judged:
    old = stand.client.add(pair.old, user_id=user_id, timestamp=now - DAY_S)["item"]["id"]
    new = stand.client.add(pair.new, user_id=user_id, timestamp=now)
    superseded_by = stand.client.get(old, user_id=user_id)["item"]["superseded_by"]
    is_ended = (
        superseded_by == new["item"]["id"] and new["action"] != "grown"
    )  # a longer list holds all of it
    return Judged(pair, is_ended, new["action"] == "maybe")


SET = EvalSet("updates", (), _measure)
