"""`memud stats`: what the store holds, what memory costs, and what it saves."""

from collections.abc import Mapping
from typing import Any

from cli.terminal import Terminal, command


@command
def stats(terminal: Terminal) -> None:
    """Show counts and tokens."""
    with terminal.client() as client:
        terminal.answer(client.stats(**terminal.scope()), _show)


def _show(terminal: Terminal, reply: Mapping[str, Any]) -> None:
    names = ("resources", "items", "superseded", "pinned", "archived")
    terminal.tell("stats.store", **{name: reply[name] for name in names})
    tokens = reply["tokens"]
    terminal.tell(
        "stats.recalls",
        recalls=tokens["recalls"],
        injected=_thousands(tokens["injected"]),
        history=_thousands(tokens["full_history"]),
    )
    if terminal.user is None:
        _show_models(terminal, tokens)


def _show_models(terminal: Terminal, tokens: Mapping[str, Any]) -> None:
    spent, local = _thousands(tokens["spent"]), _thousands(tokens["local"])
    terminal.tell("stats.taken", spent=spent, local=local, cost=f"{tokens['cost_usd']:.2f}")
    if tokens["share"] is None:
        terminal.tell("stats.no_share")
    else:
        terminal.tell("stats.share", percent=f"{tokens['share']:.1%}")
    if tokens["unpriced"]:
        terminal.tell("stats.unpriced", models=", ".join(tokens["unpriced"]))
    if tokens["days"]:
        columns = ("day", "purpose", "input", "output", "calls", "dollars", "model")
        terminal.table(columns, [_row(terminal, spent) for spent in tokens["days"]])


def _row(terminal: Terminal, spent: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        spent["day"],
        terminal.say.word("purpose", spent["purpose"]),
        _thousands(spent["input_tokens"]),
        _thousands(spent["output_tokens"]),
        _thousands(spent["calls"]),
        f"{spent['cost_usd']:.4f}",
        spent["model"],
    )


def _thousands(count: int) -> str:
    return f"{count:,}"
