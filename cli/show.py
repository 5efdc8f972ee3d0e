"""The daemon's answers about memories, as a person reads them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cli.plain import one_line
from cli.terminal import Terminal


def capture(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """What became of one event."""
    for event_id in reply["ids"]:
        terminal.tell("send.duplicate" if reply["duplicates"] else "send.accepted", id=event_id)
    for skipped in reply["skipped"]:
        terminal.tell("send.skipped", reason=left_out(terminal, skipped["reason"], skipped.get("detail")))
    if reply["compaction"]["due"]:
        terminal.tell("send.compact", percent=f"{reply['compaction']['ratio']:.0%}")


def left_out(terminal: Terminal, reason: str, detail: str | None) -> str:
    """Why an event was not kept: what the daemon says of this one, or what its word means."""
    return terminal.say.heard(detail) if detail else terminal.say.word("skip", reason)


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
    """What was found, the best first; without scores, as they are not what a search is ordered by."""
    if reply["results"]:
        _result_table(terminal, ("id", "type", "when", "marks", "memory"), reply["results"])
    else:
        terminal.tell("none")
    degraded(terminal, reply)


def results(terminal: Terminal, found: Iterable[Mapping[str, Any]]) -> None:
    """Recalled facts and turns with their scores; the relevance only where age made a difference."""
    shown = list(found)
    columns = ["id", "score", "relevance", "type", "when", "marks", "memory"]
    if all(number(result["score"]) == number(result["relevance"]) for result in shown):
        columns.remove("relevance")
    _result_table(terminal, columns, shown)


def _result_table(terminal: Terminal, columns: Sequence[str], found: Iterable[Mapping[str, Any]]) -> None:
    """The column of marks only where there is one."""
    rows = [_result_row(terminal, result) for result in found]
    kept = [column for column in columns if column != "marks" or any(row["marks"] for row in rows)]
    terminal.table(kept, [[row[column] for column in kept] for row in rows])


def items(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """A page of facts, the latest stated first: the daemon's pages follow the order of arrival."""
    if not reply["results"]:
        terminal.tell("none")
        return
    columns = ("id", "importance", "type", "when", "marks", "memory")
    # Sorting keeps the daemon's order among facts of one moment.
    latest_first = sorted(reply["results"], key=lambda item: -int(item["stated_at"]))
    terminal.table(columns, [_item_row(terminal, item) for item in latest_first])
    if reply.get("cursor"):
        terminal.tell("more", cursor=reply["cursor"])


def degraded(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """Which parts of the daemon could not help."""
    if reply.get("degraded"):
        terminal.warn("degraded", parts=_parts(terminal, reply["degraded"]))


def _parts(terminal: Terminal, names: Iterable[str]) -> str:
    return terminal.say("comma").join(terminal.say.word("part", name) for name in names)


def _near_misses(terminal: Terminal, near: list[Mapping[str, Any]]) -> None:
    """The reason names the score, so it has no column."""
    if near:
        terminal.tell("recall.near")
        rows = [(miss["id"], one_line(terminal.say.heard(miss["reason"])), miss["memory"]) for miss in near]
        terminal.table(("id", "reason", "memory"), rows)


def _result_row(terminal: Terminal, result: Mapping[str, Any]) -> dict[str, str]:
    is_item = result["layer"] == "item"
    return {
        "id": result["id"],
        "score": number(result["score"]),
        "relevance": number(result["relevance"]),
        "type": terminal.say.word("type", result["memory_type"])
        if is_item
        else terminal.say("layer.resource"),
        "when": _day_and_age(result["date"], result["age"]),
        "marks": terminal.say("mark.superseded") if result.get("superseded_by") else "",
        "memory": result["memory"],
    }


def _item_row(terminal: Terminal, item: Mapping[str, Any]) -> tuple[str, ...]:
    marks = {
        "pinned": item["pinned"],
        "superseded": item["superseded_by"],
        "public": not item["private"],
    }
    return (
        item["id"],
        number(item["importance"]),
        terminal.say.word("type", item["memory_type"]),
        _stated(terminal, item),
        ", ".join(terminal.say(f"mark.{name}") for name, is_set in marks.items() if is_set),
        item["memory"],
    )


def _stated(terminal: Terminal, item: Mapping[str, Any]) -> str:
    """The day a fact was last stated, where that was, and how long ago it is there."""
    # Only here: the daemon has no words for it, as a list has no language.
    from cli.zone import zone
    from memory.ages import age, local_day

    there = zone(item["sources"][-1]["tz"] if item["sources"] else None)
    day = local_day(item["stated_at"], there)
    return _day_and_age(day.isoformat(), age(day, local_day(terminal.now(), there), terminal.say.language))


def _day_and_age(day: str, age: str) -> str:
    return f"{day} · {age}"


def number(value: Any) -> str:
    """A measure with two digits, any other value as it is."""
    if value is None:
        return "-"
    return f"{value:.2f}" if isinstance(value, float) else one_line(value)
