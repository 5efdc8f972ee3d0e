"""The model that tokens are measured with."""

import json
from urllib.request import Request, urlopen

from bench.long_talk import facts
from bench.stub_model import stub_model
from memory.tokens import estimate_tokens


def test_it_finds_what_was_planted_and_bills_what_it_was_sent() -> None:
    """Its answer names the turn; the schema is part of the bill."""
    fact = "坐高铁我喜欢靠窗的座位。"
    assert fact in facts()
    turns = (("t1", "hello"), ("t2", fact))
    prompt = "\n".join(f'<turn id="{turn}" said="x">\n{words}\n</turn>' for turn, words in turns)
    schema = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
    form = {"type": "json_schema", "json_schema": {"name": "facts", "strict": True, "schema": schema}}
    asked = {
        "model": "m",
        "messages": [{"role": "system", "content": "Find."}, {"role": "user", "content": prompt}],
        "response_format": form,
        "max_completion_tokens": 9,
    }
    with stub_model() as address:
        request = Request(  # noqa: S310 - our own server
            f"{address}/v1/chat/completions",
            json.dumps(asked).encode(),
            {"authorization": "Bearer " + "x", "content-type": "application/json"},
        )
        with urlopen(request, timeout=10) as reply:  # noqa: S310
            body = json.load(reply)
    found = json.loads(body["choices"][0]["message"]["content"])["facts"]
    assert [(one["turn"], one["quote"]) for one in found] == [("t2", fact)]
    sent = estimate_tokens("Find." + prompt) + estimate_tokens(json.dumps(form))
    assert body["usage"]["prompt_tokens"] == sent
