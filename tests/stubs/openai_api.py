"""OpenAI's Chat Completions and Embeddings as a stub: forms, errors, headers, refusals of bad requests."""

import base64
import hashlib
import struct
from typing import Any

from memory.testing import is_strict
from tests.stubs.http import Reply, Request
from tests.stubs.provider import StubProvider, tokens
from tests.stubs.script import Fault

_UNPAID = "You exceeded your current quota, please check your plan and billing details."
_LONG = "This model's maximum context length is 1050000 tokens."
_ERRORS: dict[Fault, tuple[int, str, str | None, str | None, str]] = {
    Fault.SERVER_ERROR: (500, "server_error", None, None, "The server had an error"),
    Fault.OVERLOADED: (503, "server_error", "overloaded", None, "The engine is currently overloaded"),
    Fault.KEY_REFUSED: (401, "invalid_request_error", "invalid_api_key", None, "Incorrect API key provided"),
    Fault.FORBIDDEN: (403, "invalid_request_error", "unsupported_country", None, "Not supported here"),
    Fault.UNPAID: (429, "insufficient_quota", "insufficient_quota", None, _UNPAID),
    Fault.UNKNOWN_MODEL: (404, "invalid_request_error", "model_not_found", None, "It does not exist"),
    Fault.BAD_SETTING: (
        400,
        "invalid_request_error",
        "unsupported_value",
        "reasoning_effort",
        "Unsupported value",
    ),
    Fault.TOO_LONG: (400, "invalid_request_error", "context_length_exceeded", "messages", _LONG),
    Fault.TOO_LARGE: (413, "invalid_request_error", None, None, "Payload too large"),
    Fault.REJECTED: (400, "invalid_request_error", None, "messages", "Invalid value"),
}
_STOPS = {Fault.CUT_AT_LIMIT: "length"}
DIMENSION = 1536
MAX_INPUTS = 2048
MAX_INPUT_TOKENS = 8192
MAX_CALL_TOKENS = 300_000


class OpenAIStub(StubProvider):
    """`/v1/chat/completions` with strict schemas and `/v1/embeddings`."""

    def reply(self, request: Request, fault: Fault | None) -> Reply:
        """A completion or vectors, or an error in OpenAI's form."""
        if fault in _ERRORS:
            return _error(*_ERRORS[fault])
        embeds = request.path == "/v1/embeddings"
        if wrong := _wrong_inputs(request) if embeds else _wrong_with(request):
            return _error(400, "invalid_request_error", None, None, wrong)
        body = _vectors(request.body) if embeds else self._completion(request.body, fault)
        return Reply(200, body, {"x-request-id": "req_stub"}, is_cut=fault is Fault.CUT_BODY)

    def rate_limit(self, headers: dict[str, str]) -> Reply:
        """A 429 in OpenAI's form."""
        return _error(
            429, "requests", "rate_limit_exceeded", None, "Rate limit reached for requests", headers
        )

    def _completion(self, body: dict[str, Any], fault: Fault | None) -> dict[str, Any]:
        prompt = body["messages"][-1]["content"]
        text = None if fault is Fault.REFUSAL else self.answer(prompt, fault)
        refusal = "I can't help with that." if fault is Fault.REFUSAL else None
        spent = tokens(body["messages"][0]["content"] + prompt), tokens(text or "")
        return {
            "id": "chatcmpl-stub",
            "object": "chat.completion",
            "created": 1_780_000_000,
            "model": body["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text, "refusal": refusal, "annotations": []},
                    "logprobs": None,
                    "finish_reason": _STOPS.get(fault, "stop") if fault else "stop",
                }
            ],
            "usage": {"prompt_tokens": spent[0], "completion_tokens": spent[1], "total_tokens": sum(spent)},
        }


def _vectors(body: dict[str, Any]) -> dict[str, Any]:
    """A vector for each input: random, but the same for the same text."""
    rows = [_encoded(text, body.get("encoding_format", "float")) for text in body["input"]]
    spent = sum(tokens(text) for text in body["input"])
    return {
        "object": "list",
        "data": [{"object": "embedding", "index": n, "embedding": row} for n, row in enumerate(rows)],
        "model": body["model"],
        "usage": {"prompt_tokens": spent, "total_tokens": spent},
    }


def _encoded(text: str, form: str) -> str | list[float]:
    noise = hashlib.shake_256(text.encode()).digest(4 * DIMENSION)
    numbers = [value / 2**31 - 1 for value in struct.unpack(f"<{DIMENSION}I", noise)]
    length = sum(number * number for number in numbers) ** 0.5
    unit = [number / length for number in numbers]
    return base64.b64encode(struct.pack(f"<{DIMENSION}f", *unit)).decode() if form == "base64" else unit


def _wrong_with(request: Request) -> str:
    """What the real service would not accept; "" for nothing."""
    body = request.body
    form = body.get("response_format", {}).get("json_schema", {})
    schema = form.get("schema", {})
    checks = {
        "path: not found": request.path == "/v1/chat/completions",
        "a bearer key is required": request.headers.get("authorization", "").startswith("Bearer "),
        "a name is required": bool(form.get("name")),
        "required must name every property, additionalProperties must be false": is_strict(schema),
        "one limit of tokens": ("max_tokens" in body) != ("max_completion_tokens" in body),
    }
    return next((wrong for wrong, is_right in checks.items() if not is_right), "")


def _wrong_inputs(request: Request) -> str:
    texts = request.body["input"]
    counts = [tokens(text) for text in texts]
    checks = {
        "a bearer key is required": request.headers.get("authorization", "").startswith("Bearer "),
        "'$.input' is invalid": 0 < len(texts) <= MAX_INPUTS and all(texts),
        "maximum context length is 8192 tokens": max(counts, default=0) <= MAX_INPUT_TOKENS,
        "maximum request size is 300000 tokens": sum(counts) <= MAX_CALL_TOKENS,
    }
    return next((wrong for wrong, is_right in checks.items() if not is_right), "")


def _error(
    status: int,
    kind: str,
    code: str | None,
    parameter: str | None,
    message: str,
    headers: dict[str, str] | None = None,
) -> Reply:
    error = {"message": message, "type": kind, "param": parameter, "code": code}
    return Reply(status, {"error": error}, {"x-request-id": "req_stub", **(headers or {})})
