"""What goes wrong at a provider, in three kinds: it may pass, a person has to act, this prompt has no answer.

Messages name the provider and what to do, never the provider's own words: those may repeat a key or a prompt.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from memory.errors import AnswerError, KeyRefusedError, MemudError, OutageError
from memory.llm.retry_after import retry_after_ms
from memory.ports import Usage

_NAME = re.compile(r"[a-z][a-z0-9_.]{1,60}")
_TOO_LONG = re.compile(r"too long|context (?:length|size|window)|maximum context|exceeds? .{0,40}context")
_TOO_LONG_CODES = {"context_length_exceeded", "exceed_context_size_error", "request_too_large"}
_REFUSAL_CODES = {"content_filter", "content_policy_violation", "invalid_prompt"}
_UNPAID_CODES = {"insufficient_quota", "billing_error", "billing_hard_limit_reached"}
_UNPAID_ENDING = "spend_limit_reached"
_PASSING = {408, 409, 425, 429, 499}
_OURS = ("thinking", "output_config", "response_format", "reasoning_effort", "model", "max_", "dimensions")


class Why(StrEnum):
    """Why a prompt got no usable answer; the queue keeps `answer_` and this word as the turn's reason."""

    REFUSED = "refused"
    TOO_LONG = "too_long"
    CUT = "cut"
    EMPTY = "empty"
    REJECTED = "rejected"


_IN_WORDS = {
    Why.REFUSED: ("refuses to answer", "the words stay in memory; no facts are drawn from them"),
    Why.TOO_LONG: ("has no room for so long a prompt", "choose a model with a larger context window"),
    Why.CUT: ("had no room left to finish its answer", "if it thinks first, let it think less in [llm]"),
    Why.EMPTY: ("gave an empty answer", "`memud queue retry` asks again"),
    Why.REJECTED: ("can't process this prompt", "`memud queue retry` asks again"),
}


class UnusableError(AnswerError):
    """An AnswerError with its cause, and what it cost all the same, if the provider said so."""

    def __init__(self, who: str, why: Why, usage: Usage | None = None) -> None:
        words, hint = _IN_WORDS[why]
        super().__init__(
            f"{who} {words}",
            hint=hint,
            input_tokens=usage.input_tokens if usage else None,
            output_tokens=usage.output_tokens if usage else 0,
        )
        self.reason = f"answer_{why}"
        self.why = why


def of_sdk(error: Exception, who: str, now: int) -> MemudError:
    """The fault behind an APIError of either SDK: they share names and forms, so neither is imported here."""
    status = getattr(error, "status_code", None)
    if status is None:
        return hang(who) if "Timeout" in type(error).__name__ else unreachable(who)
    headers = error.response.headers  # type: ignore[attr-defined]
    return of_status(who, int(status), headers, getattr(error, "body", None), now)


def of_status(who: str, status: int, headers: Mapping[str, str], body: object, now: int) -> MemudError:
    """The fault behind an HTTP status that is no success. `body` is the decoded error, if there was one."""
    said = _said(body)
    if said.is_unpaid or status == 402:
        return KeyRefusedError(
            f"{who} wants to be paid first", hint="look at the plan and limits of the account"
        )
    if status >= 500 or status in _PASSING:
        return OutageError(f"{who} answers {status}", retry_after_ms=retry_after_ms(headers, now))
    if status in (401, 403):
        return KeyRefusedError(f"{who} refuses the key", hint="give it a valid key and restart memud")
    if status == 413 or said.is_too_long:
        return UnusableError(who, Why.TOO_LONG)
    if status == 404 or said.parameter:
        unknown = said.parameter or "the model or the address"
        return KeyRefusedError(
            f"{who} does not accept {unknown}", hint="correct [llm] in the configuration, restart memud"
        )
    return UnusableError(who, Why.REFUSED if said.is_refusal else Why.REJECTED)


def hang(who: str) -> OutageError:
    """No answer in time."""
    return OutageError(f"{who} does not answer in time")


def unreachable(who: str) -> OutageError:
    """No connection, or one that broke."""
    return OutageError(f"{who} can't be reached, or broke off")


def unreadable(who: str) -> OutageError:
    """A success that is not the provider's: cut on the way, or a proxy's page."""
    return OutageError(f"{who} sent what is no answer of its kind")


def other_dimension(who: str, found: int, wanted: int) -> KeyRefusedError:
    """Vectors of another length than was set: they can't be compared with any that are stored."""
    return KeyRefusedError(
        f"{who} gives vectors of {found} numbers, not {wanted}",
        hint="correct `embed.openai_dimension` and restart memud",
    )


@dataclass(frozen=True, slots=True)
class _Said:
    """What an error's body says. `parameter` is a setting of ours that is at fault, whatever the prompt."""

    is_unpaid: bool
    is_refusal: bool
    is_too_long: bool
    parameter: str


def _said(body: object) -> _Said:
    error = _error_in(body)
    details = error.get("details")
    detail = details.get("error_code") if isinstance(details, Mapping) else None
    codes = {str(code) for code in (error.get("code"), error.get("type"), detail) if code}
    message = str(error.get("message") or "").lower()
    is_too_long = bool(codes & _TOO_LONG_CODES or _TOO_LONG.search(message))
    return _Said(
        is_unpaid=bool(codes & _UNPAID_CODES) or any(code.endswith(_UNPAID_ENDING) for code in codes),
        is_refusal=bool(codes & _REFUSAL_CODES),
        is_too_long=is_too_long,
        parameter="" if is_too_long else _our_parameter(str(error.get("param") or message.partition(":")[0])),
    )


def _error_in(body: object) -> Mapping[str, Any]:
    """The error, whether the SDK has unwrapped it or not; some servers send a sentence alone."""
    error = body.get("error", body) if isinstance(body, Mapping) else {}
    return error if isinstance(error, Mapping) else {"message": error}


def _our_parameter(named: str) -> str:
    return named if _NAME.fullmatch(named) and named.startswith(_OURS) else ""
