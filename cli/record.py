"""One memory in full, as a person reads it: its fields in words, its history, why it is recalled."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cli.moments import show as moment
from cli.plain import one_line
from cli.show import number
from cli.terminal import Terminal

Said = Callable[[str], str | None]
"""The words of a turn or fact by its id; None where it is forgotten."""

_ELSEWHERE = {"memory", "text", "content", "sources"}
_NAMED = {
    "memory_type": "type",
    "kind": "kind",
    "role": "role",
    "origin": "origin",
    "trust": "trust",
    "modality": "modality",
}
_SHOWN = {"score", "place"}  # in the sentences above the factors


def fields(terminal: Terminal, record: Mapping[str, Any]) -> None:
    """Everything that is known of one fact or turn: its words first, then a line a field."""
    terminal.show(str(record.get("memory", record.get("text", ""))))
    for name, value in record.items():
        if name not in _ELSEWHERE and (value not in (None, [], "") or name == "half_life_days"):
            shown = _value(terminal, name, value)
            line = terminal.say("field.line", name=terminal.say.word("field", name), value=shown)
            terminal.show(f"  {line}")
    _sources(terminal, record.get("sources", []), lambda _: "")


def history(terminal: Terminal, reply: Mapping[str, Any], said: Said, stated: Said) -> None:
    """A fact's versions, the one that holds marked, what replaced it, and the words it came from."""
    rows: list[tuple[str, ...]] = []
    for version in reply["versions"]:
        holds = not rows and _holds(version, terminal.now())
        mark = terminal.say("history.now" if holds else "history.before")
        kind = terminal.say.word("type", version["memory_type"])
        rows.append((version["id"], mark, moment(version["stated_at"]), kind, version["memory"]))
    terminal.table(("id", "marks", "when", "type", "memory"), rows)
    successor = reply["versions"][0]["superseded_by"] if reply["versions"] else None
    if successor:
        words = stated(successor) or terminal.say("history.gone")
        terminal.tell("history.replaced", id=successor, memory=one_line(words))
    _sources(terminal, reply["sources"], said)


def explanation(terminal: Terminal, reply: Mapping[str, Any], memory: Mapping[str, Any], said: Said) -> None:
    """Why something is recalled or not, every factor that says something, and the words it rests on."""
    if words := memory.get("memory", memory.get("text")):
        terminal.show(one_line(words))
    factors = reply["factors"]
    if reply["recalled"] and factors.get("place") is not None:
        terminal.tell("explain.yes", place=factors["place"])
    else:
        terminal.tell("explain.no", reason=terminal.say.heard(reply["reason"]))
    terminal.tell("explain.score", score=number(reply["score"]), threshold=number(reply["threshold"]))
    for name, value in factors.items():
        if name not in _SHOWN and value not in (None, "", 0):
            named = terminal.say.word("factor", name)
            terminal.show("  " + terminal.say("field.line", name=named, value=number(value)))
    _sources(terminal, memory.get("sources", []), said)


def _holds(version: Mapping[str, Any], now: int) -> bool:
    return not version["superseded_by"] and (version["valid_until"] is None or version["valid_until"] >= now)


def _sources(terminal: Terminal, sources: Iterable[Mapping[str, Any]], said: Said) -> None:
    for count, source in enumerate(sources):
        if count == 0:
            terminal.tell("history.sources")
        words = said(source["resource_id"])
        role = terminal.say.word("role", source.get("role") or "")
        where = "  ".join(part for part in (source["resource_id"], role, source.get("session_id")) if part)
        terminal.show(f"  {moment(source['timestamp'])}  {one_line(where)}")
        if words != "":
            terminal.show(f"    {terminal.say('history.gone') if words is None else _marked(words, source)}")


def _marked(words: str, source: Mapping[str, Any]) -> str:
    """The turn's words on one line, with those of the fact between marks where the turn says more."""
    start, end = source.get("span") or (0, len(words))
    before, inside, after = (one_line(part) for part in (words[:start], words[start:end], words[end:]))
    if not inside or not (before or after):
        return one_line(words)
    left = " " if before and words[start - 1].isspace() else ""
    right = " " if after and words[end].isspace() else ""
    return f"{before}{left}«{inside}»{right}{after}"


def _value(terminal: Terminal, name: str, value: Any) -> str:
    if name.endswith(("_at", "_from", "_until")) or name == "timestamp":
        return moment(value) if isinstance(value, int) else one_line(value)
    if name == "half_life_days":
        return terminal.say("time.d", n=value) if value else terminal.say("field.never_fades")
    if isinstance(value, bool):
        return terminal.say("yes" if value else "no")
    if name in _NAMED:
        return terminal.say.word(_NAMED[name], value)
    return number(", ".join(map(str, value)) if isinstance(value, list) else value)
