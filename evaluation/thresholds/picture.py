"""The curve of the thresholds as a picture; needs matplotlib, which `memud[plot]` brings."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_SIZE_IN = (7.0, 5.0)
_DPI = 150


@dataclass(frozen=True, slots=True)
class Point:
    """One threshold on a curve; `x` and `y` as the axes say."""

    threshold: float
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The thresholds of one set, from the lowest."""

    name: str
    points: Sequence[Point]
    is_main: bool = False


@dataclass(frozen=True, slots=True)
class Axes:
    """What the picture is of."""

    title: str
    x: str
    y: str


def draw(path: Path, axes: Axes, curves: Sequence[Curve], marked: Sequence[float]) -> None:
    """Write the curves; the thresholds in `marked` are named on the main one. Replaces the file."""
    # Only here: it is large, and optional.
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE_IN, dpi=_DPI, layout="constrained")
    plot = figure.add_subplot()
    for curve in curves:
        width = 2.2 if curve.is_main else 1.0
        xs, ys = [point.x for point in curve.points], [point.y for point in curve.points]
        plot.plot(xs, ys, marker=".", linewidth=width, label=curve.name, zorder=2 + curve.is_main)
    for point in (each for curve in curves if curve.is_main for each in curve.points):
        if point.threshold in marked:
            plot.plot([point.x], [point.y], marker="o", markersize=7, color="black", zorder=4)
            plot.annotate(
                f"{point.threshold:.2f}", (point.x, point.y), (2, -8), textcoords="offset points",
                rotation=-60, va="top",
            )  # fmt: skip
    plot.set(title=axes.title, xlabel=axes.x, ylabel=axes.y)
    plot.set_xlim(left=0)
    plot.set_ylim(bottom=0)
    plot.grid(alpha=0.3)
    plot.legend(loc="lower right")
    figure.savefig(path)
