"""Scenes of our own: questions left open, dates to come, decisions about to be overtaken, and look-alikes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memud_client import types

from evaluation.dated import dated_store, instant
from evaluation.halves import parts
from evaluation.measures import Figure, Hits, figure, hits_figures
from evaluation.reading import own_lines
from evaluation.report import Findings
from evaluation.store import Store
from evaluation.trial import EvalSet, Trial
from evaluation.watching import LIVE, Pause, watch
from memory.model import DAY_S

DETECTORS = ("open_question", "upcoming", "overtaken")
_FILE = "foresight.jsonl"


@dataclass(frozen=True, slots=True)
class Scene:
    """One user's turns and what a detector should make of them.

    `by` is the place of the turn after which an item should exist (None: never), `closed_by` of the one
    after which none should be open. `date_ends_at` is the end of the day that an upcoming date names.
    """

    store: Store
    of: str
    half: str
    by: int | None
    closed_by: int | None
    date_ends_at: int | None


@dataclass(frozen=True, slots=True)
class Seen:
    """A scene, and in each of its silences the items of its detector."""

    scene: Scene
    pauses: Sequence[Pause]

    @property
    def half(self) -> str:
        """Of the scene."""
        return self.scene.half

    @property
    def language(self) -> str:
        """Of the scene."""
        return self.scene.store.language

    @property
    def right(self) -> types.ProactiveItem | None:
        """The item that the scene asks for, in the first silence after its turn."""
        if self.scene.by is None:
            return None
        keys = {turn.key for turn in self.scene.store.turns[: self.scene.by + 1]}
        items = self._after(self.scene.by)
        return next((item for item in items if any(one["key"] in keys for one in item["evidence"])), None)

    @property
    def hits(self) -> Hits:
        """Every item of the scene was told, in whichever silence."""
        told = {item["id"] for pause in self.pauses for item in pause.items}
        return Hits(len(told), int(self.right is not None), int(self.scene.by is not None))

    @property
    def is_closed(self) -> bool | None:
        """Whether nothing is open any more once it is settled; None where that does not come to pass."""
        if self.scene.closed_by is None or self.right is None:
            return None
        return all(item["state"] not in LIVE for item in self._after(self.scene.closed_by))

    @property
    def is_in_time(self) -> bool | None:
        """Whether the right item is due before the date is over; None where there is no date or item."""
        if self.scene.date_ends_at is None or self.right is None:
            return None
        return self.right["due_at"] is not None and self.right["due_at"] <= self.scene.date_ends_at

    @property
    def is_flawless(self) -> bool:
        """Whether there is nothing to mend."""
        exact = self.hits.told == self.hits.right == self.hits.wanted
        return exact and self.is_closed is not False and self.is_in_time is not False

    def _after(self, place: int) -> Sequence[types.ProactiveItem]:
        return next(pause.items for pause in self.pauses if pause.turns > place)


def read() -> list[Scene]:
    """Those of the package."""
    return [_scene(place, row) for place, row in enumerate(own_lines(_FILE))]


def figures(seen: Sequence[Seen]) -> dict[str, Figure | None]:
    """For each detector, half and language: precision, recall, F1; the shares closed and in time."""
    found: dict[str, Figure | None] = {}
    for of in DETECTORS:
        group = [one for one in seen if one.scene.of == of]
        found |= _named(of, group)
        for name, part in parts(group):
            found |= _named(f"{of}.{name}", part)
    return found


def _named(name: str, seen: Sequence[Seen]) -> dict[str, Figure | None]:
    shares: dict[str, Figure | None] = {
        **hits_figures([one.hits for one in seen]),
        "closed": figure(float(one.is_closed) for one in seen if one.is_closed is not None),
        "in_time": figure(float(one.is_in_time) for one in seen if one.is_in_time is not None),
    }
    return {f"{name}.{each}": value for each, value in shares.items()}


def _scene(place: int, row: Mapping[str, Any]) -> Scene:
    store, expect = dated_store(f"scene-{place}", row["lang"], row["turns"]), row["expect"]
    date = expect.get("date")
    ends_at = None if date is None else instant(date, store.turns[0].tz) + DAY_S
    return Scene(store, row["of"], row["half"], expect.get("by"), expect.get("closed_by"), ends_at)


def _measure(trial: Trial) -> Findings:
    scenes = read()[: trial.conditions.limit]
    seen = []
    for place, scene in enumerate(scenes, start=1):
        seen.append(Seen(scene, list(_pauses(trial, scene))))
        trial.progress("watch", place, len(scenes))
    counts = {"stores": len(scenes), "turns": sum(len(scene.store.turns) for scene in scenes)}
    return Findings(counts, figures(seen), list(_mistakes(seen)))


def _pauses(trial: Trial, scene: Scene) -> Iterator[Pause]:
    for pause in watch(trial.stand, scene.store):
        yield Pause(pause.turns, [item for item in pause.items if item["detector"] == scene.of])


def _mistakes(seen: Sequence[Seen]) -> Iterator[Mapping[str, Any]]:
    """Of the half to choose on alone: nobody is to read what becomes of the other."""
    for one in seen:
        if one.half == "choose" and not one.is_flawless:
            texts = sorted({item["text"] for pause in one.pauses for item in pause.items})
            yield {"of": one.scene.of, "said": [turn.text for turn in one.scene.store.turns], "items": texts}


SET = EvalSet("foresight", (), _measure)
