"""Users of our own who ask nothing again: greetings, one burst, twice only, another slot each time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.dated import dated_store
from evaluation.fires import HABIT, REPEATED, Fire, watch
from evaluation.halves import parts
from evaluation.measures import Figure, figure
from evaluation.reading import own_lines
from evaluation.report import Findings
from evaluation.store import Store
from evaluation.trial import Trial

KINDS = ("greetings", "burst", "twice", "slot")
_FILE = "intent_guards.jsonl"
_USERS = 10


@dataclass(frozen=True, slots=True)
class Guard:
    """A user about whom nothing should be noticed, and the kind of trap."""

    store: Store
    kind: str
    half: str

    @property
    def language(self) -> str:
        """Of all they say."""
        return self.store.language


def read() -> list[Guard]:
    """Those of the package."""
    return [_guard(row) for row in own_lines(_FILE)]


def figures(guards: Sequence[Guard], fires: Mapping[str, Sequence[Fire]]) -> dict[str, Figure | None]:
    """False alarms per ten users, by half, language and kind."""
    return {
        f"guards.{name}.{kind}": _per_ten([fires[one.store.name] for one in group if one.kind == kind])
        for name, group in parts(guards)
        for kind in KINDS
    }


def measure(trial: Trial) -> Findings:
    """Each user turn by turn, the monitor after each. Raises StandError."""
    guards = read()[: trial.conditions.limit]
    stores = [guard.store for guard in guards]
    fires = watch(trial.stand, stores, {REPEATED, HABIT})
    counts = {"stores": len(stores), "turns": sum(len(store.turns) for store in stores)}
    return Findings(counts, figures(guards, fires))


def _per_ten(fires: Sequence[Sequence[Fire]]) -> Figure | None:
    return figure(float(_USERS * len(each)) for each in fires)


def _guard(row: Mapping[str, Any]) -> Guard:
    return Guard(dated_store(f"guards-{row['user']}", row["lang"], row["events"]), row["kind"], row["half"])
