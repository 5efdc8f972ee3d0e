"""ProactiveMemBench: a remark of the user, and what else of the memory should come up unasked."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evaluation.asking import Answer, Memud
from evaluation.conditions import Progress
from evaluation.evidence import Asked, by_kind, evidence_recall, gate_figures, recall_all
from evaluation.forms import label, many, one_of, text, time
from evaluation.measures import figure
from evaluation.reading import read_lines, seconds
from evaluation.report import Figures, Findings
from evaluation.store import Question, Said, Store, limited
from evaluation.trial import EvalSet, Trial

_TURNS = "proactivemembench/turns.jsonl.gz"
_TRIGGERS = "proactivemembench/questions.jsonl.gz"
_TURN_FORM = {
    "dom": text,
    "session": label,
    "turn": label,
    "role": one_of("user", "assistant"),
    "ts": time,
    "text": text,
    "units": many(text),
}
_TRIGGER_FORM = {"dom": text, "id": label, "trigger": text, "gold": many(text), "source_pairs": many(text)}
_MOST = 10
_MAX_TOKENS = 1000

Golds = Mapping[str, Sequence[str]]


def read(data: Path) -> list[Store]:
    """One store of all domains; a trigger's evidence are the units it stems from, where they were said."""
    rows = read_lines(data / _TURNS, _TURN_FORM)
    turns = sorted((_turn(row) for row in rows), key=lambda turn: turn.timestamp)
    units = _units(rows)
    triggers = [_trigger(row, units) for row in read_lines(data / _TRIGGERS, _TRIGGER_FORM)]
    return [Store("proactive", "en", turns, triggers)]


def golds(data: Path) -> Golds:
    """What should come up after each trigger, as far as the user said it in these very words."""
    said = _said(read_lines(data / _TURNS, _TURN_FORM))
    return {
        _qid(row): [gold for gold in row["gold"] if _plain(gold) in said.get(row["dom"], "")]
        for row in read_lines(data / _TRIGGERS, _TRIGGER_FORM)
    }


def gold_share(answer: Answer, wanted: Sequence[str]) -> float:
    """The part of the concepts that stand literally in the block."""
    block = _plain(answer.context)
    return sum(_plain(gold) in block for gold in wanted) / len(wanted)


def _turn(row: Mapping[str, Any]) -> Said:
    session = f"{row['dom']}-{row['session']}"
    return Said(_key(row), row["role"], row["text"], seconds(row["ts"]), session)


def _key(row: Mapping[str, Any]) -> str:
    return f"{row['dom']}-{row['session']}-{row['turn']}"


def _qid(row: Mapping[str, Any]) -> str:
    return f"{row['dom']}-{row['id']}"


def _units(rows: Sequence[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    """The turns in which each unit was said; units are numbered anew in each domain."""
    found: dict[str, set[str]] = {}
    for row in rows:
        for unit in row["units"]:
            found.setdefault(f"{row['dom']}-{unit}", set()).add(_key(row))
    return {unit: frozenset(keys) for unit, keys in found.items()}


def _trigger(row: Mapping[str, Any], units: Mapping[str, frozenset[str]]) -> Question:
    named = dict.fromkeys(f"{row['dom']}-{unit}" for unit in row["source_pairs"])
    pieces = tuple(units[unit] for unit in named if unit in units)
    return Question(row["trigger"], pieces, row["dom"], _qid(row))


def _said(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    texts: dict[str, list[str]] = {}
    for row in rows:
        if row["role"] == "user":
            texts.setdefault(row["dom"], []).append(_plain(row["text"]))
    return {domain: "\n".join(each) for domain, each in texts.items()}


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _measure(trial: Trial) -> Findings:
    stores = limited(read(trial.data), trial.conditions.limit)
    counts = trial.fill(stores)
    ungated = list(_ungated(trial.memud, stores, trial.progress))
    wanted = golds(trial.data)
    return Findings(counts, {**_block_figures(ungated, wanted), **_gate(trial.memud, stores, trial.progress)})


def _ungated(memud: Memud, stores: Sequence[Store], progress: Progress) -> Iterator[Asked]:
    """The ten best for each trigger, whatever they are worth."""
    for store in stores:
        for place, question in enumerate(store.questions, start=1):
            yield Asked(question, memud.block(store, question.text, _MOST, _MAX_TOKENS))
            progress("recall", place, len(store.questions))


def _block_figures(asked: Sequence[Asked], wanted: Golds) -> Figures:
    literal = [one for one in asked if wanted[one.question.qid]]
    return {
        "gold@10": figure(gold_share(one.answer, wanted[one.question.qid]) for one in literal),
        "unit@10": evidence_recall(asked, 10),
        "block.tokens": figure(one.answer.tokens for one in asked),
        **{name.replace("R@10", "unit@10"): value for name, value in by_kind(asked, 10).items()},
    }


def _gate(memud: Memud, stores: Sequence[Store], progress: Progress) -> Figures:
    return gate_figures(recall_all(memud, stores, progress))


SET = EvalSet("proactive", (_TURNS, _TRIGGERS), _measure)
