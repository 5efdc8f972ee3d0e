"""Claude's export: conversations as lists of messages, whose words stand in `content`, `text`, or both."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cli.importing.chats import Conversation, read_chats
from cli.importing.exports import head_of
from cli.importing.found import Fault, Found, Passed, Place, Turn, Wishes
from cli.importing.times import seconds_of

_ROLES = {"human": "user", "user": "user", "assistant": "assistant"}


def recognises(path: Path, head: bytes) -> bool:
    """Whether it is a list of conversations with messages of a human and an assistant."""
    text = head_of(path, head).lstrip()
    return text.startswith("[") and '"chat_messages"' in text


def read(path: Path, wishes: Wishes) -> Iterator[Found]:
    """What was said in each conversation."""
    yield from read_chats(path, "chat_messages", _turns)


def _turns(conversation: Conversation, place: Place) -> Iterator[Found]:
    messages = conversation["chat_messages"]
    if not isinstance(messages, list):
        yield Fault(place, "import.no_conversation")
        return
    chat_id = str(conversation.get("uuid") or f"at-{conversation.get('created_at')}")
    for number, message in enumerate(messages):
        yield _turn(message, number, chat_id, conversation, place)


def _turn(message: Any, number: int, chat_id: str, conversation: Conversation, place: Place) -> Found:
    role = _ROLES.get(str(message.get("sender"))) if isinstance(message, dict) else None
    if role is None:
        return Fault(place, "import.no_content")
    text = _text(message)
    if not text.strip():
        return Passed(place, "empty")
    event = {
        "key": f"claude:{chat_id}:{message.get('uuid') or number}",
        "role": role,
        "content": text,
        "timestamp": seconds_of(message.get("created_at")) or seconds_of(conversation.get("created_at")),
    }
    return Turn(
        place,
        {"session_id": f"claude:{chat_id}"},
        {name: value for name, value in event.items() if value is not None},
    )


def _text(message: dict[str, Any]) -> str:
    """The text parts; tools and thinking are none. Older exports have `text` alone."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    words = [part.get("text") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
    said = "\n".join(word for word in words if isinstance(word, str) and word)
    text = message.get("text")
    return said or (text if isinstance(text, str) else "")
