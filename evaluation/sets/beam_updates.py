"""BEAM's changed and contradicted statements: the newer must be found, and stand before the older."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluation.asking import Answer, Memud, Searcher
from evaluation.conditions import Progress
from evaluation.evidence import Asked, evidence_recall, search_all
from evaluation.forms import label, many, one_of, text
from evaluation.measures import Figure, figure
from evaluation.reading import malformed, read_lines
from evaluation.report import Figures
from evaluation.sets import beam
from evaluation.store import Question, Said, Store
from evaluation.trial import SearchSet, evidence_set

_PAIRS = "beam/update_contradiction_pairs.jsonl.gz"
_SHORT = {"knowledge_update": "update", "contradiction_resolution": "contradiction"}
_FORM = {
    "conv": label,
    "kind": one_of(*_SHORT),
    "question": text,
    "old_ids": many(label, at_least=1),
    "new_ids": many(label, at_least=1),
}


def read(data: Path) -> list[Store]:
    """BEAM's stores, with the pairs before its own questions.

    The evidence of a pair has two pieces: the later statement and the earlier one.
    """
    pairs: dict[str, list[Mapping[str, Any]]] = {}
    for row in read_lines(data / _PAIRS, _FORM):
        pairs.setdefault(beam.name(str(row["conv"])), []).append(row)
    stores = beam.read(data)
    for store in stores:
        _check(data / _PAIRS, store, pairs.get(store.name, ()))
    return [_with_pairs(store, pairs.get(store.name, ())) for store in stores]


def _check(path: Path, store: Store, rows: Sequence[Mapping[str, Any]]) -> None:
    """Raises DataError when a pair names a message that its chat does not have."""
    keys = {turn.key for turn in store.turns}
    strange = {str(key) for row in rows for key in (*row["old_ids"], *row["new_ids"])} - keys
    if strange:
        raise malformed(path, f"{store.name} has no message {min(strange)}", _FORM)


def _with_pairs(store: Store, rows: Sequence[Mapping[str, Any]]) -> Store:
    return replace(store, questions=[*(_pair(row, store.turns) for row in rows), *store.questions])


def _pair(row: Mapping[str, Any], turns: Sequence[Said]) -> Question:
    """Which of two contradicting statements is the later one is told by their times, not by the label."""
    at = {turn.key: turn.timestamp for turn in turns}
    statements = [[str(key) for key in row[side]] for side in ("old_ids", "new_ids")]
    earlier, later = sorted(statements, key=lambda keys: max(at[key] for key in keys))
    # One message that holds both leaves no older one to stand before it.
    pieces = (frozenset(later), frozenset(earlier) - frozenset(later))
    return Question(row["question"], pieces, _SHORT[row["kind"]])


def is_newer_first(answer: Answer, question: Question) -> bool:
    """Whether the later statement is there, and the earlier one not before it."""
    later, earlier = (answer.place(piece) for piece in question.evidence)
    return later is not None and (earlier is None or later < earlier)


def _search(searcher: Searcher, stores: Sequence[Store], progress: Progress) -> Figures:
    asked = search_all(searcher, stores, 10, progress)
    kinds = [_SHORT[name] for name in sorted(_SHORT, reverse=True)]
    pairs = {kind: [one for one in asked if one.question.kind == kind] for kind in kinds}
    others = [one for one in asked if one.question.kind not in pairs]
    by_score = [Asked(one.question, one.answer.by_score()) for one in others]
    return {
        **{f"newer_first.{kind}": _newer_first(group) for kind, group in pairs.items()},
        **{f"newer@10.{kind}": _newer_found(group) for kind, group in pairs.items()},
        "R@5": evidence_recall(others, 5),
        "R@5.by_score": evidence_recall(by_score, 5),
    }


def _newer_first(pairs: Sequence[Asked]) -> Figure | None:
    return figure(float(is_newer_first(one.answer, one.question)) for one in pairs)


def _newer_found(pairs: Sequence[Asked]) -> Figure | None:
    return figure(float(one.answer.place(one.question.evidence[0]) is not None) for one in pairs)


def _gate(memud: Memud, stores: Sequence[Store], progress: Progress) -> Figures:
    """Nothing more: what comes before a prompt is measured by `beam`."""
    return {}


SET = evidence_set("beam-updates", (beam.MESSAGES, beam.QUESTIONS, _PAIRS), SearchSet(read, _search), _gate)
