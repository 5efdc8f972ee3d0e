"""What memud prepared by itself, and what happens as it happens: `proactive`, `watch`."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import typer
from memud_client import Client

from cli.given import ahead, given, moment
from cli.moments import show as clock
from cli.options import AsOf, Limit
from cli.plain import one_line, to_json
from cli.terminal import Terminal, command

Action = Annotated[
    Literal["list", "next", "used", "dismissed", "snoozed"],
    typer.Argument(metavar="[ACTION]", help="argument.proactive"),
]
ProactiveId = Annotated[str | None, typer.Argument(metavar="[ID]", help="argument.id")]
State = Annotated[str | None, typer.Option("--state", help="option.state")]
Detector = Annotated[str | None, typer.Option("--detector", help="option.detector")]
SnoozeUntil = Annotated[str | None, typer.Option("--until", help="option.snooze")]
Topics = Annotated[list[str] | None, typer.Option("--topic", help="option.topic")]
Cursor = Annotated[int | None, typer.Option("--cursor", min=0, help="option.cursor")]

_TOPICS = ("proactive", "compaction", "health")


@command
def proactive(
    terminal: Terminal,
    action: Action = "list",
    proactive_id: ProactiveId = None,
    state: State = None,
    detector: Detector = None,
    until: SnoozeUntil = None,
    limit: Limit = None,
    as_of: AsOf = None,
) -> None:
    """Look into the ledger, take what is due, or say what became of an item."""
    when = given(as_of=moment(terminal, as_of), limit=limit)
    with terminal.client() as client:
        if action == "list":
            reply = client.proactive_list(**when, **given(state=state, detector=detector))
            terminal.answer(reply, _show_items)
        elif action == "next":
            terminal.answer(client.proactive_next(**when), _show_items)
        else:
            _resolve(terminal, client, action, proactive_id, ahead(terminal, until))


@command
def watch(terminal: Terminal, topics: Topics = None, cursor: Cursor = None) -> None:
    """Show notices until the command is stopped; survives restarts of the daemon."""
    wanted: Any = topics or _TOPICS
    with terminal.client() as client:
        notices = client.subscribe(wanted, **given(cursor=cursor))
        if not terminal.as_json:
            terminal.warn("watch.start", topics=", ".join(wanted))
        try:
            for notice in notices:
                _show_notice(terminal, notice)
        finally:
            notices.close()


def _resolve(
    terminal: Terminal,
    client: Client,
    outcome: Literal["used", "dismissed", "snoozed"],
    proactive_id: str | None,
    until: int | None,
) -> None:
    if proactive_id is None:
        terminal.refuse("needs.id", command=f"proactive {outcome}")
    reply = client.proactive_resolve(proactive_id, outcome, **given(until=until))
    item = reply["item"]
    terminal.answer(
        reply, lambda terminal, _: terminal.tell("proactive.resolved", id=item["id"], state=item["state"])
    )


def _show_items(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    if not reply["results"]:
        terminal.tell("proactive.none")
    for item in reply["results"]:
        _show_item(terminal, item)


def _show_item(terminal: Terminal, item: Mapping[str, Any]) -> None:
    evidence = ", ".join(part["item_id"] or part["resource_id"] for part in item["evidence"])
    terminal.show(f"{item['id']}  [{item['state']}, {item['detector']}]  {one_line(item['text'])}")
    for key, fields in (
        ("proactive.why", {"why": one_line(item["why"])}),
        ("proactive.evidence", {"ids": evidence}),
        ("proactive.times", _times(item)),
    ):
        terminal.show("    " + terminal.say(key, **fields))


def _times(item: Mapping[str, Any]) -> dict[str, str]:
    return {
        "probability": f"{item['probability']:.0%}",
        "due": clock(item["due_at"]),
        "expires": clock(item["expires_at"]),
    }


def _show_notice(terminal: Terminal, notice: Mapping[str, Any]) -> None:
    if terminal.as_json:
        typer.echo(to_json(notice, indent=None))
        return
    show = _BY_TOPIC.get(notice["topic"], _show_data)
    terminal.show(f"#{notice['cursor']}  {notice['topic']}")
    show(terminal, notice["payload"])


def _show_data(terminal: Terminal, data: Any) -> None:
    terminal.show("  " + to_json(data, indent=None))


_BY_TOPIC: Mapping[str, Callable[[Terminal, Any], None]] = {"proactive": _show_item}
