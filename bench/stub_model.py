"""A model for measuring: it speaks OpenAI's protocol, knows what was planted, and bills by estimate."""

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from typing import Any

from bench.long_talk import facts
from memory.tokens import estimate_tokens
from tests.stubs.http import Reply, Request
from tests.stubs.openai_api import OpenAIStub
from tests.stubs.script import Fault

_TURN = re.compile(r'<turn id="(?P<id>\w+)"[^>]*>\n(?P<words>.*?)\n</turn>', re.DOTALL)


class BillingStub(OpenAIStub):
    """Counts the tokens of all that it is sent, the schema too, as memud estimates them."""

    def reply(self, request: Request, fault: Fault | None) -> Reply:
        """A completion with its bill."""
        reply, asked = super().reply(request, fault), request.body
        if reply.status != 200 or "input" in asked:  # vectors bring their own bill
            return reply
        sent = "".join(message["content"] for message in asked["messages"])
        sent += json.dumps(asked["response_format"], ensure_ascii=False)
        answered = reply.body["choices"][0]["message"]["content"]
        usage = {
            "prompt_tokens": estimate_tokens(sent),
            "completion_tokens": estimate_tokens(answered),
            "total_tokens": estimate_tokens(sent) + estimate_tokens(answered),
        }
        return replace(reply, body={**reply.body, "usage": usage})


@contextmanager
def stub_model() -> Iterator[str]:
    """The address of the model, served by a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    serving = BillingStub(_found).serving()
    try:
        yield asyncio.run_coroutine_threadsafe(serving.__aenter__(), loop).result()
    finally:
        asyncio.run_coroutine_threadsafe(serving.__aexit__(None, None, None), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _found(prompt: str) -> dict[str, Any]:
    """The planted facts among the turns of a prompt."""
    turns = [(turn["id"], unescape(turn["words"])) for turn in _TURN.finditer(prompt)]
    return {"facts": [_fact(turn, words) for turn, words in turns if words in facts()]}


def _fact(turn: str, words: str) -> dict[str, Any]:
    return {
        "turn": turn,
        "quote": words,
        "text": words,
        "kind": "semantic",
        "type": "general",
        "importance": 0.6,
        "until": "",
        "action": "add",
        "known": [],
        "categories": [],
    }
