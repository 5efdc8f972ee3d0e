"""The model behind the agent: an OpenAI-compatible provider that streams and keeps every request."""

import json
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from tests.stubs.http import Reply, Request
from tests.stubs.provider import tokens

MODEL = "stub-1"
CONTEXT_WINDOW = 200_000
OUTPUT_LIMIT = 2_048


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model says next: words, or calls of tools. `prompt_tokens` is what it claims to have read."""

    text: str = "All right."
    tool: str | None = None
    arguments: dict[str, Any] = field(default_factory=dict)
    prompt_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as the model got it."""

    body: dict[str, Any]

    @property
    def users(self) -> list[str]:
        """The texts of the user's messages, oldest first, as they stand in the prompt."""
        return [_words(one["content"]) for one in self.body["messages"] if one["role"] == "user"]

    @property
    def system(self) -> str:
        """The system prompt."""
        return "\n".join(_words(one["content"]) for one in self.body["messages"] if one["role"] == "system")

    @property
    def results(self) -> list[str]:
        """What tools answered."""
        return [_words(one["content"]) for one in self.body["messages"] if one["role"] == "tool"]

    @property
    def tools(self) -> set[str]:
        """The names of the tools it may call."""
        return {tool["function"]["name"] for tool in self.body.get("tools", ())}

    @property
    def text(self) -> str:
        """All of it."""
        return json.dumps(self.body, ensure_ascii=False)


class ModelProvider:
    """`/v1/chat/completions`, streamed or whole."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.next: deque[Answer] = deque()
        self.usual = Answer()

    def respond(self, request: Request) -> Reply:
        """The next planned answer, else the usual one."""
        if not request.path.endswith("/chat/completions"):
            return Reply(200, {"object": "list", "data": [{"id": MODEL, "object": "model"}]})
        self.asked.append(Asked(request.body))
        answer = self.next.popleft() if self.next else self.usual
        usage = _usage(request.body, answer)
        if request.body.get("stream"):
            return Reply(200, _streamed(answer, usage), {"content-type": "text/event-stream"})
        choice = {"index": 0, "message": _delta(answer), "finish_reason": _finish(answer)}
        return Reply(200, {**_HEAD, "object": "chat.completion", "choices": [choice], "usage": usage})

    def asked_with(self, words: str) -> list[Asked]:
        """The requests in which a user's message holds these words."""
        return [asked for asked in self.asked if any(words in text for text in asked.users)]


_HEAD = {"id": "chatcmpl-stub", "created": 1_780_000_000, "model": MODEL}


def _streamed(answer: Answer, usage: dict[str, int]) -> str:
    said = {"index": 0, "delta": _delta(answer), "finish_reason": None}
    end = {"index": 0, "delta": {}, "finish_reason": _finish(answer)}
    chunks: list[dict[str, Any]] = [{"choices": [said]}, {"choices": [end]}, {"choices": [], "usage": usage}]
    lines = [json.dumps({**_HEAD, "object": "chat.completion.chunk", **chunk}) for chunk in chunks]
    return "".join(f"data: {line}\n\n" for line in (*lines, "[DONE]"))


def _delta(answer: Answer) -> dict[str, Any]:
    if answer.tool is None:
        return {"role": "assistant", "content": answer.text}
    function = {"name": answer.tool, "arguments": json.dumps(answer.arguments, ensure_ascii=False)}
    call = {"index": 0, "id": f"call_{answer.tool}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


def _finish(answer: Answer) -> str:
    return "tool_calls" if answer.tool else "stop"


def _usage(body: dict[str, Any], answer: Answer) -> dict[str, int]:
    prompt = answer.prompt_tokens or tokens(json.dumps(body))
    said = tokens(answer.text)
    return {"prompt_tokens": prompt, "completion_tokens": said, "total_tokens": prompt + said}


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or ())
