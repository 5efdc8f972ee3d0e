"""ChatGPT's export: conversations as trees, of which the branch that is shown counts."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cli.importing.chats import Conversation, read_chats
from cli.importing.exports import head_of
from cli.importing.found import Fault, Found, Passed, Place, Turn, Wishes

_SPOKEN = frozenset({"user", "assistant"})
_WORDS = frozenset({"text", "multimodal_text"})


def recognises(path: Path, head: bytes) -> bool:
    """Whether it is a list of conversations with a mapping of nodes."""
    text = head_of(path, head).lstrip()
    return text.startswith("[") and '"mapping"' in text and '"chat_messages"' not in text


def read(path: Path, wishes: Wishes) -> Iterator[Found]:
    """What was said in each conversation."""
    yield from read_chats(path, "mapping", _turns)


def _turns(conversation: Conversation, place: Place) -> Iterator[Found]:
    mapping = conversation["mapping"]
    if not isinstance(mapping, dict):
        yield Fault(place, "import.no_conversation")
        return
    shown = _shown(mapping, conversation.get("current_node"))
    chat_id = str(conversation.get("conversation_id") or conversation.get("id") or "")
    chat_id = chat_id or f"at-{conversation.get('create_time')}"
    for node_id in shown:
        found = _turn(mapping[node_id], node_id, chat_id, conversation, place)
        if found:
            yield found
    said = (node_id for node_id, node in mapping.items() if _is_said(node))
    yield from (Passed(place, "abandoned") for node_id in said if node_id not in shown)


def _shown(mapping: Mapping[str, Any], end: Any) -> dict[str, None]:
    """The nodes from the root to the end; without a known end to the last that leads nowhere else."""
    if not isinstance(end, str) or end not in mapping:
        end = next((key for key in reversed(list(mapping)) if not _field(mapping[key], "children")), None)
    path: dict[str, None] = {}
    while isinstance(end, str) and end in mapping and end not in path:
        path[end] = None
        end = _field(mapping[end], "parent")
    return dict.fromkeys(reversed(path))


def _turn(node: Any, node_id: str, chat_id: str, conversation: Conversation, place: Place) -> Found | None:
    message = _field(node, "message")
    role = _word(_field(_field(message, "author"), "role"))
    if not isinstance(message, dict) or role == "system":
        return None
    if role not in _SPOKEN or message.get("recipient") not in (None, "all"):
        return Passed(place, "tool_result")
    if _field(message.get("metadata"), "is_visually_hidden_from_conversation"):
        return Passed(place, "injected")
    content = message.get("content")
    text = _text(content)
    if not text.strip():
        return Passed(place, "empty" if _word(_field(content, "content_type")) in _WORDS else "injected")
    time = _seconds(message.get("create_time")) or _seconds(conversation.get("create_time"))
    event = {"key": f"chatgpt:{chat_id}:{node_id}", "role": role, "content": text, "timestamp": time}
    return Turn(
        place,
        {"session_id": f"chatgpt:{chat_id}"},
        {name: value for name, value in event.items() if value is not None},
    )


def _text(content: Any) -> str:
    parts = _field(content, "parts")
    if _word(_field(content, "content_type")) not in _WORDS or not isinstance(parts, list):
        return ""
    words = (part if isinstance(part, str) else _spoken(part) for part in parts)
    return "\n".join(word for word in words if word)


def _spoken(part: Any) -> str:
    """What was said aloud stands as text in a part of its own."""
    text = _field(part, "text") if _field(part, "content_type") == "audio_transcription" else None
    return text if isinstance(text, str) else ""


def _is_said(node: Any) -> bool:
    message = _field(node, "message")
    return _word(_field(_field(message, "author"), "role")) in _SPOKEN and bool(
        _text(_field(message, "content"))
    )


def _word(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _seconds(value: Any) -> int | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and 0 < value < 2**40 else None
