"""Streams in which three intents come again and again among many others; memud should notice each once.

English ones are CLINC150's, Chinese ones come with memud, as do the dated days and the guards beside them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.fires import REPEATED, Fire, watch
from evaluation.forms import label, many, rows, text
from evaluation.halves import HALVES
from evaluation.measures import Figure, Hits, hits_figures
from evaluation.reading import own_lines, place, read_lines, seconds
from evaluation.report import Findings
from evaluation.sets import intent_days, intent_guards
from evaluation.store import Said, Store
from evaluation.trial import EvalSet, Trial
from memory.terms import Language

_FILE = "intents/streams_en.jsonl.gz"
_OWN = "intents_zh.jsonl"
_FORM = {"stream": label, "recurring": many(text), "events": rows({"text": text, "intent": text}, at_least=1)}
_BEGIN = seconds("2026-03-02T00:00:00")
# The set has no times. A stream within a week, and no two events in one sitting: what is asked twice within
# half an hour is one asking, and what comes again after more than a week is no repetition.
_APART_S = 3 * 3600


@dataclass(frozen=True, slots=True)
class Stream:
    """One user's events, what each was about, and which of it comes again; `half` is empty for CLINC150's."""

    store: Store
    intents: Mapping[str, str]
    recurring: frozenset[str]
    half: str = ""


def read(data: Path) -> list[Stream]:
    """Those of CLINC150, one store a stream. Raises DataError."""
    return [_stream(row, "intents", "en") for row in read_lines(place(data, _FILE), _FORM)]


def read_own() -> list[Stream]:
    """The Chinese ones of the package."""
    return [_stream(row, "intents-zh", "zh") for row in own_lines(_OWN)]


def hits(stream: Stream, fires: Sequence[Fire]) -> Hits:
    """A fire is right if most of its events share a recurring intent that no fire before it had."""
    return _hits(stream, [fire.intent(stream.intents) for fire in fires])


def strict_hits(stream: Stream, fires: Sequence[Fire]) -> Hits:
    """The same, where all of its first three events have to share it."""
    return _hits(stream, [fire.strict_intent(stream.intents) for fire in fires])


def figures(streams: Sequence[Stream], fires: Mapping[str, Sequence[Fire]]) -> dict[str, Figure]:
    """Precision, recall and F1, then the strict ones."""
    told = [(stream, fires[stream.store.name]) for stream in streams]
    strict = hits_figures([strict_hits(*each) for each in told])
    found = hits_figures([hits(*each) for each in told])
    return {**found, **{f"strict.{name}": value for name, value in strict.items()}}


def _hits(stream: Stream, found: Sequence[str | None]) -> Hits:
    return Hits(len(found), len(stream.recurring.intersection(found)), len(stream.recurring))


def _stream(row: Mapping[str, Any], prefix: str, language: Language) -> Stream:
    name = f"{prefix}-{row['stream']}"
    turns = [
        Said(str(number), "user", event["text"], _BEGIN + number * _APART_S, name)
        for number, event in enumerate(row["events"])
    ]
    intents = {str(number): event["intent"] for number, event in enumerate(row["events"])}
    return Stream(Store(name, language, turns), intents, frozenset(row["recurring"]), row.get("half", ""))


def _measure(trial: Trial) -> Findings:
    limit = trial.conditions.limit
    public = read(trial.data)[:limit] if _has_public(trial) else []
    own = read_own()[:limit]
    streams = [*public, *own]
    fires = watch(trial.stand, [stream.store for stream in streams], {REPEATED})
    found = figures(public, fires)
    for half in HALVES:
        group = [stream for stream in own if stream.half == half]
        found |= {f"zh.{half}.{name}": value for name, value in figures(group, fires).items()}
    turns = sum(len(stream.store.turns) for stream in streams)
    mine = Findings({"stores": len(streams), "turns": turns}, found)
    return _together([mine, intent_days.measure(trial), intent_guards.measure(trial)])


def _has_public(trial: Trial) -> bool:
    """Without a folder named, its part is left out; the others come with memud."""
    return trial.conditions.is_data_named or place(trial.data, _FILE).is_file()


def _together(all_findings: Sequence[Findings]) -> Findings:
    counts = {name: sum(each.counts[name] for each in all_findings) for name in all_findings[0].counts}
    return Findings(counts, {name: one for each in all_findings for name, one in each.figures.items()})


SET = EvalSet("intents", (_FILE,), _measure, brings_own=True)
