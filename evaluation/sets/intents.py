"""CLINC150 streams: three intents come again and again among many others; memud should notice each once."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluation.forms import label, many, rows, text
from evaluation.ingest import fill
from evaluation.measures import Hits, hits_figures
from evaluation.reading import read_lines, seconds
from evaluation.report import Findings
from evaluation.stand import Stand
from evaluation.store import Said, Store
from evaluation.trial import EvalSet, Trial

_FILE = "intents/streams_en.jsonl.gz"
_FORM = {"stream": label, "recurring": many(text), "events": rows({"text": text, "intent": text}, at_least=1)}
_BEGIN = seconds("2026-03-02T00:00:00")
# The set has no times. A stream within a week, and no two events in one sitting: what is asked twice within
# half an hour is one asking, and what comes again after more than a week is no repetition.
_APART_S = 3 * 3600
_DETECTOR = "repeated_intent"


@dataclass(slots=True)
class Stream:
    """One user's events, what each was about, and the clusters that were noticed on the way."""

    store: Store
    intents: Mapping[str, str]
    recurring: frozenset[str]
    seen: set[str] = field(default_factory=set)
    fires: list[frozenset[str]] = field(default_factory=list)


def read(data: Path) -> list[Stream]:
    """One store a stream."""
    return [_stream(row) for row in read_lines(data / _FILE, _FORM)]


def hits(stream: Stream) -> Hits:
    """A fire is right if most of its events share a recurring intent that no fire before it had."""
    found = [_majority([stream.intents[key] for key in keys]) for keys in stream.fires]
    right = {intent for intent in found if intent in stream.recurring}
    return Hits(len(stream.fires), len(right), len(stream.recurring))


def _majority(intents: Sequence[str]) -> str | None:
    intent, count = Counter(intents).most_common(1)[0]
    return intent if 2 * count > len(intents) else None


def _stream(row: Mapping[str, Any]) -> Stream:
    events = row["events"]
    name = f"intents-{row['stream']}"
    turns = [
        Said(str(place), "user", event["text"], _BEGIN + place * _APART_S, name)
        for place, event in enumerate(events)
    ]
    intents = {str(place): event["intent"] for place, event in enumerate(events)}
    return Stream(Store(name, "en", turns), intents, frozenset(row["recurring"]))


def _measure(trial: Trial) -> Findings:
    streams = read(trial.data)[: trial.conditions.limit]
    rounds = max(len(stream.store.turns) for stream in streams)
    for place in range(rounds):
        _go_on(trial.stand, [stream for stream in streams if place < len(stream.store.turns)], place)
        trial.progress("watch", place + 1, rounds)
    counts = {"stores": len(streams), "turns": sum(len(stream.store.turns) for stream in streams)}
    return Findings(counts, hits_figures([hits(stream) for stream in streams]))


def _go_on(stand: Stand, streams: Sequence[Stream], place: int) -> None:
    """The next event of every stream, and the monitor after it."""
    turns = {stream.store.name: stream.store.turns[place] for stream in streams}
    fill(stand, [Store(name, "en", [turn]) for name, turn in turns.items()])
    for stream in streams:
        _watch(stand, stream, turns[stream.store.name].timestamp)


def _watch(stand: Stand, stream: Stream, now: int) -> None:
    user_id = stream.store.name
    stand.client.job_run("monitor", user_id=user_id, as_of=now)
    for item in stand.client.proactive_list(user_id=user_id, detector=_DETECTOR, as_of=now)["results"]:
        if item["id"] not in stream.seen:
            stream.seen.add(item["id"])
            stream.fires.append(frozenset(one["key"] for one in item["evidence"] if one["key"]))


SET = EvalSet("intents", (_FILE,), _measure)
