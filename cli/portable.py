"""What an export looks like: lines for memud, Markdown for a person, JSON for mem0."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from cli.plain import one_line, to_json
from cli.texts import Texts

Record = Mapping[str, Any]
HEADER = {"type": "export", "version": 2}


def as_lines(records: Iterable[Record]) -> Iterable[str]:
    """A record a line, after one that says what follows; `memud import` makes the same memory of it."""
    yield to_json(HEADER, indent=None) + "\n"
    for record in records:
        yield to_json(record, indent=None) + "\n"


def as_markdown(records: Iterable[Record], say: Texts) -> Iterable[str]:
    """The facts that hold, by category, the newest first: a MEMORY.md that a person would read."""
    sections: dict[str, list[Record]] = defaultdict(list)
    for item in _holding(records):
        for name in item["categories"] or [say("markdown.rest")]:
            sections[name].append(item)
    title = say("markdown.title")
    yield f"# {title}\n"
    last = say("markdown.rest")
    for name in sorted(sections, key=lambda one: (one == last, one)):
        yield f"\n## {one_line(name)}\n\n"
        for item in sorted(sections[name], key=lambda one: (-one["stated_at"], one["id"])):
            yield f"- {one_line(item['memory'])} ({_day(item['stated_at'])}){_marks(item, say)}\n"


def as_mem0(records: Iterable[Record], user: str) -> Iterable[str]:
    """The facts that hold, as mem0's `get_all` gives them."""
    results = [
        {
            "id": item["id"],
            "memory": item["memory"],
            "user_id": user,
            "agent_id": item["agent_id"],
            "run_id": item["session_id"],
            "metadata": {"type": item["memory_type"], "categories": item["categories"]},
            "created_at": _iso(item["created_at"]),
            "updated_at": _iso(item["stated_at"]),
        }
        for item in _holding(records)
    ]
    yield to_json({"results": results}) + "\n"


def _holding(records: Iterable[Record]) -> Iterable[Record]:
    now = datetime.now(UTC).timestamp()
    for record in records:
        is_over = record.get("valid_until") is not None and record["valid_until"] < now
        if record["type"] == "item" and record["superseded_by"] is None and not is_over:
            yield record


def _marks(item: Record, say: Texts) -> str:
    return " " + say("markdown.pinned") if item["pinned"] else ""


def _day(moment: int) -> str:
    return datetime.fromtimestamp(moment).astimezone().date().isoformat()


def _iso(moment: int) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat()
