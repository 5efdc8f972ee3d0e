"""Pairs of sentences: does the second one say again what the first one says? Asked by `add`, as people do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.forms import number, text
from evaluation.measures import Figure, Hits, figure, hits_figures
from evaluation.reading import read_lines
from evaluation.report import Findings
from evaluation.stand import Stand
from evaluation.trial import EvalSet, Trial

_ALIKE = {"stsb_en": "pairs/stsb_en_dev.jsonl.gz", "stsb_zh": "pairs/stsb_zh_dev.jsonl.gz"}
_CONTRARY = {"snli": "pairs/snli_dev.jsonl.gz", "ocnli": "pairs/ocnli_dev.jsonl.gz"}
_ALIKE_FORM = {"a": text, "b": text, "score": number}
_CONTRARY_FORM = {"a": text, "b": text, "label": text}
_SAME_FROM, _OTHER_BELOW = 4.5, 4.0  # of 5; between them people do not agree


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sentences of a set, and whether they say the same."""

    of: str
    first: str
    second: str
    is_same: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A pair, and whether memud took the second sentence for a repetition."""

    pair: Pair
    is_repeated: bool


def read(data: Path) -> list[Pair]:
    """All pairs that people agree on, and of the inference sets the contradictions."""
    alike = [_scored(of, row) for of, name in _ALIKE.items() for row in read_lines(data / name, _ALIKE_FORM)]
    contrary = [
        Pair(of, row["a"], row["b"], is_same=False)
        for of, name in _CONTRARY.items()
        for row in read_lines(data / name, _CONTRARY_FORM)
        if row["label"] == "contradiction"
    ]
    return [pair for pair in alike if pair is not None] + contrary


def figures(judged: Sequence[Judged]) -> dict[str, Figure | None]:
    """Precision and recall over the scored pairs and by language; of contradictions the share dropped."""
    alike = [one for one in judged if one.pair.of in _ALIKE]
    found: dict[str, Figure | None] = dict(_ratios(alike))
    for of in _ALIKE:
        each = _ratios([one for one in alike if one.pair.of == of])
        found |= {f"{of}.{name}": value for name, value in each.items()}
    for of in _CONTRARY:
        found[f"{of}.dropped"] = figure(float(one.is_repeated) for one in judged if one.pair.of == of)
    return found


def _ratios(judged: Sequence[Judged]) -> dict[str, Figure]:
    groups = [Hits(one.is_repeated, one.is_repeated and one.pair.is_same, one.pair.is_same) for one in judged]
    return {name: each for name, each in hits_figures(groups).items() if name != "F1"}


def _scored(of: str, row: Mapping[str, Any]) -> Pair | None:
    if _OTHER_BELOW <= row["score"] < _SAME_FROM:
        return None
    return Pair(of, row["a"], row["b"], row["score"] >= _SAME_FROM)


def _measure(trial: Trial) -> Findings:
    pairs = read(trial.data)[: trial.conditions.limit]
    judged = []
    for place, pair in enumerate(pairs, start=1):
        judged.append(Judged(pair, _is_repeated(trial.stand, pair, f"dedupe-{place}")))
        trial.progress("add", place, len(pairs))
    return Findings({"stores": len(pairs), "facts": 2 * len(pairs)}, figures(judged))


def _is_repeated(stand: Stand, pair: Pair, user_id: str) -> bool:
    """Whether the second sentence adds no fact."""
    stand.client.add(pair.first, user_id=user_id)
    return stand.client.add(pair.second, user_id=user_id)["action"] == "reinforced"


SET = EvalSet("dedupe", (*_ALIKE.values(), *_CONTRARY.values()), _measure)
