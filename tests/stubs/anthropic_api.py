"""Anthropic's Messages API as a stub: its forms, its errors, its headers, its refusals of bad requests."""

from typing import Any

from memory.testing import is_strict
from tests.stubs.http import Reply, Request
from tests.stubs.provider import StubProvider, tokens
from tests.stubs.script import Fault

_THINKING = {"adaptive", "between_tools"}
_ERRORS = {
    Fault.SERVER_ERROR: (500, "api_error", "Internal server error"),
    Fault.OVERLOADED: (529, "overloaded_error", "Overloaded"),
    Fault.KEY_REFUSED: (401, "authentication_error", "invalid x-api-key"),
    Fault.FORBIDDEN: (403, "permission_error", "Your API key does not have permission to use this."),
    Fault.UNPAID: (402, "billing_error", "Your credit balance is too low."),
    Fault.UNKNOWN_MODEL: (404, "not_found_error", "model: claude-nothing-1"),
    Fault.BAD_SETTING: (400, "invalid_request_error", "output_config.effort: not supported by this model"),
    Fault.TOO_LONG: (400, "invalid_request_error", "prompt is too long: 1200007 tokens > 1000000 maximum"),
    Fault.TOO_LARGE: (413, "request_too_large", "Request exceeds the maximum size"),
    Fault.REJECTED: (400, "invalid_request_error", "messages.0.content: could not be processed"),
}
_STOPS = {Fault.REFUSAL: "refusal", Fault.CUT_AT_LIMIT: "max_tokens"}


class AnthropicStub(StubProvider):
    """`POST /v1/messages` of Claude Sonnet 5.5: structured output by schema, no forced tools."""

    def reply(self, request: Request, fault: Fault | None) -> Reply:
        """A message, or an error in Anthropic's form."""
        if fault in _ERRORS:
            return _error(*_ERRORS[fault])
        if wrong := _wrong_with(request):
            return _error(400, "invalid_request_error", wrong)
        return Reply(200, self._message(request.body, fault), _headers(), is_cut=fault is Fault.CUT_BODY)

    def rate_limit(self, headers: dict[str, str]) -> Reply:
        """A 429 in Anthropic's form."""
        return _error(429, "rate_limit_error", "This request would exceed your rate limit", headers)

    def _message(self, body: dict[str, Any], fault: Fault | None) -> dict[str, Any]:
        text = "" if fault is Fault.REFUSAL else self.answer(body["messages"][-1]["content"], fault)
        return {
            "id": "msg_01stub",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [{"type": "text", "text": text}] if text else [],
            "stop_reason": _STOPS.get(fault, "end_turn") if fault else "end_turn",
            "stop_sequence": None,
            "usage": {
                "input_tokens": tokens(body["system"] + body["messages"][-1]["content"]),
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 0,
                "output_tokens": tokens(text),
                "service_tier": "standard",
            },
        }


def _wrong_with(request: Request) -> str:
    """What the real service would not accept; "" for nothing."""
    body = request.body
    schema = body.get("output_config", {}).get("format", {}).get("schema", {})
    checks = {
        "path: not found": request.path == "/v1/messages",
        "a key is required": "x-api-key" in request.headers or "authorization" in request.headers,
        "anthropic-version: header is required": "anthropic-version" in request.headers,
        "max_tokens: Field required": body.get("max_tokens", 0) > 0,
        "tool_choice: forced tool use is not supported": "tool_choice" not in body,
        "thinking.type: not supported": body.get("thinking", {"type": "adaptive"})["type"] in _THINKING,
        "temperature: not supported": "temperature" not in body,
        "output_config.format.schema: additionalProperties must be false": is_strict(schema),
    }
    return next((wrong for wrong, is_right in checks.items() if not is_right), "")


def _error(status: int, kind: str, message: str, headers: dict[str, str] | None = None) -> Reply:
    body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_01stub"}
    return Reply(status, body, {**_headers(), **(headers or {})})


def _headers() -> dict[str, str]:
    return {"request-id": "req_01stub", "anthropic-organization-id": "org-stub"}
