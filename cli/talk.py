"""What an agent does, by hand: `send`, `recall`, `search`."""

from typing import Annotated, Literal

import typer

from cli import exits, show
from cli.given import ago, given
from cli.moments import show as clock
from cli.options import (
    All,
    AsOf,
    Category,
    Group,
    Kind,
    Limit,
    Public,
    Query,
    Session,
    Since,
    Threshold,
    Until,
)
from cli.terminal import Terminal, command

Words = Annotated[str, typer.Argument(metavar="TEXT", help="argument.text")]
Role = Annotated[Literal["user", "assistant", "tool", "system"], typer.Option("--role", help="option.role")]
Key = Annotated[str | None, typer.Option("--key", help="option.key")]
Sender = Annotated[str | None, typer.Option("--sender", help="option.sender")]
At = Annotated[str | None, typer.Option("--at", help="option.at")]
Zone = Annotated[str | None, typer.Option("--tz", metavar="ZONE", help="option.tz")]
MaxTokens = Annotated[int | None, typer.Option("--max-tokens", min=0, help="option.max_tokens")]


_SLACK_S = 300
"""Clocks of two machines may differ by so much."""

_REFUSED = frozenset({"invalid", "too_large", "too_deep"})
"""It could not be kept; any other reason says that nothing was worth keeping."""


@command
def send(
    terminal: Terminal,
    text: Words,
    session: Session = None,
    role: Role = "user",
    key: Key = None,
    sender: Sender = None,
    at: At = None,
    tz: Zone = None,
    public: Public = False,
) -> None:
    """Capture one turn."""
    words = terminal.standard_input().read().strip() if text == "-" else text
    if not words.strip():
        terminal.refuse("needs.text")
    said_at = ago(terminal, at)
    when = given(timestamp=said_at, tz=_zone(terminal, tz))
    event = {"role": role, "content": words} | given(key=key, sender=sender) | when
    if said_at is not None and said_at > terminal.now() + _SLACK_S:
        terminal.warn("send.future", when=clock(said_at))
    if public:
        event["private"] = False
    with terminal.client() as client:
        reply = client.capture([event], **given(session_id=session))
    terminal.answer(reply, show.capture)
    if any(skipped["reason"] in _REFUSED for skipped in reply["skipped"]):
        raise typer.Exit(exits.FAILED)


def _zone(terminal: Terminal, named: str | None) -> str | None:
    """The zone that was named, else the person's own."""
    # Only here: it reads the machine's tables of zones.
    from cli.zone import is_zone, local_zone

    if named is not None and not is_zone(named):
        terminal.refuse("bad.zone", value=named)
    return named or local_zone()


@command
def recall(
    terminal: Terminal,
    query: Query,
    session: Session = None,
    limit: Limit = None,
    threshold: Threshold = None,
    max_tokens: MaxTokens = None,
    category: Category = None,
    as_of: AsOf = None,
    group: Group = False,
) -> None:
    """Show the block a model would get and the results behind it."""
    options = given(
        session_id=session,
        limit=limit,
        threshold=threshold,
        max_tokens=max_tokens,
        categories=[category] if category else None,
        as_of=ago(terminal, as_of),
        private=False if group else None,
    )
    with terminal.client() as client:
        terminal.answer(client.recall(query, **options), show.recall)


@command
def search(
    terminal: Terminal,
    query: Query,
    limit: Limit = None,
    kind: Kind = None,
    category: Category = None,
    since: Since = None,
    until: Until = None,
    all_: All = False,
    as_of: AsOf = None,
) -> None:
    """Find facts and turns."""
    options = given(
        limit=limit,
        kinds=[kind] if kind else None,
        categories=[category] if category else None,
        since=ago(terminal, since),
        until=ago(terminal, until),
        include_superseded=all_ or None,
        as_of=ago(terminal, as_of),
    )
    with terminal.client() as client:
        terminal.answer(client.search(query, **options), show.search)
