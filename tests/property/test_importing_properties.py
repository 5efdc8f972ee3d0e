"""Whatever stands in a file that somebody brings: it is told or passed over, and nothing is raised."""

import copy
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from cli.importing.formats import named
from cli.importing.found import Wishes
from tests.openclaw_home import SESSION_ID, with_every_trap

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
)
CHATGPT = {
    "conversation_id": "c", "create_time": 1.0, "current_node": "a",
    "mapping": {
        "r": {"parent": None, "children": ["a"], "message": None},
        "a": {
            "parent": "r", "children": [],
            "message": {
                "author": {"role": "user"}, "create_time": 1.5, "recipient": "all", "metadata": {},
                "content": {"content_type": "text", "parts": ["I row on Sundays"]},
            },
        },
    },
}  # fmt: skip
CLAUDE = {
    "uuid": "u", "created_at": "2026-03-08T09:00:00Z",
    "chat_messages": [
        {"uuid": "m", "sender": "human", "text": "I row", "content": [{"type": "text", "text": "I row"}]}
    ],
}  # fmt: skip
MEM0 = {
    "id": "x",
    "memory": "Rows",
    "metadata": {"type": "general"},
    "user_id": "a",
    "created_at": "2026-03-08",
}
INDEX = {"agent:main:main": {"sessionId": SESSION_ID, "sessionFile": "x.jsonl", "chatType": "direct"}}


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value inside."""
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for step, inner in steps for place in _places(inner, (*path, step)))]


@st.composite
def spoilt(draw: st.DrawFn, whole: Any) -> Any:
    """The value with up to three parts replaced by anything."""
    value = copy.deepcopy(whole)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from(_places(value)[1:]))
        inside = value
        for step in place[:-1]:
            inside = inside[step]
        inside[place[-1]] = draw(JSON)
        if not _places(value)[1:]:
            break
    return value


def _read(kind: str, name: str, text: str, index: Any = None) -> None:
    known = named(kind)
    assert known is not None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        if index is not None:
            (Path(folder) / "sessions.json").write_text(json.dumps(index))
        known.recognises(path, path.read_bytes()[:65_536])
        for _ in known.read(path, Wishes(groups=True)):
            pass


@settings(deadline=None, max_examples=60)
@given(spoilt(with_every_trap().records), spoilt(INDEX))
def test_a_strange_transcript_is_read_to_its_end(records: Any, index: Any) -> None:
    """Wrong types anywhere in a record or in the index."""
    _read("openclaw", "x.jsonl", "\n".join(map(json.dumps, records)), index)


def _document(kind: str, whole: Any) -> Callable[[], None]:
    @settings(deadline=None, max_examples=60)
    @given(spoilt([whole, whole]))
    def check(content: Any) -> None:
        _read(kind, "x.json", json.dumps(content))

    return check


def test_a_strange_export_is_read_to_its_end() -> None:
    """Wrong types anywhere in a conversation or a memory."""
    for kind, whole in (("chatgpt", CHATGPT), ("claude", CLAUDE), ("mem0", MEM0)):
        _document(kind, whole)()


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(["openclaw", "chatgpt", "claude", "mem0", "memud"]), st.text(max_size=200))
def test_any_text_is_read_as_any_format(kind: str, text: str) -> None:
    """Who forces a format on a file gets a report."""
    _read(kind, "x.json", text)
