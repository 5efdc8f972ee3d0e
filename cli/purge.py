"""What `memud forget` takes along, named fact by fact and turn by turn before it is asked."""

from collections.abc import Callable, Mapping
from typing import Any

from cli.plain import one_line
from cli.record import Said
from cli.terminal import Terminal

_MARKS: Mapping[str, Callable[[Mapping[str, Any]], bool]] = {
    "pinned": lambda fact: bool(fact.get("pinned")),
    "edited": lambda fact: fact.get("trust") == "edited",
}


def doomed(terminal: Terminal, reply: Mapping[str, Any], said: Said, *, warn: bool = False) -> None:
    """Every fact and turn that would go, with its words; what a person took care of is marked."""
    say = terminal.warn if warn else terminal.tell
    say("forget.would")
    known = {fact["id"]: fact for fact in (*_fact(reply), *reply.get("items", ()))}
    for fact_id in dict.fromkeys((*known, *reply["item_ids"])):
        fact = known.get(fact_id, {})
        say("forget.fact", id=fact_id, marks=_marks(terminal, fact), memory=one_line(fact.get("memory", "")))
    for turn_id in reply["resource_ids"]:
        say("forget.turn", id=turn_id, text=one_line(said(turn_id) or ""))
    say("forget.count", items=len(reply["item_ids"]), turns=len(reply["resource_ids"]))


def question(terminal: Terminal, reply: Mapping[str, Any]) -> str:
    """The last question: how much goes, and how much of it a person took care of."""
    facts = reply.get("items", ())
    cared = sum(1 for fact in facts if any(holds(fact) for holds in _MARKS.values()))
    counts = {"items": len(reply["item_ids"]), "turns": len(reply["resource_ids"])}
    return terminal.say("forget.ask.cared" if cared else "forget.ask", **counts, cared=cared)


def _fact(reply: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    return (reply["item"],) if reply["item"] else ()


def _marks(terminal: Terminal, fact: Mapping[str, Any]) -> str:
    names = [terminal.say(f"mark.{name}") for name, holds in _MARKS.items() if holds(fact)]
    return terminal.say("forget.marks", marks=terminal.say("comma").join(names)) if names else ""
