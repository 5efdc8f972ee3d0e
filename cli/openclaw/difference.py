"""What changes in the configuration, line by line, and nothing beside it: keys of providers stand there."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from cli.openclaw.edits import Done


def lines(stale: Sequence[str], done: Iterable[Done]) -> Iterator[str]:
    """A line for what goes and one for what comes."""
    for path in stale:
        yield f"- plugins.load.paths: {_shown(path)}"
    for one in done:
        if one.edit.kind == "set" and one.had:
            yield f"- {one.name}: {_shown(one.before)}"
        yield f"+ {one.name}: {_shown(one.edit.after)}"


def reversed_lines(done: Iterable[Done]) -> Iterator[str]:
    """The same the other way round."""
    for one in done:
        yield f"- {one.name}: {_shown(one.edit.after)}"
        if one.edit.kind == "set" and one.had:
            yield f"+ {one.name}: {_shown(one.before)}"


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
