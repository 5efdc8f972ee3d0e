"""The command line of `memud openclaw`."""

from typing import Annotated, Literal

import typer

from cli.openclaw import checks, installing, uninstalling
from cli.options import DryRun, Yes
from cli.terminal import Terminal, command

Action = Annotated[
    Literal["install", "uninstall", "status"], typer.Argument(metavar="[ACTION]", help="argument.openclaw")
]
Heartbeat = Annotated[str | None, typer.Option("--heartbeat", metavar="TIME", help="option.heartbeat")]


@command
def openclaw(
    terminal: Terminal,
    action: Action = "status",
    heartbeat: Heartbeat = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Put the plugin into OpenClaw, take it out again, or look whether all is as it should be."""
    if action == "install":
        installing.install(terminal, heartbeat, dry_run=dry_run, yes=yes)
    elif action == "uninstall":
        uninstalling.uninstall(terminal, dry_run=dry_run, yes=yes)
    else:
        checks.status(terminal)
