"""How far an import is: a bar on a terminal, nothing elsewhere."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from cli.importing.found import Found
from cli.terminal import Terminal

_TOLD_EVERY = 500


class Bar:
    """Counts what was found, and the bytes of the sources that are done."""

    def __init__(self, tell: Callable[..., None]) -> None:
        self._tell = tell

    def begin(self, total_bytes: int) -> None:
        """How much there is."""
        self._tell(total=total_bytes)

    def advance(self, done_bytes: int) -> None:
        """A source is done."""
        self._tell(advance=done_bytes)

    def watch(self, found: Iterator[Found]) -> Iterator[Found]:
        """The same, counted while it goes by: one source may be large."""
        for count, one in enumerate(found, 1):
            if count % _TOLD_EVERY == 0:
                self._tell(count=count)
            yield one


@contextmanager
def progress(terminal: Terminal, path: str) -> Iterator[Bar]:
    """A bar for as long as the import takes."""
    if terminal.as_json or path == "-" or not (sys.stderr and sys.stderr.isatty()):
        yield Bar(lambda **_: None)
        return
    # Only here: rich takes longer to load than most commands take.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[count]:,}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(terminal.say("import.progress"), total=None, count=0)
        yield Bar(lambda **change: shown.update(task, **change))
