"""`memud eval threshold`: the table of thresholds, the one to take, and a picture of it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.terminal import Terminal
from cli.texts import Texts

if TYPE_CHECKING:
    from evaluation.conditions import Conditions, Progress
    from evaluation.thresholds.log import LogRow
    from evaluation.thresholds.table import Row

NAME = "threshold"
_PLACES = 4
_MEASURED = ("threshold", "recall", "precision", "false_alarms", "items", "tokens")
_LOGGED = ("threshold", "answered", "memories", "known", "used_share", "unwanted_share", "tokens")
_FORMS = {
    "threshold": ".2f",
    "items": ".1f",
    "tokens": ".0f",
    "memories": "d",
    "known": "d",
}
_WHY = {
    "quiet": "eval.quiet",
    "quietest": "eval.quietest",
    "keeps_used": "eval.keeps_used",
    "too_few": "eval.too_few",
    "none_used": "eval.none_used",
}


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for: thresholds as typed (None: the shipped three), a picture, one's own log."""

    thresholds: str | None
    plot: Path | None
    from_log: bool

    @property
    def is_any(self) -> bool:
        """Whether there is an option that only this command has."""
        return self.from_log or self.thresholds is not None or self.plot is not None


def measure(terminal: Terminal, wish: Wish, conditions: "Conditions", progress: "Progress") -> dict[str, Any]:
    """The report, and the picture where one is wanted. Raises InvalidError for what can't be meant."""
    # Only here, as everything that loads numpy.
    from cli import picture
    from evaluation.thresholds.table import SHIPPED, read_thresholds

    marked = SHIPPED if wish.thresholds is None else read_thresholds(wish.thresholds)
    if wish.plot is not None:
        picture.check(wish.plot)
    if wish.from_log:
        return _by_log(terminal, wish, marked, conditions.limit, progress)
    return _by_sets(wish, marked, conditions, progress)


def show(terminal: Terminal, report: Mapping[str, Any]) -> None:
    """The table and the recommendation, for a person."""
    columns = _LOGGED if report["from_log"] else _MEASURED
    groups: dict[str, list[Sequence[str]]] = {}
    for row in report["rows"]:
        groups.setdefault(row.get("of", ""), []).append([_cell(name, row[name]) for name in columns])
    for name, rows in groups.items():
        if name:
            terminal.show(terminal.say("eval.overall") if name == report["overall"] else name)
        terminal.table(columns, rows)
    if report["from_log"]:
        terminal.tell("eval.strict")
    found = report["recommendation"]
    terminal.tell(_WHY[found["why"]], **found["values"])


def _by_sets(
    wish: Wish, marked: Sequence[float], conditions: "Conditions", progress: "Progress"
) -> dict[str, Any]:
    from evaluation.thresholds import comparison, table

    sets = comparison.labelled_sets(conditions.data, conditions.limit)
    prompts = comparison.unrelated_prompts(conditions.limit)
    drawn = sorted({*marked, *(table.CURVE if wish.plot and wish.thresholds is None else ())})
    conditions.make_room()
    rows = list(comparison.compare(sets, prompts, drawn, conditions.settings(), progress))
    over = table.overall(rows)
    if wish.plot:
        _draw_sets(wish.plot, [*rows, *over], marked)
    found = table.recommend([row for row in over if row.threshold in marked])
    values = {
        "threshold": f"{found.threshold:.2f}",
        "tried": _listed(marked),
        "allowed": f"{100 * table.ALLOWED_FALSE_ALARMS:.0f}",
        "false_alarms": f"{100 * found.false_alarms:.1f}",
        "recall": f"{100 * found.recall:.1f}",
    }
    told = conditions.told()
    return _report([*rows, *over], told, found.threshold, found.why, values, overall=table.OVERALL)


def _by_log(
    terminal: Terminal, wish: Wish, marked: Sequence[float], limit: int | None, progress: "Progress"
) -> dict[str, Any]:
    from evaluation.thresholds import log

    with terminal.client() as client:
        logged = log.newest(client, limit or log.NEWEST)
        rows = list(log.replay(client, logged, sorted(marked), progress)) if logged else []
    if wish.plot and rows:
        _draw_log(wish.plot, rows, marked)
    known = log.known_prompts(logged)
    found = log.recommend(rows, known)
    values = {
        "threshold": "" if found.threshold is None else f"{found.threshold:.2f}",
        "tried": _listed(marked),
        "kept": f"{100 * log.KEPT:.0f}",
        "prompts": str(known),
        "needed": str(log.NEEDED),
    }
    return _report(rows, {"limit": limit or log.NEWEST}, found.threshold, found.why, values, from_log=True)


def _report(
    rows: "Sequence[Row | LogRow]",
    conditions: Mapping[str, Any],
    threshold: float | None,
    why: str,
    values: Mapping[str, str],
    *,
    from_log: bool = False,
    overall: str = "",
) -> dict[str, Any]:
    reason = Texts("en")(_WHY[why], **values)
    return {
        "set": NAME,
        "from_log": from_log,
        "overall": overall,
        "conditions": dict(conditions),
        "rows": [_rounded(asdict(row)) for row in rows],
        "recommendation": {
            "threshold": threshold,
            "why": why,
            "reason": reason,
            "values": dict(values),
        },
    }


def _draw_sets(path: Path, rows: "Sequence[Row]", marked: Sequence[float]) -> None:
    from evaluation.thresholds import picture
    from evaluation.thresholds.table import OVERALL

    names = list(dict.fromkeys(row.of for row in rows))
    curves = [
        picture.Curve(
            name,
            [picture.Point(row.threshold, row.false_alarms, row.recall) for row in rows if row.of == name],
            name == OVERALL,
        )
        for name in names
    ]
    axes = picture.Axes(
        "What a threshold finds, and how often it disturbs",
        "unrelated prompts with any result (share)",
        "evidence recalled (share)",
    )
    picture.draw(path, axes, curves, marked)


def _draw_log(path: Path, rows: "Sequence[LogRow]", marked: Sequence[float]) -> None:
    from evaluation.thresholds import picture

    most = max(1, *(row.used for row in rows))
    points = [picture.Point(row.threshold, row.memories / row.prompts, row.used / most) for row in rows]
    axes = picture.Axes(
        "Own prompts, asked again",
        "memories given for a prompt (mean)",
        "memories that replies used (share of the most)",
    )
    picture.draw(path, axes, [picture.Curve("recall log", points, True)], marked)


def _listed(thresholds: Sequence[float]) -> str:
    return ", ".join(f"{each:.2f}" for each in sorted(thresholds))


def _rounded(row: dict[str, Any]) -> dict[str, Any]:
    return {name: round(value, _PLACES) if isinstance(value, float) else value for name, value in row.items()}


def _cell(name: str, value: float | None) -> str:
    return "-" if value is None else f"{value:{_FORMS.get(name, '.3f')}}"
