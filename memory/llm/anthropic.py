"""Claude as a language model, by Anthropic's Messages API."""

import asyncio
from importlib import import_module
from typing import Any

import msgspec

from memory.llm.faults import UnusableError, Why
from memory.llm.sending import Access, open_client, read, send, whole
from memory.ports import Answer, Clock, Prompt, Usage

_WHO = "Anthropic"
_WHY = {
    "refusal": Why.REFUSED,
    "max_tokens": Why.CUT,
    "model_context_window_exceeded": Why.TOO_LONG,
}


class _Block(msgspec.Struct):
    type: str
    text: str = ""


class _Tokens(msgspec.Struct):
    input_tokens: int
    output_tokens: int
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None


class _Message(msgspec.Struct):
    model: str
    content: list[_Block]
    stop_reason: str | None
    usage: _Tokens


class AnthropicModel:
    """A LanguageModel. The answer's form is kept by the schema (`output_config`), which Claude can't leave.

    Not by a forced tool: Sonnet 5.5 refuses one. `thinking` and `effort` are sent unless empty; what is
    thought counts as output. The SDK is loaded by the first call, and never tries again by itself.
    """

    def __init__(self, model: str, access: Access, clock: Clock, *, thinking: str, effort: str) -> None:
        self._model = model
        self._access = access
        self._clock = clock
        self._thinking = {"thinking": {"type": thinking}} if thinking else {}
        self._effort = {"effort": effort} if effort else {}
        self._client: Any = None

    @property
    def name(self) -> str:
        """`anthropic/` and the model."""
        return f"anthropic/{self._model}"

    async def answer(self, prompt: Prompt) -> Answer:
        """One call. Raises OutageError, KeyRefusedError, UnusableError."""
        sdk = await asyncio.to_thread(import_module, "anthropic")
        client = self._connect(sdk)
        schema = sdk.transform_schema(dict(prompt.schema))
        call = client.messages.with_raw_response.create(
            model=self._model,
            max_tokens=prompt.max_output_tokens,
            system=whole(prompt.system),
            messages=[{"role": "user", "content": whole(prompt.text)}],
            output_config={"format": {"type": "json_schema", "schema": schema}, **self._effort},
            **self._thinking,
        )
        body = await send(call, sdk.APIError, _WHO, self._access, self._clock)
        return _answer(read(body, _Message, _WHO))

    async def close(self) -> None:
        """Close the connections. Idempotent."""
        if self._client is not None:
            await self._client.close()

    def _connect(self, sdk: Any) -> Any:
        if self._client is None:
            self._client = open_client(sdk.AsyncAnthropic, sdk.Timeout, self._access)
        return self._client


def _answer(message: _Message) -> Answer:
    tokens = message.usage
    cached = (tokens.cache_creation_input_tokens or 0) + (tokens.cache_read_input_tokens or 0)
    usage = Usage(message.model, tokens.input_tokens + cached, tokens.output_tokens)
    if why := _WHY.get(message.stop_reason or ""):
        raise UnusableError(_WHO, why, usage)
    raw = "".join(block.text for block in message.content if block.type == "text")
    if not raw.strip():
        raise UnusableError(_WHO, Why.EMPTY, usage)
    return Answer(raw, usage)
