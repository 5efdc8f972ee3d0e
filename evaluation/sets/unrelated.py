"""Prompts of our own that no store of the public sets has anything to say to: silence is right."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from evaluation.asking import Memud
from evaluation.conditions import Progress
from evaluation.labelled import FILES, READERS
from evaluation.measures import Figure, figure
from evaluation.report import Findings
from evaluation.store import Store
from evaluation.trial import EvalSet, Trial

_CHATS = 3  # of BEAM: ten would make one set outweigh the others
_GREETING = "greeting"


@dataclass(frozen=True, slots=True)
class Prompt:
    """`kind` is short, long or greeting."""

    language: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Heard:
    """How many results a prompt had from a store; `of` is the set that the store is from."""

    prompt: Prompt
    store: Store
    of: str
    items: int


def prompts() -> list[Prompt]:
    """Those of the package."""
    text = files("evaluation").joinpath("data", "unrelated_prompts.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.rstrip("\n").split("\n")]
    return [Prompt(row["lang"], row["kind"], row["text"]) for row in rows]


def share(heard: Sequence[Heard]) -> Figure | None:
    """The share of prompts with any result.

    A prompt counts once, by its mean over the stores: its answers from many stores are not independent.
    """
    by_prompt: dict[Prompt, list[float]] = {}
    for one in heard:
        by_prompt.setdefault(one.prompt, []).append(float(one.items > 0))
    return figure(sum(each) / len(each) for each in by_prompt.values())


def figures(heard: Sequence[Heard]) -> dict[str, Figure | None]:
    """By language without greetings, greetings, then language and kind by the store's language, by set."""
    rest = [one for one in heard if one.prompt.kind != _GREETING]
    groups: dict[str, list[Heard]] = {}
    for one in rest:
        groups.setdefault(f"any.{one.prompt.language}", []).append(one)
    groups[f"any.{_GREETING}"] = [one for one in heard if one.prompt.kind == _GREETING]
    for one in heard:
        groups.setdefault(_cell(one), []).append(one)
    for one in rest:
        groups.setdefault(f"any.{one.of}", []).append(one)
    return {**{name: share(group) for name, group in groups.items()}, "items": figure(o.items for o in rest)}


def _cell(one: Heard) -> str:
    return f"any.{one.prompt.language}.{one.prompt.kind}.on_{one.store.language}"


def _measure(trial: Trial) -> Findings:
    stores = {of: read(trial.data) for of, read in READERS.items()}
    stores["beam"] = stores["beam"][:_CHATS]
    counts = trial.fill([store for group in stores.values() for store in group])
    chosen = prompts()[: trial.conditions.limit]
    heard = list(_ask(trial.memud, stores, chosen, trial.progress))
    return Findings({**counts, "questions": len(chosen)}, figures(heard))


def _ask(
    memud: Memud, stores: Mapping[str, Sequence[Store]], chosen: Sequence[Prompt], progress: Progress
) -> Iterator[Heard]:
    for place, prompt in enumerate(chosen, start=1):
        for of, group in stores.items():
            for store in group:
                yield Heard(prompt, store, of, len(memud.recall(store, prompt.text).keys))
        progress("recall", place, len(chosen))


SET = EvalSet("unrelated", FILES, _measure)
