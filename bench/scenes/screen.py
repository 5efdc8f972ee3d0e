"""What a stranger sees, in English or Chinese: scenes with one line of why, tables, checks, the verdict."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.panel import Panel
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn
from rich.table import Table
from rich.text import Text

from bench.scenes.say import Say
from cli.texts import Texts, language


@dataclass(frozen=True, slots=True)
class Check:
    """A promise and whether it held."""

    name: str
    held: bool


class Screen:
    """The terminal, and the memory of what held."""

    def __init__(self, console: Console, texts: Texts) -> None:
        self._console = console
        self._texts = texts
        self._scenes = 0
        self.checks: list[Check] = []

    @classmethod
    def of_this_terminal(cls) -> "Screen":
        """In the language of the locale; a pipe gets 110 columns and no animation."""
        console = Console(highlight=False)
        texts = Texts(language(os.environ))
        return cls(console if console.is_terminal else Console(highlight=False, width=110), texts)

    def words(self, say: Say) -> str:
        """The sentence in the language of this screen."""
        return say.zh if self._texts.language == "zh" else say.en

    def word(self, group: str, word: str) -> str:
        """A type, state, detector or reason of the daemon by its name."""
        return self._texts.word(group, word)

    def heard(self, sentence: str) -> Say:
        """A sentence of the daemon, as far as it is known in Chinese."""
        return Say(sentence, self._texts.heard(sentence))

    def scene(self, title: Say, why: Say) -> None:
        """Open a scene: what happens, and why it matters."""
        self._scenes += 1
        self._console.print()
        self._console.print(f"[bold cyan]{self._scenes}  {escape(self.words(title))}[/]")
        self._console.print(f"   [dim]{escape(self.words(why))}[/]")

    def note(self, say: Say) -> None:
        """A plain line."""
        self._console.print(f"   {escape(self.words(say))}")

    def warn(self, say: Say) -> None:
        """A line that asks for attention."""
        self._console.print(f"   [yellow]{escape(self.words(say))}[/]")

    def table(self, heads: Iterable[Say], rows: Iterable[Iterable[str]]) -> None:
        """Rows under heads; the first column takes the room that is left."""
        table = Table(box=None, padding=(0, 2, 0, 1), header_style="dim")
        for number, head in enumerate(heads):
            table.add_column(
                self.words(head), ratio=1 if number == 0 else None, no_wrap=number > 0, overflow="fold"
            )
        for row in rows:
            table.add_row(*(escape(cell) for cell in row))
        self._console.print(table)

    def entry(self, head: str, *details: str) -> None:
        """A line that counts, and what belongs to it below."""
        self._console.print(Padding(Text(head), (0, 0, 0, 3), expand=False))
        for detail in details:
            self._console.print(Padding(Text(detail, style="dim"), (0, 0, 0, 6), expand=False))

    def panel(self, head: str, body: str) -> None:
        """A text as it would go into a prompt."""
        self._console.print(
            Panel(Text(body), title=escape(head), title_align="left", border_style="dim", padding=(0, 1))
        )

    def check(self, name: Say, held: bool, detail: Say | str = "") -> bool:
        """Record and show one promise; the detail of a broken one is shown beside it."""
        text = self.words(name)
        self.checks.append(Check(text, held))
        mark = "[green]✓[/]" if held else "[bold red]✗[/]"
        shown = detail if isinstance(detail, str) else self.words(detail)
        tail = f"  [red]{escape(shown)}[/]" if shown and not held else ""
        self._console.print(f"   {mark} {escape(text)}{tail}")
        return held

    @contextmanager
    def progress(self, label: Say, total: int) -> Iterator["Bar"]:
        """A bar while something takes time; it goes away when done."""
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        silent = not self._console.is_terminal
        with Progress(*columns, console=self._console, transient=True, disable=silent) as progress:
            yield Bar(progress, progress.add_task(f" {escape(self.words(label))}", total=total))

    def verdict(self, seconds: float) -> bool:
        """The sum of it all; True if every promise held."""
        broken = [check.name for check in self.checks if not check.held]
        held = len(self.checks) - len(broken)
        self._console.print()
        colour = "red" if broken else "green"
        sum_ = Say(
            f"{held} of {len(self.checks)} promises held, {seconds:.0f} s",
            f"{len(self.checks)} 条承诺中兑现了 {held} 条，用时 {seconds:.0f} 秒",
        )
        self._console.print(f"[bold {colour}]{escape(self.words(sum_))}[/]")
        for name in broken:
            self._console.print(f"   [red]✗ {escape(name)}[/]")
        return not broken


class Bar:
    """A bar that moves."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress = progress
        self._task = task

    def advance(self) -> None:
        """One more is done."""
        self._progress.advance(self._task)

    def left(self, count: int) -> None:
        """So many are still to do; the total grows if it has to."""
        total = max(count, int(self._progress.tasks[self._task].total or 0))
        self._progress.update(self._task, total=total, completed=total - count)
