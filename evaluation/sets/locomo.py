"""LoCoMo: long conversations between two people, and questions whose evidence is named turn by turn."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from evaluation.asking import Memud, Searcher
from evaluation.conditions import Progress
from evaluation.evidence import by_kind, evidence_recall, gate_figures, recall_all, search_all
from evaluation.forms import fault, many, one_of, rows, text, time_in
from evaluation.reading import read_list, seconds_in
from evaluation.report import Figures
from evaluation.store import Question, Said, Store, single
from evaluation.trial import SearchSet, evidence_set

_FILE = "locomo/locomo_1-5.json.gz"
_KINDS = {1: "multi_hop", 2: "temporal", 3: "open", 4: "single_hop", 5: "adversarial"}
_ADVERSARIAL = _KINDS[5]
_TIME = "%I:%M %p on %d %B, %Y"
_SESSION = re.compile(r"session_(\d+)")
_DIA_ID = re.compile(r"D\d+:\d+")
_QUESTION_FORM = {"question": text, "category": one_of(*_KINDS)}
_TURNS = rows({"dia_id": text, "speaker": text, "text": text})


def _is_conversation(value: Any) -> bool:
    """Sessions of turns, each with its time; at least one."""
    sessions = [name for name in value if _SESSION.fullmatch(name)] if isinstance(value, dict) else []
    form = dict.fromkeys(sessions, _TURNS) | {f"{name}_date_time": time_in(_TIME) for name in sessions}
    return bool(sessions) and fault(value, form) is None


def _is_question(value: Any) -> bool:
    """Its evidence may be left out."""
    return fault(value, _QUESTION_FORM) is None and many(text)(value.get("evidence", []))


_FORM = {"qa": many(_is_question), "conversation": _is_conversation}


def read(data: Path) -> list[Store]:
    """One store a conversation; evidence that names no turn is dropped."""
    talks = read_list(data / _FILE, _FORM)
    return [_store(f"locomo-{number}", talk) for number, talk in enumerate(talks, start=1)]


def answerable(stores: Sequence[Store]) -> list[Store]:
    """Without the adversarial questions, which ask one of the two people for what the other one said."""
    return [
        replace(store, questions=[one for one in store.questions if one.kind != _ADVERSARIAL])
        for store in stores
    ]


def _store(name: str, talk: Mapping[str, Any]) -> Store:
    turns = list(_turns(talk["conversation"]))
    keys = {turn.key for turn in turns}
    return Store(name, "en", turns, [_question(row, keys) for row in talk["qa"]])


def _turns(conversation: Mapping[str, Any]) -> Iterator[Said]:
    numbers = sorted(int(found[1]) for name in conversation if (found := _SESSION.fullmatch(name)))
    for number in numbers:
        session = f"session_{number}"
        begun = seconds_in(_TIME, conversation[f"{session}_date_time"])
        for place, turn in enumerate(conversation[session]):
            yield Said(turn["dia_id"], "user", _text(turn), begun + place, session, turn["speaker"])


def _text(turn: Mapping[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} [shares {caption}]" if caption else str(turn["text"])


def _question(row: Mapping[str, Any], keys: set[str]) -> Question:
    named = {key for text in row.get("evidence", ()) for key in _DIA_ID.findall(text)}
    return Question(row["question"], single(named & keys), _KINDS[row["category"]])


def _search(searcher: Searcher, stores: Sequence[Store], progress: Progress) -> Figures:
    asked = search_all(searcher, stores, 20, progress)
    adversarial = [one for one in asked if one.question.kind == _ADVERSARIAL]
    others = [one for one in asked if one.question.kind != _ADVERSARIAL]
    return {
        **{f"R@{k}": evidence_recall(others, k) for k in (5, 10, 20)},
        "adversarial.R@10": evidence_recall(adversarial, 10),
        **by_kind(others, 10),
    }


def _gate(memud: Memud, stores: Sequence[Store], progress: Progress) -> Figures:
    return gate_figures(recall_all(memud, answerable(stores), progress))


SET = evidence_set("locomo", (_FILE,), SearchSet(read, _search), _gate)
