"""The daemon's answers about memories, as a person reads them."""

from collections.abc import Iterable, Mapping
from typing import Any

from cli.moments import show as moment
from cli.plain import one_line
from cli.terminal import Terminal


def capture(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """What became of one event."""
    for event_id in reply["ids"]:
        terminal.tell("send.duplicate" if reply["duplicates"] else "send.accepted", id=event_id)
    for skipped in reply["skipped"]:
        terminal.tell("send.skipped", reason=skipped["reason"], detail=skipped.get("detail", ""))
    if reply["compaction"]["due"]:
        terminal.tell("send.compact", percent=f"{reply['compaction']['ratio']:.0%}")


def recall(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """The block a model would get, then the results; or what came close."""
    if reply["context"]:
        terminal.show(reply["context"] + "\n")
    if reply["results"]:
        results(terminal, reply["results"])
    else:
        terminal.tell("recall.silence", threshold=f"{reply['threshold']:.2f}")
        _near_misses(terminal, reply["near_misses"])
    if reply["proactive"]:
        terminal.tell("recall.proactive")
        for item in reply["proactive"]:
            terminal.show(f"  {item['id']}  {one_line(item['text'])}")
    degraded(terminal, reply)


def search(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """What was found."""
    if reply["results"]:
        results(terminal, reply["results"])
    else:
        terminal.tell("none")
    degraded(terminal, reply)


def results(terminal: Terminal, found: Iterable[Mapping[str, Any]]) -> None:
    """Recalled facts and turns with their scores."""
    columns = ("id", "score", "relevance", "type", "when", "memory")
    terminal.table(columns, [_result_row(terminal, result) for result in found])


def items(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """A page of facts."""
    if not reply["results"]:
        terminal.tell("none")
        return
    columns = ("id", "importance", "type", "when", "marks", "memory")
    terminal.table(columns, [_item_row(terminal, item) for item in reply["results"]])
    if reply.get("cursor"):
        terminal.tell("more", cursor=reply["cursor"])


def fields(terminal: Terminal, record: Mapping[str, Any]) -> None:
    """Everything that is known of one fact or turn: its words first, then a line a field."""
    words = record.get("memory", record.get("text", ""))
    terminal.show(str(words))
    for name, value in record.items():
        if name not in {"memory", "text", "content", "sources"} and value not in (None, [], ""):
            terminal.show(f"  {name}: {_field(name, value)}")
    sources(terminal, record.get("sources", []))


def history(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """A fact's versions and sources."""
    items(terminal, {"results": reply["versions"]})
    sources(terminal, reply["sources"])


def sources(terminal: Terminal, said: Iterable[Mapping[str, Any]]) -> None:
    """Where something was said."""
    for number, source in enumerate(said):
        if number == 0:
            terminal.tell("history.sources")
        where = [source["resource_id"], source.get("role") or "", source.get("session_id") or ""]
        terminal.show(f"  {moment(source['timestamp'])}  {one_line('  '.join(where))}")


def explanation(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """Why something is recalled or not, and every factor."""
    terminal.tell("explain.yes" if reply["recalled"] else "explain.no", reason=reply["reason"])
    terminal.tell("explain.score", score=_number(reply["score"]), threshold=_number(reply["threshold"]))
    for name, value in reply["factors"].items():
        terminal.show(f"  {name}: {_number(value)}")


def degraded(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """Which parts of the daemon could not help."""
    if reply.get("degraded"):
        terminal.warn("degraded", parts=", ".join(reply["degraded"]))


def _near_misses(terminal: Terminal, near: list[Mapping[str, Any]]) -> None:
    if near:
        terminal.tell("recall.near")
        rows = [
            (miss["id"], _number(miss["score"]), one_line(miss["reason"]), miss["memory"]) for miss in near
        ]
        terminal.table(("id", "score", "reason", "memory"), rows)


def _result_row(terminal: Terminal, result: Mapping[str, Any]) -> tuple[str, ...]:
    is_item = result["layer"] == "item"
    return (
        result["id"],
        _number(result["score"]),
        _number(result["relevance"]),
        result["memory_type"] if is_item else terminal.say("layer.resource"),
        moment(result["source"]["timestamp"]),
        result["memory"],
    )


def _item_row(terminal: Terminal, item: Mapping[str, Any]) -> tuple[str, ...]:
    marks = {
        "pinned": item["pinned"],
        "superseded": item["superseded_by"],
        "public": not item["private"],
    }
    return (
        item["id"],
        _number(item["importance"]),
        item["memory_type"],
        moment(item["stated_at"]),
        ", ".join(terminal.say(f"mark.{name}") for name, is_set in marks.items() if is_set),
        item["memory"],
    )


def _field(name: str, value: Any) -> str:
    if name.endswith(("_at", "_from", "_until")) or name == "timestamp":
        return moment(value) if isinstance(value, int) else one_line(value)
    return one_line(", ".join(map(str, value)) if isinstance(value, list) else value)


def _number(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else one_line(value)
