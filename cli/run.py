"""`memud run`: the daemon in the foreground; no other command reaches it except by the socket."""

import gc
from pathlib import Path
from typing import Annotated

import typer

StateDir = Annotated[Path | None, typer.Option("--state-dir", help="option.state_dir")]
Listen = Annotated[Path | None, typer.Option("--socket", help="option.listen")]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="option.config")]


def run(state_dir: StateDir = None, socket: Listen = None, config: ConfigFile = None) -> None:
    """Run until SIGTERM or Ctrl-C."""
    # Only here: the daemon's parts take a second to load, and no other command needs them.
    gc.disable()  # what is loaded now stays; `run` enables it
    from daemon.app import run as run_daemon

    raise typer.Exit(run_daemon(state_dir=state_dir, socket=socket, config=config))
