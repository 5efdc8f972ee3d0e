"""`memud watch`: what happens, as it happens."""

import time
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Annotated, Any

import typer
from memud_client import Client, DisconnectedError, UnreachableError
from memud_client.wire import pauses_s

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
    """Show notices until the command is stopped; survives restarts of the daemon.

    A prediction is claimed before it is shown: what another channel has shown is not shown here, nor what
    this command showed before it was started again with its last cursor.
    """
    wanted: Any = [str(topic) for topic in topics or Topic]
    with terminal.client() as client:
        notices = client.subscribe(wanted, **given(cursor=cursor))
        if not terminal.as_json:
            names = terminal.say("comma").join(terminal.say.word("topic", topic) for topic in wanted)
            terminal.warn("watch.start", topics=names)
        try:
            for notice in notices:
                if (mine := _claimed(client, notice)) is not None:
                    _show_notice(terminal, mine)
        finally:
            notices.close()


def _claimed(client: Client, notice: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The notice, if it is for this command to show."""
    if notice["topic"] != Topic.PROACTIVE:
        return notice
    item = _claim(client, notice["payload"]["id"])
    return None if item is None else {**notice, "payload": item}


def _claim(client: Client, item_id: str) -> Mapping[str, Any] | None:
    """The item, from now on nobody else's; None where somebody had it, or it may not be said any more.

    A claim whose answer is lost is shown nowhere: an item is shown once at most.
    """
    pauses = pauses_s()
    while True:
        try:
            found = client.proactive_next(ids=[item_id])["results"]
        except (DisconnectedError, UnreachableError):  # the daemon starts again
            time.sleep(next(pauses))
        else:
            return next(iter(found), None)


def _show_notice(terminal: Terminal, notice: Mapping[str, Any]) -> None:
    if terminal.as_json:
        typer.echo(to_json(notice, indent=None))
        return
    topic = terminal.say.word("topic", notice["topic"])
    terminal.tell("watch.notice", cursor=notice["cursor"], topic=topic)
    _BY_TOPIC.get(notice["topic"], _show_data)(terminal, notice["payload"])


def _show_prediction(terminal: Terminal, item: Mapping[str, Any]) -> None:
    """What, why, on what evidence, when; and how to say what became of it."""
    show_item(terminal, item)
    terminal.tell("watch.tell", id=item["id"])


def _show_compaction(terminal: Terminal, due: Mapping[str, Any]) -> None:
    terminal.tell("watch.compaction", session=due["session_id"], percent=f"{due['ratio']:.0%}")


def _show_health(terminal: Terminal, health: Mapping[str, Any]) -> None:
    terminal.tell("watch.health", status=terminal.say.word("health", health["status"]))
    for reason in health.get("reasons", ()):
        terminal.tell("status.reason", reason=terminal.say.heard(reason))
    embedder = health.get("embedder", {})
    if embedder.get("mode") == "changing":
        terminal.tell("watch.changing", name=embedder["name"], **progress(embedder))
    if far := health.get("index", {}).get("building"):
        terminal.tell("watch.building", backend=far["backend"], **progress(far))


def _show_data(terminal: Terminal, data: Any) -> None:
    """Of a topic that is newer than this command."""
    terminal.show("  " + to_json(data, indent=None))


_BY_TOPIC: Mapping[str, Callable[[Terminal, Any], None]] = {
    "proactive": _show_prediction,
    "compaction": _show_compaction,
    "health": _show_health,
}
