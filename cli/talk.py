"""What an agent does, by hand: `send`, `recall`, `search`."""

import sys
from typing import Annotated

import typer

from cli import show
from cli.given import ago, given, moment
from cli.options import All, AsOf, Group, Kind, Limit, Public, Query, Session, Since, Threshold, Until
from cli.terminal import Terminal, command

Words = Annotated[str, typer.Argument(metavar="TEXT", help="argument.text")]
Role = Annotated[str, typer.Option("--role", help="option.role")]
Key = Annotated[str | None, typer.Option("--key", help="option.key")]
Sender = Annotated[str | None, typer.Option("--sender", help="option.sender")]
At = Annotated[str | None, typer.Option("--at", help="option.at")]
MaxTokens = Annotated[int | None, typer.Option("--max-tokens", min=0, help="option.max_tokens")]


@command
def send(
    terminal: Terminal,
    text: Words,
    session: Session = None,
    role: Role = "user",
    key: Key = None,
    sender: Sender = None,
    at: At = None,
    public: Public = False,
) -> None:
    """Capture one turn."""
    words = sys.stdin.read().strip() if text == "-" else text
    if not words:
        terminal.refuse("needs.text")
    event = {"role": role, "content": words} | given(key=key, sender=sender, timestamp=moment(terminal, at))
    if public:
        event["private"] = False
    with terminal.client() as client:
        reply = client.capture([event], **given(session_id=session))
    terminal.answer(reply, show.capture)


@command
def recall(
    terminal: Terminal,
    query: Query,
    session: Session = None,
    limit: Limit = None,
    threshold: Threshold = None,
    max_tokens: MaxTokens = None,
    as_of: AsOf = None,
    group: Group = False,
) -> None:
    """Show the block a model would get and the results behind it."""
    options = given(
        session_id=session,
        limit=limit,
        threshold=threshold,
        max_tokens=max_tokens,
        as_of=moment(terminal, as_of),
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
    since: Since = None,
    until: Until = None,
    all_: All = False,
    as_of: AsOf = None,
) -> None:
    """Find facts and turns."""
    options = given(
        limit=limit,
        kinds=[kind] if kind else None,
        since=ago(terminal, since),
        until=ago(terminal, until),
        include_superseded=all_ or None,
        as_of=moment(terminal, as_of),
    )
    with terminal.client() as client:
        terminal.answer(client.search(query, **options), show.search)
