"""Options and arguments that more than one command takes."""

from typing import Annotated, Literal

import typer

Query = Annotated[str, typer.Argument(metavar="QUERY", help="argument.query")]
Id = Annotated[str, typer.Argument(metavar="ID", help="argument.id")]
Session = Annotated[str | None, typer.Option("--session", help="option.session")]
Limit = Annotated[int | None, typer.Option("--limit", min=1, max=1000, help="option.limit")]
AsOf = Annotated[str | None, typer.Option("--as-of", help="option.as_of")]
Since = Annotated[str | None, typer.Option("--since", help="option.since")]
Until = Annotated[str | None, typer.Option("--until", help="option.until")]
Kind = Annotated[Literal["episodic", "semantic"] | None, typer.Option("--kind", help="option.kind")]
Category = Annotated[str | None, typer.Option("--category", help="option.category")]
MemoryType = Annotated[
    Literal["correction", "preference", "decision", "observation", "general"] | None,
    typer.Option("--type", help="option.type"),
]
Importance = Annotated[float | None, typer.Option("--importance", min=0, max=1, help="option.importance")]
ValidUntil = Annotated[str | None, typer.Option("--valid-until", help="option.valid_until")]
All = Annotated[bool, typer.Option("--all", help="option.all")]
Group = Annotated[bool, typer.Option("--group", help="option.group")]
Public = Annotated[bool, typer.Option("--public", help="option.public")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="option.dry")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="option.yes")]
Threshold = Annotated[float | None, typer.Option("--threshold", min=0, max=1, help="option.threshold")]
