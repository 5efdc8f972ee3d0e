"""Tables of other people's words: shown as they are, never as markup."""

import sys
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cli.plain import one_line

_PIPED_WIDTH = 200


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Headings and rows on standard output; only the last column is folded."""
    if not sys.stdout:  # absent where a script closed it: nobody reads
        return
    width = None if sys.stdout.isatty() else _PIPED_WIDTH
    console = Console(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in headings[:-1]:
        table.add_column(Text(heading), no_wrap=True)
    table.add_column(Text(headings[-1]), overflow="fold")
    for row in rows:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    console.print(table)
