"""A thousand turns of our own, nearly all of them noise: what becomes a fact, and what should have."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from memud_client import types

from evaluation.measures import Figure, figure
from evaluation.report import Findings
from evaluation.stand import Stand
from evaluation.trial import EvalSet, Trial

# The rules were mended on what they made of the read half; of the unread one only figures were looked at,
# until the end. Fresh turns came after that, and nobody who works on the rules reads what becomes of them.
HALVES = ("read", "unread", "fresh")
_FILES = ("noise.jsonl", "noise_fresh.jsonl")
_USER = "noise"
_GAP_S = 600
_SESSION_TURNS = 25
_PAGE = 200


@dataclass(frozen=True, slots=True)
class NoiseTurn:
    """A turn of some kind of noise, or a `fact`; each of `keep` names a fact by a word, the first is wanted.

    The others may stand in a fact of their own.
    """

    key: str
    half: str
    kind: str
    language: str
    role: types.Role
    content: str
    trigger: str | None
    keep: tuple[str, ...]

    def states(self, memory: str) -> bool:
        """Whether a fact of these words is one to keep."""
        return any(word in memory for word in self.keep)


@dataclass(frozen=True, slots=True)
class Kept:
    """A fact as memud keeps it, and the turns it comes from."""

    memory: str
    keys: frozenset[str]


def read() -> list[NoiseTurn]:
    """Those of the package, in order."""
    return [_turn(place, json.loads(line)) for place, line in enumerate(_lines())]


def figures(turns: Sequence[NoiseTurn], kept: Sequence[Kept]) -> dict[str, Figure | None]:
    """For the thousand, each half, each language: precision and recall of facts; noise that became one."""
    thousand = [turn for turn in turns if turn.half != "fresh"]
    found: dict[str, Figure | None] = _shares(thousand, kept)
    for half in HALVES:
        group = [turn for turn in turns if turn.half == half]
        found |= {f"{half}.{name}": value for name, value in _shares(group, kept).items()}
        for language in ("en", "zh"):
            each = _shares([turn for turn in group if turn.language == language], kept)
            found |= {f"{half}.{language}.{name}": value for name, value in each.items()}
    return found


def mistaken(turns: Sequence[NoiseTurn], kept: Sequence[Kept]) -> list[Kept]:
    """What was kept of these turns and should not have been, or is there twice."""
    told: set[tuple[str, str]] = set()
    return [one for turn in turns for one in kept if turn.key in one.keys and not _is_new(turn, one, told)]


def missed(turns: Sequence[NoiseTurn], kept: Sequence[Kept]) -> list[NoiseTurn]:
    """The turns whose fact is not kept."""
    return [turn for turn in turns if turn.keep and not _is_kept(turn, kept)]


def _lines() -> Iterator[str]:
    for name in _FILES:
        text = files("evaluation").joinpath("data", name).read_text(encoding="utf-8")
        yield from text.rstrip("\n").split("\n")


def _turn(place: int, row: Mapping[str, Any]) -> NoiseTurn:
    return NoiseTurn(
        f"noise-{place}",
        row["half"],
        row["kind"],
        row["lang"],
        row["role"],
        row["content"],
        row.get("trigger"),
        tuple(row.get("keep", ())),
    )


def _shares(turns: Sequence[NoiseTurn], kept: Sequence[Kept]) -> dict[str, Figure | None]:
    keys = {turn.key for turn in turns}
    told = [one for one in kept if one.keys & keys]
    wrong = {one.memory for one in mistaken(turns, kept)}
    stated = {key for one in kept for key in one.keys}
    return {
        "precision": figure(float(one.memory not in wrong) for one in told),
        "recall": figure(float(_is_kept(turn, kept)) for turn in turns if turn.keep),
        "noise": figure(float(turn.key in stated) for turn in turns if not turn.keep),
    }


def _is_new(turn: NoiseTurn, one: Kept, told: set[tuple[str, str]]) -> bool:
    """Whether it states what the turn says and no other fact has stated."""
    words = {(turn.key, word) for word in turn.keep if word in one.memory} - told
    told |= words
    return bool(words)


def _is_kept(turn: NoiseTurn, kept: Sequence[Kept]) -> bool:
    return any(turn.key in one.keys and turn.keep[0] in one.memory for one in kept)


def _measure(trial: Trial) -> Findings:
    turns = read()[: trial.conditions.limit]
    skipped = _capture(trial.stand, turns)
    kept = list(_kept(trial.stand))
    facts = sum(bool(turn.keep) for turn in turns)
    counts = {"turns": len(turns), "left_out": skipped, "facts": facts, "items": len(kept)}
    return Findings(counts, figures(turns, kept))


def _capture(stand: Stand, turns: Sequence[NoiseTurn]) -> int:
    """Hand the turns over, ten minutes apart and up to now; how many memud would not take."""
    start = stand.client.add("Now.", user_id="clock")["item"]["created_at"] - _GAP_S * len(turns)
    skipped = 0
    for place in range(0, len(turns), _SESSION_TURNS):
        session = turns[place : place + _SESSION_TURNS]
        events = [_event(turn, start + _GAP_S * (place + n)) for n, turn in enumerate(session)]
        reply = stand.client.capture(events, user_id=_USER, session_id=f"noise-{place}")
        skipped += len(reply["skipped"])
        stand.progress("fill", place + len(session), len(turns))
    stand.settle()
    return skipped


def _event(turn: NoiseTurn, timestamp: int) -> types.Event:
    event: types.Event = {
        "key": turn.key,
        "role": turn.role,
        "content": turn.content,
        "timestamp": timestamp,
        "tz": "UTC",
    }
    if turn.trigger is not None:
        event["trigger"] = turn.trigger
    return event


def _kept(stand: Stand) -> Iterator[Kept]:
    """All facts, superseded ones too: what a later turn ended was kept all the same."""
    asked: types.ListOptions = {"user_id": _USER, "include_superseded": True, "limit": _PAGE}
    while True:
        page = stand.client.list(**asked)
        for item in page["results"]:
            yield Kept(item["memory"], frozenset(str(each["key"]) for each in item["sources"]))
        if page["cursor"] is None:
            return
        asked["cursor"] = page["cursor"]


SET = EvalSet("noise", (), _measure)
