"""Sentences of our own, one a user: those that commit somebody to something by a date, and look-alikes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from memud_client import types

from evaluation.dated import dated_store, instant
from evaluation.halves import parts
from evaluation.measures import Figure, Hits, hits_figures
from evaluation.reading import own_lines
from evaluation.report import Findings
from evaluation.store import Store
from evaluation.trial import EvalSet, Trial
from evaluation.watching import watch

_FILE = "commitments.jsonl"
_DETECTOR = "commitment"
_MINUTE_S = 60


@dataclass(frozen=True, slots=True)
class Sentence:
    """A user who says one thing.

    `due` has the first and the last moment that are right, None where nothing is to be done; `action` words
    that the item's text must hold.
    """

    store: Store
    half: str
    due: tuple[int, int] | None
    action: tuple[str, ...]

    def is_met(self, item: types.ProactiveItem) -> bool:
        """Whether an item tells of it: the time, the turn and what is to be done."""
        if self.due is None or item["due_at"] is None:
            return False
        text = item["text"].lower()
        return (
            self.due[0] <= item["due_at"] <= self.due[1]
            and any(one["key"] == self.store.turns[0].key for one in item["evidence"])
            and all(word in text for word in self.action)
        )


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence, and the items that it left."""

    sentence: Sentence
    items: Sequence[types.ProactiveItem]

    @property
    def half(self) -> str:
        """Of the sentence."""
        return self.sentence.half

    @property
    def language(self) -> str:
        """Of the sentence."""
        return self.sentence.store.language

    @property
    def hits(self) -> Hits:
        """One item can be right; every other one is too many."""
        right = any(map(self.sentence.is_met, self.items))
        return Hits(len(self.items), int(right), int(self.sentence.due is not None))


def read() -> list[Sentence]:
    """Those of the package."""
    return [_sentence(place, row) for place, row in enumerate(own_lines(_FILE))]


def figures(heard: Sequence[Heard]) -> dict[str, Figure | None]:
    """Precision, recall and F1 of all, of each half, and of each language in it."""
    found: dict[str, Figure | None] = dict(hits_figures([one.hits for one in heard]))
    for name, part in parts(heard):
        shares = hits_figures([one.hits for one in part])
        found |= {f"{name}.{each}": value for each, value in shares.items()}
    return found


def _sentence(place: int, row: Mapping[str, Any]) -> Sentence:
    store = dated_store(f"commitment-{place}", row["lang"], [row])
    return Sentence(store, row["half"], _due(row), tuple(row["action"]))


def _due(row: Mapping[str, Any]) -> tuple[int, int] | None:
    """A day is right from its first to its last moment, a range (`from/to`) likewise.

    Of what is to be done `by` an hour each earlier one of that day is right: at the hour it is too late.
    """
    if row["due"] is None:
        return None
    begin, _, end = row["due"].partition("/")
    if row["precision"] == "day":
        end = (datetime.fromisoformat(begin) + timedelta(days=1)).isoformat()
    if row["precision"] == "by":
        begin, end = begin[: len("2026-01-01")], begin
    slack_s = row["tolerance_min"] * _MINUTE_S
    return instant(begin, row["tz"]) - slack_s, instant(end or begin, row["tz"]) + slack_s


def _measure(trial: Trial) -> Findings:
    sentences = read()[: trial.conditions.limit]
    heard = []
    for place, sentence in enumerate(sentences, start=1):
        heard.append(Heard(sentence, _items(trial, sentence)))
        trial.progress("watch", place, len(sentences))
    counts = {"turns": len(heard), "items": sum(len(one.items) for one in heard)}
    return Findings(counts, figures(heard), list(_mistakes(heard)))


def _items(trial: Trial, sentence: Sentence) -> list[types.ProactiveItem]:
    pauses = watch(trial.stand, sentence.store)
    return [item for pause in pauses for item in pause.items if item["detector"] == _DETECTOR]


def _mistakes(heard: Sequence[Heard]) -> Iterator[Mapping[str, Any]]:
    """Of the half to choose on alone: nobody is to read what becomes of the other."""
    for one in heard:
        hits = one.hits
        if one.half == "choose" and not hits.told == hits.right == hits.wanted:
            items = [{"text": item["text"], "due_at": item["due_at"]} for item in one.items]
            yield {"said": one.sentence.store.turns[0].text, "due": one.sentence.due, "items": items}


SET = EvalSet("commitments", (), _measure)
