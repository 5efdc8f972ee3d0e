"""The facts, one by one: see them, correct them, make memud forget them."""

from typing import Annotated, Any

import typer
from memud_client import Client, NotFoundError

from cli import purge, record, show
from cli.given import ago, ahead, given
from cli.options import (
    All,
    AsOf,
    Category,
    DryRun,
    Id,
    Importance,
    Kind,
    Limit,
    MemoryType,
    Public,
    Query,
    Threshold,
    ValidUntil,
    Yes,
)
from cli.terminal import Terminal, command

Memory = Annotated[str, typer.Argument(metavar="MEMORY", help="argument.memory")]
Verbatim = Annotated[bool, typer.Option("--verbatim", help="option.verbatim")]
Categories = Annotated[list[str] | None, typer.Option("--category", help="option.categories")]
Pinned = Annotated[bool, typer.Option("--pinned", help="option.pinned")]
Cursor = Annotated[str | None, typer.Option("--cursor", help="option.cursor")]
NewMemory = Annotated[str | None, typer.Option("--memory", help="option.memory")]
HalfLife = Annotated[int | None, typer.Option("--half-life", min=0, help="option.half_life")]
Private = Annotated[bool | None, typer.Option("--private/--public", help="option.private")]
Off = Annotated[bool, typer.Option("--off", help="option.off")]


@command
def add(
    terminal: Terminal,
    memory: Memory,
    memory_type: MemoryType = None,
    kind: Kind = None,
    importance: Importance = None,
    valid_until: ValidUntil = None,
    verbatim: Verbatim = False,
    public: Public = False,
) -> None:
    """State a fact."""
    options = given(
        memory_type=memory_type,
        kind=kind,
        importance=importance,
        valid_until=ahead(terminal, valid_until),
        infer=False if verbatim else None,
        private=False if public else None,
    )
    if not memory.strip():
        terminal.refuse("needs.memory")
    with terminal.client() as client:
        terminal.answer(client.add(memory, **options), _show_added)


@command
def get(terminal: Terminal, memory_id: Id) -> None:
    """Show one fact, or one turn in its own words."""
    with terminal.client() as client:
        terminal.answer(_fact_or_turn(client, memory_id), record.fields)


@command
def list_(
    terminal: Terminal,
    memory_type: MemoryType = None,
    kind: Kind = None,
    category: Category = None,
    pinned: Pinned = False,
    all_: All = False,
    limit: Limit = None,
    cursor: Cursor = None,
) -> None:
    """Show facts."""
    options = given(
        memory_types=[memory_type] if memory_type else None,
        kinds=[kind] if kind else None,
        categories=[category] if category else None,
        pinned=pinned or None,
        include_superseded=all_ or None,
        limit=limit,
        cursor=cursor,
    )
    with terminal.client() as client:
        terminal.answer(client.list(**options), show.items)


@command
def update(
    terminal: Terminal,
    memory_id: Id,
    memory: NewMemory = None,
    memory_type: MemoryType = None,
    importance: Importance = None,
    half_life_days: HalfLife = None,
    valid_until: ValidUntil = None,
    private: Private = None,
    categories: Categories = None,
) -> None:
    """Correct a fact."""
    changes = given(
        memory=memory,
        memory_type=memory_type,
        importance=importance,
        half_life_days=half_life_days,
        valid_until=ahead(terminal, valid_until),
        private=private,
        categories=[name for name in categories if name.strip()] if categories else None,
    )
    if not changes:
        terminal.refuse("needs.change")
    if memory is not None and not memory.strip():
        terminal.refuse("needs.memory")
    if half_life_days == 0:
        changes["half_life_days"] = None
    with terminal.client() as client:
        _show_changed(terminal, "item.updated", client.update(memory_id, **changes))


@command
def forget(terminal: Terminal, memory_id: Id, dry_run: DryRun = False, yes: Yes = False) -> None:
    """Purge a fact or turn, after showing what goes."""
    with terminal.client() as client:

        def said(turn_id: str) -> str | None:
            return _said(client, turn_id)

        if dry_run or not yes:
            preview = client.forget(memory_id, dry_run=True)
            if dry_run:
                terminal.answer(preview, lambda terminal, _: purge.doomed(terminal, preview, said))
                return
            purge.doomed(terminal, preview, said, warn=True)
            terminal.sure(purge.question(terminal, preview), yes=yes)
        terminal.answer(client.forget(memory_id), _show_forgotten)


@command
def restore(terminal: Terminal, memory_id: Id) -> None:
    """Undo a supersession or clean-up."""
    with terminal.client() as client:
        _show_changed(terminal, "item.restored", client.restore(memory_id))


@command
def pin(terminal: Terminal, memory_id: Id, off: Off = False) -> None:
    """Keep a fact from fading."""
    with terminal.client() as client:
        _show_changed(terminal, "item.unpinned" if off else "item.pinned", client.pin(memory_id, not off))


@command
def history(terminal: Terminal, memory_id: Id) -> None:
    """Show a fact's versions and sources."""
    with terminal.client() as client:
        reply = client.history(memory_id)
        terminal.answer(
            reply,
            lambda terminal, _: record.history(
                terminal, reply, lambda key: _said(client, key), lambda key: _stated(client, key)
            ),
        )


@command
def explain(
    terminal: Terminal, query: Query, memory_id: Id, threshold: Threshold = None, as_of: AsOf = None
) -> None:
    """Say why a memory is recalled or not."""
    options = given(threshold=threshold, as_of=ago(terminal, as_of))
    with terminal.client() as client:
        reply = client.explain(query, memory_id, **options)
        terminal.answer(
            reply,
            lambda terminal, _: record.explanation(
                terminal, reply, _memory(client, reply["id"]), lambda key: _said(client, key)
            ),
        )


def _fact_or_turn(client: Client, memory_id: str) -> Any:
    """The start of a turn's id is `t-`; an id without any mark may be either."""
    if memory_id.startswith("t-"):
        return client.resources_get(memory_id)
    try:
        return client.get(memory_id)["item"]
    except NotFoundError:
        if memory_id.startswith("m-"):
            raise
        return client.resources_get(memory_id)


def _memory(client: Client, memory_id: str) -> Any:
    """A fact or turn in full; nothing of one that went meanwhile."""
    try:
        return _fact_or_turn(client, memory_id)
    except NotFoundError:
        return {}


def _said(client: Client, turn_id: str) -> str | None:
    try:
        return str(client.resources_get(turn_id)["text"])
    except NotFoundError:
        return None


def _stated(client: Client, fact_id: str) -> str | None:
    try:
        return str(client.get(fact_id)["item"]["memory"])
    except NotFoundError:
        return None


def _show_added(terminal: Terminal, reply: Any) -> None:
    item = reply["item"]
    related = ", ".join(reply["related_ids"])
    terminal.tell(f"add.{reply['action']}", id=item["id"], memory=item["memory"], related=related)


def _show_changed(terminal: Terminal, key: str, reply: Any) -> None:
    item = reply["item"]
    terminal.answer(reply, lambda terminal, _: terminal.tell(key, id=item["id"], memory=item["memory"]))


def _show_forgotten(terminal: Terminal, reply: Any) -> None:
    terminal.tell("forget.done", items=len(reply["item_ids"]), turns=len(reply["resource_ids"]))
