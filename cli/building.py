"""How far another vector index is, while somebody waits for it: a bar on a terminal, nothing elsewhere."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from memud_client import MemudError

from cli.terminal import Terminal

_LOOK_S = 0.5


@contextmanager
def building(terminal: Terminal) -> Iterator[None]:
    """A bar for as long as the index is built; it looks at `health` over a connection of its own."""
    if terminal.as_json or not (sys.stderr and sys.stderr.isatty()):
        yield
        return
    # Only here: rich takes longer to load than most commands take.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    is_done = threading.Event()
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(terminal.say("job.building"), total=None)
        watcher = threading.Thread(
            target=_watch, args=(terminal, is_done, lambda **far: shown.update(task, **far)), daemon=True
        )
        watcher.start()
        try:
            yield
        finally:
            is_done.set()


def _watch(terminal: Terminal, is_done: threading.Event, tell: Callable[..., None]) -> None:
    """Look until it is done; a daemon that does not answer is told by the command itself."""
    try:
        with terminal.client() as client:
            while not is_done.wait(_LOOK_S):
                far: Any = client.health()["index"]["building"]
                if far:
                    tell(completed=far["done"], total=far["total"])
    except MemudError:
        return
