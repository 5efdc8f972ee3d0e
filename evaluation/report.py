"""What a measurement says at its end."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

from evaluation.measures import Figure, percentile

Figures = Mapping[str, Figure | None]
_PLACES = 4


@dataclass(frozen=True, slots=True)
class Findings:
    """What a set found: how much was measured, and the figures by name; a figure of nothing is left out.

    `mistakes` are for programs: what was told wrongly, or not told, as far as anybody may read it. `floors`
    say what a figure must keep, where something is asked of it, as in `>= 0.80`.
    """

    counts: Mapping[str, int]
    figures: Figures
    mistakes: Sequence[Mapping[str, Any]] = ()
    floors: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Tally:
    """What each answer cost, by method, as the client saw it."""

    ms: dict[str, list[float]] = field(default_factory=dict)
    tokens: dict[str, list[float]] = field(default_factory=dict)

    def add(self, method: str, ms: float, tokens: int) -> None:
        """One more answer."""
        self.ms.setdefault(method, []).append(ms)
        self.tokens.setdefault(method, []).append(tokens)

    def costs(self) -> dict[str, dict[str, float]]:
        """Answers, median and 95th percentile in ms, mean tokens, by method."""
        return {
            method: {
                "answers": len(all_ms),
                "p50_ms": round(percentile(all_ms, 0.5), 2),
                "p95_ms": round(percentile(all_ms, 0.95), 2),
                "tokens": round(fmean(self.tokens[method]), 1),
            }
            for method, all_ms in self.ms.items()
        }


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one set under named conditions."""

    set_name: str
    conditions: Mapping[str, Any]
    findings: Findings
    costs: Mapping[str, Mapping[str, float]]

    def as_json(self) -> dict[str, Any]:
        """For programs; figures to four places."""
        figures = {name: each for name, each in self.findings.figures.items() if each is not None}
        return {
            "set": self.set_name,
            "conditions": dict(self.conditions),
            "counts": dict(self.findings.counts),
            "figures": {name: _rounded(each) for name, each in figures.items()},
            "costs": {method: dict(cost) for method, cost in self.costs.items()},
            "floors": dict(self.findings.floors),
            "mistakes": [dict(each) for each in self.findings.mistakes],
        }


def _rounded(one: Figure) -> dict[str, float]:
    return {name: round(value, _PLACES) for name, value in asdict(one).items()}
