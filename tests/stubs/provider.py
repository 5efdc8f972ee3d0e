"""What both stub providers share: a ground truth, a script of faults, and what they were asked."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any

from tests.stubs.http import Break, Reply, Request, serving
from tests.stubs.script import Fault, always

Truth = Callable[[str], Any]
"""From the text of a prompt to the JSON that answers it; the stub's knowledge of what is right."""

NOW = 1_780_000_000
RETRY_AFTER_S = 17
PAGE = "<html><body>Bad gateway</body></html>"
_DATE = format_datetime(datetime.fromtimestamp(NOW + RETRY_AFTER_S, UTC), usegmt=True)
_LIMITS = {
    Fault.RATE_LIMIT_SECONDS: {"retry-after": str(RETRY_AFTER_S)},
    Fault.RATE_LIMIT_DATE: {"retry-after": _DATE},
    Fault.RATE_LIMIT_MS: {"retry-after-ms": str(1000 * RETRY_AFTER_S)},
    Fault.RATE_LIMIT: {},
}


class StubProvider(ABC):
    """Answers by its ground truth, or with the next fault of the script. `now` is the time of its dates."""

    def __init__(self, truth: Truth, faults: Iterator[Fault | None] | None = None) -> None:
        self.truth = truth
        self.faults = faults or always(None)
        self.requests: list[Request] = []
        self.asked = asyncio.Event()  # set by the first request

    def serving(self) -> AbstractAsyncContextManager[str]:
        """The server's address while it runs."""
        return serving(self._respond)

    def _respond(self, request: Request) -> Reply | Break:
        self.requests.append(request)
        self.asked.set()
        fault = next(self.faults)
        if fault is Fault.HANG:
            return Break.HANG
        if fault is Fault.RESET:
            return Break.RESET
        if fault is Fault.PAGE:
            return Reply(502, PAGE)
        if fault is Fault.NOT_JSON:
            return Reply(200, PAGE)
        if fault is Fault.OTHER_FORM:
            return Reply(200, {"status": "fine"})
        if fault in _LIMITS:
            return self.rate_limit(_LIMITS[fault])
        return self.reply(request, fault)

    @abstractmethod
    def reply(self, request: Request, fault: Fault | None) -> Reply:
        """The provider's own answer."""

    @abstractmethod
    def rate_limit(self, headers: dict[str, str]) -> Reply:
        """The provider's own 429."""

    def answer(self, prompt: str, fault: Fault | None) -> str:
        """The text of the answer: right, or spoilt as a model spoils it."""
        text = json.dumps(self.truth(prompt), ensure_ascii=False)
        spoilt = {
            Fault.EMPTY: "",
            Fault.CUT_JSON: text[: max(1, len(text) // 2)],
            Fault.CUT_AT_LIMIT: text[: max(1, len(text) // 2)],
            Fault.WRONG_SCHEMA: json.dumps({"unasked": [text, 1, None]}),
        }
        return spoilt.get(fault, text) if fault else text


def tokens(text: str) -> int:
    """A count of tokens, near enough for a bill."""
    return 1 + len(text.encode()) // 4
