"""`categories`: from a topic to its facts; `history` leads on to the very words."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NoReturn

import typer

from cli import exits, show
from cli.given import given
from cli.options import Group, Limit
from cli.plain import one_line
from cli.terminal import Terminal, command

Name = Annotated[str | None, typer.Argument(metavar="[NAME]", help="argument.category")]


@command
def categories(terminal: Terminal, name: Name = None, limit: Limit = None, group: Group = False) -> None:
    """Show what is known by topic, or one topic with its facts."""
    scope = given(private=False if group else None)
    with terminal.client() as client:
        listed = client.categories_list(**scope)
        if name is None:
            terminal.answer(listed, _show_all)
            return
        found = _named(terminal, listed["results"], name)
        facts = client.list(categories=[found["name"]], **given(limit=limit), **scope)
        terminal.answer({"category": found, **facts}, _show_one)


def _named(terminal: Terminal, listed: Sequence[Mapping[str, Any]], name: str) -> Mapping[str, Any]:
    """The category of that name, in whichever language it was given, or the one whose name has these words
    in it; ends the command for none.
    """
    from memory.knowledge.everyday import meant  # late, as other commands shall start without it

    asked = name.strip().casefold()
    usual = {each.strip().casefold() for each in meant([name]) or ()}
    whole = [one for one in listed if one["name"].casefold() == asked]
    alike = [one for one in listed if one["name"].casefold() in usual]
    found = whole or alike or [one for one in listed if asked and asked in one["name"].casefold()]
    return found[0] if len(found) == 1 else _refuse(terminal, name, found)


def _refuse(terminal: Terminal, name: str, found: Sequence[Mapping[str, Any]]) -> NoReturn:
    if found:
        names = terminal.say("comma").join(one_line(one["name"]) for one in found)
        terminal.refuse("category.several", name=one_line(name), names=names)
    message = terminal.say("category.unknown", name=one_line(name))
    terminal.fail(message, exits.FAILED, reason="not_found", hint=terminal.say("category.hint"))


def _show_all(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """A line a category, the largest first, with what stands first in its summary."""
    if not reply["results"]:
        terminal.tell("none")
        return
    rows = [(one["name"], str(one["items"]), _first(one)) for one in reply["results"]]
    terminal.table(("category", "items", "summary"), rows)
    terminal.tell("category.more")


def _show_one(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    """The summary, each sentence with its day and facts, then the facts themselves."""
    category = reply["category"]
    terminal.tell("category.head", name=one_line(category["name"]), items=category["items"])
    for sentence in category["sentences"]:
        cited = ", ".join(sentence["item_ids"])
        terminal.show(f"  {sentence['date']}  {one_line(sentence['text'])}  [{cited}]")
    show.items(terminal, reply)
    if reply["results"]:
        terminal.tell("category.history")


def _first(category: Mapping[str, Any]) -> str:
    return category["sentences"][0]["text"] if category["sentences"] else ""
