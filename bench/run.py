"""`make bench`: every figure of the README, measured on this machine.

.venv/bin/python -m bench.run [--json] [latency footprint durability]
"""

import json
import os
import platform
import sys
from importlib import import_module

from rich.console import Console
from rich.table import Table

MEASURES = ("latency", "footprint", "durability")


def main() -> None:
    """Run the named measures, or all, and print what they found."""
    words = [word for word in sys.argv[1:] if word != "--json"]
    found = {name: import_module(f"bench.{name}").measure() for name in words or MEASURES}
    if "--json" in sys.argv:
        print(json.dumps({"machine": _machine(), **found}, ensure_ascii=False, indent=1))
        return
    console = Console()
    console.print(f"[dim]{_machine()}[/dim]")
    for name, figures in found.items():
        table = Table("", "figure", title=name, title_justify="left", show_header=False)
        for what, values in figures.items():
            shown = values if isinstance(values, dict) else {"": values}
            table.add_row(what, "   ".join(f"{key} {value}" for key, value in shown.items()))
        console.print(table)


def _machine() -> str:
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


if __name__ == "__main__":
    main()
