"""`memud proactive`: what memud prepared by itself."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from memud_client import Client

from cli.given import ago, ahead, given
from cli.moments import show as clock
from cli.options import AsOf, Limit
from cli.plain import one_line
from cli.scores import show_stats
from cli.terminal import Terminal, command

Action = Annotated[
    Literal["list", "next", "used", "dismissed", "snoozed", "stats"],
    typer.Argument(metavar="[ACTION]", help="argument.proactive"),
]
ProactiveId = Annotated[str | None, typer.Argument(metavar="[ID]", help="argument.id")]
State = Annotated[
    Literal["open", "delivered", "used", "hit", "miss", "dismissed", "snoozed", "expired"] | None,
    typer.Option("--state", help="option.proactive_state"),
]
Closed = Annotated[bool, typer.Option("--all", help="option.proactive_all")]
Detector = Annotated[str | None, typer.Option("--detector", help="option.detector")]
Days = Annotated[int | None, typer.Option("--days", help="option.days")]
Plot = Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="option.plot_scores")]
SnoozeUntil = Annotated[str | None, typer.Option("--until", help="option.snooze")]


_OPEN = ("open", "snoozed", "delivered")
_MOST = 1000


@command
def proactive(
    terminal: Terminal,
    action: Action = "list",
    proactive_id: ProactiveId = None,
    state: State = None,
    closed: Closed = False,
    detector: Detector = None,
    until: SnoozeUntil = None,
    limit: Limit = None,
    as_of: AsOf = None,
    days: Days = None,
    plot: Plot = None,
) -> None:
    """Look into the ledger, take what is due, say what became of an item, or how good the items were."""
    if action == "stats":
        show_stats(terminal, given(as_of=ago(terminal, as_of), days=days), plot)
        return
    if plot is not None or days is not None:
        terminal.refuse("proactive.only_stats")
    when = given(as_of=ago(terminal, as_of), limit=limit)
    with terminal.client() as client:
        if action == "list":
            reply = client.proactive_list(**when, **given(state=state, detector=detector))
            shows_all = closed or state is not None
            terminal.answer(reply, _show_all if shows_all else _show_open)
        elif action == "next":
            reply = client.proactive_next(**when, **given(ids=[proactive_id] if proactive_id else None))
            terminal.answer(reply, lambda terminal, _: _show_next(terminal, client, reply, when))
        else:
            _resolve(terminal, client, action, proactive_id, ahead(terminal, until))


def _resolve(
    terminal: Terminal,
    client: Client,
    outcome: Literal["used", "dismissed", "snoozed"],
    proactive_id: str | None,
    until: int | None,
) -> None:
    if proactive_id is None:
        terminal.refuse("needs.id", command=f"proactive {outcome}")
    if outcome == "snoozed" and until is None:
        terminal.refuse("needs.until")
    reply = client.proactive_resolve(proactive_id, outcome, **given(until=until))
    terminal.answer(reply, _show_resolved)


def _show_resolved(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    item = reply["item"]
    terminal.tell("proactive.resolved", id=item["id"], state=terminal.say.word("state", item["state"]))


def _show_open(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """What may still be wanted; of the rest the number."""
    waiting = [item for item in reply["results"] if item["state"] in _OPEN]
    _show_items(terminal, waiting)
    if len(waiting) < len(reply["results"]):
        terminal.tell("proactive.closed", count=len(reply["results"]) - len(waiting))
    terminal.tell("proactive.look")


def _show_all(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """What may still be wanted, then what is closed."""
    _show_items(terminal, reply["results"])


def _show_items(terminal: Terminal, items: Sequence[Mapping[str, Any]]) -> None:
    if not items:
        terminal.tell("proactive.none")
    for item in sorted(items, key=_place):
        show_item(terminal, item)


def _place(item: Mapping[str, Any]) -> tuple[bool, bool, int]:
    """What may still be wanted goes first; in it what is due first, and what has no date last."""
    due_at = item["due_at"]
    return item["state"] not in _OPEN, due_at is None, due_at or 0


def _show_next(terminal: Terminal, client: Client, reply: Mapping[str, Any], when: Mapping[str, Any]) -> None:
    """What is to be brought up now; if nothing is, what waits."""
    if reply["results"]:
        _show_items(terminal, reply["results"])
        return
    asked: Any = {**when, "limit": _MOST}
    held: list[Any] = [
        item
        for state in ("open", "snoozed")
        for item in client.proactive_list(state=state, **asked)["results"]
    ]
    now = when.get("as_of", terminal.now())
    later = [item for item in held if item["due_at"] is not None and item["due_at"] > now]
    ripe = len(held) - len(later)
    if ripe or not held:
        terminal.tell("proactive.held" if ripe else "proactive.none", count=ripe)
    if later:
        first = min(later, key=lambda item: int(item["due_at"]))
        terminal.tell("proactive.later", count=len(later), due=clock(first["due_at"]), id=first["id"])


def show_item(terminal: Terminal, item: Mapping[str, Any]) -> None:
    """One prediction: what, why, on what evidence, and when."""
    evidence = ", ".join(part["item_id"] or part["resource_id"] for part in item["evidence"])
    state = terminal.say.word("state", item["state"])
    detector = terminal.say.word("detector", item["detector"])
    text = one_line(item["text"])
    terminal.tell("proactive.head", id=item["id"], state=state, detector=detector, text=text)
    for key, fields in (
        ("proactive.why", {"why": one_line(terminal.say.heard(item["why"]))}),
        ("proactive.evidence", {"ids": evidence}),
        ("proactive.times", _times(terminal, item)),
    ):
        terminal.show("    " + terminal.say(key, **fields))


def _times(terminal: Terminal, item: Mapping[str, Any]) -> dict[str, str]:
    due_at = item["due_at"]
    return {
        "probability": f"{item['probability']:.0%}",
        "due": terminal.say("proactive.any_time") if due_at is None else clock(due_at),
        "expires": clock(item["expires_at"]),
    }
