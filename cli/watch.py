"""`memud watch`: what happens, as it happens."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Annotated, Any

import typer

from cli.given import given
from cli.plain import to_json
from cli.proactive import show_item
from cli.status import progress
from cli.terminal import Terminal, command


class Topic(StrEnum):
    """What one can be told of."""

    PROACTIVE = "proactive"
    COMPACTION = "compaction"
    HEALTH = "health"


Topics = Annotated[list[Topic] | None, typer.Option("--topic", help="option.topic")]
Cursor = Annotated[int | None, typer.Option("--cursor", min=0, help="option.cursor")]


@command
def watch(terminal: Terminal, topics: Topics = None, cursor: Cursor = None) -> None:
    """Show notices until the command is stopped; survives restarts of the daemon."""
    wanted: Any = [str(topic) for topic in topics or Topic]
    with terminal.client() as client:
        notices = client.subscribe(wanted, **given(cursor=cursor))
        if not terminal.as_json:
            names = terminal.say("comma").join(terminal.say.word("topic", topic) for topic in wanted)
            terminal.warn("watch.start", topics=names)
        try:
            for notice in notices:
                _show_notice(terminal, notice)
        finally:
            notices.close()


def _show_notice(terminal: Terminal, notice: Mapping[str, Any]) -> None:
    if terminal.as_json:
        typer.echo(to_json(notice, indent=None))
        return
    topic = terminal.say.word("topic", notice["topic"])
    terminal.tell("watch.notice", cursor=notice["cursor"], topic=topic)
    _BY_TOPIC.get(notice["topic"], _show_data)(terminal, notice["payload"])


def _show_compaction(terminal: Terminal, due: Mapping[str, Any]) -> None:
    terminal.tell("watch.compaction", session=due["session_id"], percent=f"{due['ratio']:.0%}")


def _show_health(terminal: Terminal, health: Mapping[str, Any]) -> None:
    terminal.tell("watch.health", status=terminal.say.word("health", health["status"]))
    for reason in health.get("reasons", ()):
        terminal.tell("status.reason", reason=terminal.say.heard(reason))
    embedder = health.get("embedder", {})
    if embedder.get("mode") == "changing":
        terminal.tell("watch.changing", name=embedder["name"], **progress(embedder))


def _show_data(terminal: Terminal, data: Any) -> None:
    """Of a topic that is newer than this command."""
    terminal.show("  " + to_json(data, indent=None))


_BY_TOPIC: Mapping[str, Callable[[Terminal, Any], None]] = {
    "proactive": show_item,
    "compaction": _show_compaction,
    "health": _show_health,
}
