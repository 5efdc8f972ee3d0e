"""LifeBench: a year of one Chinese user (messages, notes, calendar, notices), with questions on it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.asking import Memud, Searcher
from evaluation.conditions import Progress
from evaluation.evidence import any_evidence, by_kind, evidence_recall, gate_figures, recall_all, search_all
from evaluation.forms import many, text, time
from evaluation.reading import read_lines, seconds
from evaluation.report import Figures
from evaluation.store import Question, Said, Store, single
from evaluation.trial import SearchSet, evidence_set

_FOLDER = "lifebench_zh"
_USER = "lumingqiang"
_CORPUS, _QUESTIONS = f"{_FOLDER}/{_USER}_corpus.jsonl.gz", f"{_FOLDER}/{_USER}_qa.jsonl.gz"
_TURN_FORM = {"id": text, "t": time, "text": text}
_QUESTION_FORM = {"question": text, "type": text, "evidence": many(text)}


def read(data: Path) -> list[Store]:
    """One store, in order of time, a session a day; only questions whose evidence is in it."""
    corpus, questions = read_lines(data / _CORPUS, _TURN_FORM), read_lines(data / _QUESTIONS, _QUESTION_FORM)
    turns = sorted((_turn(row) for row in corpus), key=lambda turn: turn.timestamp)
    keys = frozenset(turn.key for turn in turns)
    asked = [_question(row, keys) for row in questions]
    return [Store(f"lifebench-{_USER}", "zh", turns, [one for one in asked if one.evidence])]


def _question(row: Mapping[str, Any], keys: frozenset[str]) -> Question:
    return Question(row["question"], single(keys.intersection(row["evidence"])), row["type"])


def _turn(row: Mapping[str, Any]) -> Said:
    return Said(row["id"], "user", row["text"], seconds(row["t"]), f"day-{row['t'][:10]}")


def _search(searcher: Searcher, stores: Sequence[Store], progress: Progress) -> Figures:
    asked = search_all(searcher, stores, 10, progress)
    return {
        "any@10": any_evidence(asked, 10),
        "R@10": evidence_recall(asked, 10, capped=True),
        "R@5": evidence_recall(asked, 5, capped=True),
        **by_kind(asked, 10, capped=True),
    }


def _gate(memud: Memud, stores: Sequence[Store], progress: Progress) -> Figures:
    asked = recall_all(memud, stores, progress)
    return {**gate_figures(asked), "gate.recall": evidence_recall(asked, 10, capped=True)}


SET = evidence_set("lifebench", (_CORPUS, _QUESTIONS), SearchSet(read, _search), _gate)
