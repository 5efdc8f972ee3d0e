"""`memud proactive stats`: how good the predictions were, as a table and as a picture."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli import exits
from cli.moments import show as clock
from cli.plain import one_line
from cli.terminal import Terminal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE_IN = (11.0, 5.0)
_DPI = 150
_DOT = 40.0  # square points of a dot that stands for one prediction
_THROTTLED = {"precision": "scores.throttled.precision", "dismissals": "scores.throttled.dismissals"}
_MOST_DOTS = 12  # as large as so many, or the largest would hide the others


def show_stats(terminal: Terminal, asked: Mapping[str, Any], plot: Path | None) -> None:
    """Ask, draw where a picture is wanted, and answer; ends the command where it can't be drawn."""
    if plot is not None:
        _check(terminal, plot)
    with terminal.client() as client:
        stats: Any = client.proactive_stats(**asked)
    if plot is not None:
        _draw(plot, stats)
    terminal.answer(stats, _show)


def _check(terminal: Terminal, plot: Path) -> None:
    # Only here: no other look at the ledger needs them.
    from cli import picture
    from memory.errors import InvalidError

    try:
        picture.check(plot)
    except InvalidError as error:
        terminal.fail(str(error), exits.USAGE, reason=error.reason, hint=error.hint)


def _show(terminal: Terminal, stats: Mapping[str, Any]) -> None:
    states = [
        terminal.say("scores.state", state=terminal.say.word("state", name), count=count)
        for name, count in stats["states"].items()
        if count
    ]
    terminal.show(terminal.say("comma").join(states) or terminal.say("proactive.none"))
    if stats["brier"] is None:
        terminal.tell("scores.none")
    else:
        _show_scores(terminal, stats)
    for one in stats["detectors"]:
        if one["throttled_by"]:
            _show_throttled(terminal, one)
    for topic in stats["topics"]:
        left = f"{topic['left']:.0%}"
        terminal.tell("scores.topic", text=one_line(topic["text"]), count=topic["dismissed"], left=left)


def _show_scores(terminal: Terminal, stats: Mapping[str, Any]) -> None:
    terminal.table(
        ("detector", "right", "prompted", "wrong", "dismissed", "precision", "posterior"),
        [
            (
                terminal.say.word("detector", one["detector"]),
                *(str(one[name]) for name in ("right", "prompted", "wrong", "dismissed")),
                _share(one["precision"]),
                _share(one["posterior"]),
            )
            for one in stats["detectors"]
        ],
    )
    terminal.table(
        ("day", "right", "wrong", "precision", "detector"),
        [
            (
                one["day"],
                str(one["right"]),
                str(one["wrong"]),
                _share(one["precision"]),
                terminal.say.word("detector", one["detector"]),
            )
            for one in stats["days"]
        ],
    )
    terminal.table(
        ("probability", "predictions", "predicted", "observed"),
        [
            (
                f"{one['low']:.0%} - {one['high']:.0%}",
                str(one["n"]),
                _share(one["predicted"]),
                _share(one["observed"]),
            )
            for one in stats["reliability"]
        ],
    )
    terminal.tell("scores.brier", brier=f"{stats['brier']:.3f}")


def _show_throttled(terminal: Terminal, one: Mapping[str, Any]) -> None:
    detector = terminal.say.word("detector", one["detector"])
    posterior, retry = _share(one["posterior"]), clock(one["retry_at"])
    why = _THROTTLED[one["throttled_by"]]
    terminal.tell(why, detector=detector, posterior=posterior, retry=retry)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _draw(path: Path, stats: Mapping[str, Any]) -> None:
    """The reliability beside the precision by day. Replaces the file."""
    # Only here: it is large, and optional.
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE_IN, dpi=_DPI, layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw_reliability(left, stats)
    _draw_days(right, stats)
    figure.savefig(path)


def _draw_reliability(plot: "Axes", stats: Mapping[str, Any]) -> None:
    bins = stats["reliability"]
    plot.plot([0, 1], [0, 1], linestyle="--", color="grey", label="as sure as it should be")
    plot.plot([one["predicted"] for one in bins], [one["observed"] for one in bins], zorder=2)
    for one in bins:
        size = _DOT * min(_MOST_DOTS, one["n"])
        plot.scatter([one["predicted"]], [one["observed"]], s=size, color="C0", zorder=3)
        place = one["predicted"], one["observed"]
        plot.annotate(str(one["n"]), place, (8, -12), textcoords="offset points")
    brier = "-" if stats["brier"] is None else f"{stats['brier']:.3f}"
    plot.set(title=f"Reliability (Brier score {brier})", xlabel="predicted", ylabel="came true (share)")
    plot.set(xlim=(0, 1), ylim=(-0.03, 1.03))
    plot.grid(alpha=0.3)
    plot.legend(loc="upper left")


def _draw_days(plot: "Axes", stats: Mapping[str, Any]) -> None:
    days = sorted({one["day"] for one in stats["days"]})
    for detector in sorted({one["detector"] for one in stats["days"]}):
        ones = [one for one in stats["days"] if one["detector"] == detector]
        places = [days.index(one["day"]) for one in ones]
        plot.plot(places, [one["precision"] for one in ones], marker="o", label=detector)
    plot.axhline(0.5, linestyle="--", color="grey", linewidth=1)
    plot.set(title="Precision by day", ylabel="right (share)", ylim=(-0.03, 1.03))
    plot.set_xticks(range(len(days)), days, rotation=45, ha="right")
    plot.grid(alpha=0.3)
    if days:
        plot.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))  # beside: dots lie everywhere
