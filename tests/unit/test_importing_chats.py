"""Exports of ChatGPT and Claude: the branch that is shown, from a file or the archive it came in."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.importing import chatgpt
from cli.importing.formats import recognise
from cli.importing.found import Fault, Found, Turn, Wishes
from tests.openclaw_home import passed, said


def _node(parent: str | None, children: list[str], role: str, *parts: Any, **more: Any) -> dict[str, Any]:
    content = {"content_type": more.pop("content_type", "text"), "parts": list(parts)}
    message = {"author": {"role": role}, "create_time": 1_772_960_401.5, "content": content, **more}
    return {"parent": parent, "children": children, "message": message}


def _chatgpt(number: int = 1) -> dict[str, Any]:
    mapping = {
        "root": {"parent": None, "children": ["sys"], "message": None},
        "sys": _node("root", ["q"], "system", "You are helpful."),
        "q": _node("sys", ["a1", "a2"], "user", "How do I prune roses?"),
        "a1": _node("q", [], "assistant", "Ask a gardener."),
        "a2": _node("q", ["t"], "assistant", "In March, above an outward bud."),
        "t": _node("a2", ["h"], "tool", "search results"),
        "h": _node(
            "t", ["u"], "user", "custom", metadata={"is_visually_hidden_from_conversation": True}
        ),
        "u": _node(
            "h", [], "user", {"content_type": "image_asset_pointer"}, "我家的玫瑰是白色的",
            content_type="multimodal_text",
        ),
    }  # fmt: skip
    return {
        "title": "Roses", "create_time": 1_772_960_400.0, "conversation_id": f"c-{number}",
        "current_node": "u", "mapping": mapping,
    }  # fmt: skip


def _claude(number: int = 1) -> dict[str, Any]:
    said_at = "2026-03-08T09:00:01.000000Z"
    text = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Noted."}]
    return {
        "uuid": f"u-{number}",
        "name": "Bikes",
        "created_at": "2026-03-08T09:00:00Z",
        "chat_messages": [
            {"uuid": "m1", "sender": "human", "text": "My bike is red", "created_at": said_at},
            {"uuid": "m2", "sender": "assistant", "text": "", "content": text, "created_at": said_at},
            {"uuid": "m3", "sender": "human", "text": "", "content": []},
        ],
    }


def _write(path: Path, content: Any) -> Path:
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, indent=1)
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("export/conversations.json", text)
            archive.writestr("export/user.json", "{}")
    else:
        path.write_text(text, encoding="utf-8")
    return path


def _read(path: Path) -> tuple[str, list[Found]]:
    kind = recognise(path)
    assert kind is not None
    return kind.name, list(kind.read(path, Wishes()))


def _turns(found: list[Found]) -> Iterator[Turn]:
    return (one for one in found if isinstance(one, Turn))


@pytest.mark.parametrize("name", ["anything.json", "export.zip"])
def test_chatgpt_gives_the_branch_that_is_shown(name: str, tmp_path: Path) -> None:
    """A regenerated answer, tools, hidden context and pictures are no turns."""
    kind, found = _read(_write(tmp_path / name, [_chatgpt()]))
    assert kind == "chatgpt"
    assert said(found) == [
        ("user", "How do I prune roses?"),
        ("assistant", "In March, above an outward bud."),
        ("user", "我家的玫瑰是白色的"),
    ]
    assert passed(found) == {"abandoned": 1, "injected": 1, "tool_result": 1}
    turn = next(_turns(found))
    assert turn.event["key"] == "chatgpt:c-1:q"
    assert turn.event["timestamp"] == 1_772_960_401
    assert turn.scope == {"session_id": "chatgpt:c-1"}


@pytest.mark.parametrize("name", ["anything.json", "export.zip"])
def test_claude_s_words_are_found_wherever_they_stand(name: str, tmp_path: Path) -> None:
    """In `text`, or in the parts of `content`; a message without words is passed over."""
    kind, found = _read(_write(tmp_path / name, [_claude()]))
    assert kind == "claude"
    assert said(found) == [("user", "My bike is red"), ("assistant", "Noted.")]
    assert passed(found) == {"empty": 1}
    assert next(_turns(found)).event["key"] == "claude:u-1:m1"


def test_broken_json_in_the_middle_costs_one_conversation(tmp_path: Path) -> None:
    """It is told with its line; the conversations before and after it are brought in."""
    texts = [json.dumps(_claude(number), indent=1) for number in range(3)]
    texts[1] = texts[1].replace('"name": "Bikes"', '"name": Bikes')
    path = _write(tmp_path / "c.json", "[\n" + ",\n".join(texts) + "\n]")
    _, found = _read(path)
    assert {turn.scope["session_id"] for turn in _turns(found)} == {"claude:u-0", "claude:u-2"}
    first = next(one for one in found if isinstance(one, Fault))
    line = path.read_text().splitlines().index(' "name": Bikes,') + 1
    assert (first.place.file, first.place.line, first.reason) == (str(path), line, "import.broken_json")


def test_an_export_that_breaks_off_gives_what_came_before(tmp_path: Path) -> None:
    """A download that stopped half way is told by its line."""
    text = json.dumps([_chatgpt(1), _chatgpt(2)], indent=1)
    _, found = _read(_write(tmp_path / "c.json", text[:-200]))
    assert len(list(_turns(found))) == 3
    assert [one.reason for one in found if isinstance(one, Fault)] == ["import.broken_json"]


@pytest.mark.parametrize("name", ["conversations.json", "export.zip"])
def test_an_export_without_chats_says_so(name: str, tmp_path: Path) -> None:
    """It is neither a fault nor a foreign file."""
    _, found = _read(_write(tmp_path / name, "[]"))
    assert passed(found) == {"no_chats": 1}


def test_an_archive_of_something_else_is_left_alone(tmp_path: Path) -> None:
    """A zip without conversations, other JSON: no format."""
    other = tmp_path / "other.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("readme.txt", "hello")
    assert recognise(other) is None
    assert recognise(_write(tmp_path / "x.json", [{"name": "Ada"}])) is None


def test_damage_inside_an_archive_is_no_crash(tmp_path: Path) -> None:
    """Its list of files is whole, but what is packed is not: told, also where a format was named."""
    path = _write(tmp_path / "export.zip", [_chatgpt(number) for number in range(9)])
    raw = bytearray(path.read_bytes())
    raw[60:90] = bytes(byte ^ 0xFF for byte in raw[60:90])
    path.write_bytes(raw)
    found = recognise(path)
    assert found is not None
    assert [one.reason for one in found.read(path, Wishes()) if isinstance(one, Fault)] == [
        "import.broken_archive"
    ]
    faults = [one for one in chatgpt.read(path, Wishes()) if isinstance(one, Fault)]
    assert faults[-1].reason == "import.broken_archive"


def test_a_number_without_end_costs_one_conversation(tmp_path: Path) -> None:
    """Python refuses to read one of thousands of digits."""
    chats = [json.dumps(_claude(number)) for number in range(3)]
    chats[1] = chats[1].replace("{", '{"rank": ' + "1" * 5_000 + ", ", 1)
    _, found = _read(_write(tmp_path / "c.json", f"[{', '.join(chats)}]"))
    assert {turn.scope["session_id"] for turn in _turns(found)} == {"claude:u-0", "claude:u-2"}
    assert [one.reason for one in found if isinstance(one, Fault)] == ["import.broken_json"]


def test_conversations_are_read_one_at_a_time(tmp_path: Path) -> None:
    """Elements longer than a read, and strange ones between them, keep their place and line."""
    chats: list[Any] = [_claude(number) for number in range(3)]
    chats[1]["chat_messages"][0]["text"] = "red " * 600_000
    chats.insert(2, {"account": 7})
    _, found = _read(_write(tmp_path / "c.json", chats))
    assert [turn.scope["session_id"] for turn in _turns(found)][::2] == [
        "claude:u-0",
        "claude:u-1",
        "claude:u-2",
    ]
    assert [one.reason for one in found if isinstance(one, Fault)] == ["import.no_conversation"]
