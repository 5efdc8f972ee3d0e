"""OpenAI's models, and every server that speaks its Chat Completions: Ollama, llama.cpp, vLLM.

Chat Completions and not Responses: those servers answer it with a JSON schema, while Responses is missing
or partial there; and OpenAI keeps what Responses is sent unless told otherwise.
"""

import asyncio
from importlib import import_module
from typing import Any, Final

import msgspec

from memory.llm.faults import UnusableError, Why
from memory.llm.sending import Access, open_client, read, send, whole
from memory.ports import Answer, Clock, Prompt, Usage

OPENAI_URL: Final = "https://api.openai.com/v1"


class _Message(msgspec.Struct):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None


class _Tokens(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(msgspec.Struct):
    model: str
    choices: list[_Choice]
    usage: _Tokens | None = None


class OpenAIModel:
    """A LanguageModel. The answer's form is kept by a strict JSON schema (`response_format`).

    `effort` is how long OpenAI's own models think; other servers are not told. A server that counts no
    tokens costs none. The SDK is loaded by the first call, and never tries again by itself.
    """

    def __init__(self, model: str, access: Access, clock: Clock, *, effort: str) -> None:
        self._model = model
        self._access = access
        self._clock = clock
        self._is_openai = access.base_url == OPENAI_URL
        self._effort = {"reasoning_effort": effort} if effort and self._is_openai else {}
        self._client: Any = None

    @property
    def name(self) -> str:
        """`openai/` and the model."""
        return f"openai/{self._model}"

    async def answer(self, prompt: Prompt) -> Answer:
        """One call. Raises OutageError, KeyRefusedError, UnusableError."""
        sdk = await asyncio.to_thread(import_module, "openai")
        create = self._connect(sdk).chat.completions.with_raw_response.create
        call = create(**self.request(prompt))
        body = await send(call, sdk.APIError, self._who, self._access, self._clock)
        return self._answer(read(body, _Completion, self._who))

    def request(self, prompt: Prompt) -> dict[str, Any]:
        """What is asked, in the API's own names."""
        # OpenAI refuses the old name, Ollama does not know the new one.
        limit = "max_completion_tokens" if self._is_openai else "max_tokens"
        form = {"name": prompt.name, "schema": dict(prompt.schema), "strict": True}
        return {
            "model": self._model,
            "messages": [
                {"role": "system", "content": whole(prompt.system)},
                {"role": "user", "content": whole(prompt.text)},
            ],
            "response_format": {"type": "json_schema", "json_schema": form},
            limit: prompt.max_output_tokens,
            **self._effort,
        }

    async def close(self) -> None:
        """Close the connections. Idempotent."""
        if self._client is not None:
            await self._client.close()

    @property
    def _who(self) -> str:
        return "OpenAI" if self._is_openai else f"the server at {self._access.host}"

    def _connect(self, sdk: Any) -> Any:
        if self._client is None:
            self._client = open_client(sdk.AsyncOpenAI, sdk.Timeout, self._access)
        return self._client

    def _answer(self, completion: _Completion) -> Answer:
        tokens = completion.usage or _Tokens()
        usage = Usage(completion.model, tokens.prompt_tokens, tokens.completion_tokens)
        choice = completion.choices[0] if completion.choices else _Choice(_Message())
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise UnusableError(self._who, Why.REFUSED, usage)
        if choice.finish_reason == "length":
            raise UnusableError(self._who, Why.CUT, usage)
        raw = choice.message.content or ""
        if not raw.strip():
            raise UnusableError(self._who, Why.EMPTY, usage)
        return Answer(raw, usage)
