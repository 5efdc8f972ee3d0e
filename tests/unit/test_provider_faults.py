"""What an error of a provider means, from its status and body."""

import pytest

from memory.errors import KeyRefusedError, OutageError
from memory.llm.faults import UnusableError, of_status

NOW = 1_780_000_000


def _of(status: int, body: object) -> Exception:
    return of_status("P", status, {}, body, NOW)


@pytest.mark.parametrize(
    "message",
    [
        "prompt is too long: 1200007 tokens > 1000000 maximum",
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
        "the request exceeds the available context size, try increasing it",
        "The input exceeds the context window of this model",
    ],
)
def test_a_prompt_too_long_is_known_in_each_server_s_words(message: str) -> None:
    """Anthropic, OpenAI, vLLM and llama.cpp say it by a sentence, some by a code."""
    fault = _of(400, {"error": {"type": "invalid_request_error", "message": message}})
    assert isinstance(fault, UnusableError)
    assert fault.reason == "answer_too_long"


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (404, {"error": "model 'llama9' not found"}),
        (404, None),
        (400, {"error": {"message": "thinking.type: Input tag 'disabled' is not supported"}}),
        (400, {"error": {"param": "response_format", "message": "Invalid schema"}}),
        (400, {"param": "max_tokens", "message": "Use max_completion_tokens instead", "code": "unsupported"}),
        (429, {"error": {"type": "insufficient_quota", "code": "insufficient_quota"}}),
        (
            400,
            {
                "error": {
                    "type": "invalid_request_error",
                    "details": {"error_code": "ramp_spend_limit_reached"},
                }
            },
        ),
    ],
)
def test_what_would_fail_for_every_prompt_waits_for_a_person(status: int, body: object) -> None:
    """No turn is given up for a wrong setting or an empty account."""
    fault = _of(status, body)
    assert isinstance(fault, KeyRefusedError)
    assert fault.hint


@pytest.mark.parametrize("status", [408, 409, 425, 429, 499, 500, 502, 503, 504, 520, 529])
def test_a_status_that_may_pass_is_an_outage(status: int) -> None:
    """Whatever its body says."""
    assert isinstance(_of(status, "<html>too long</html>"), OutageError)


@pytest.mark.parametrize(
    "body", [None, [], "x", 7, {"error": None}, {"error": []}, {"error": {"message": None}}]
)
def test_a_body_of_any_form_is_no_trouble(body: object) -> None:
    """It comes from outside."""
    assert isinstance(_of(400, body), UnusableError)


def test_a_filter_s_refusal_is_the_model_s_refusal() -> None:
    """Some servers refuse by status, others by answer."""
    fault = _of(400, {"error": {"code": "content_filter", "message": "filtered"}})
    assert isinstance(fault, UnusableError)
    assert fault.reason == "answer_refused"
