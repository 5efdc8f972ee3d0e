"""Bad input to the real daemon: a clear error or a sane answer, all alive, nothing lost."""

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from tests.daemons import DaemonProcess

KEPT = {"key": "kept", "role": "user", "content": "I decided to name the sailing boat quokka."}
YEAR_S = 366 * 86_400


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DaemonProcess]:
    """One daemon bears it all."""
    process = DaemonProcess(tmp_path_factory.mktemp("bad"))
    process.start()
    with process.client() as client:
        client.capture([KEPT], session_id="s")
    yield process
    with process.client() as client:
        assert client.search("sailing boat")["results"][0]["source"]["key"] == "kept"
    assert process.stop() == 0
    assert "request_failed" not in process.log()
    assert "Traceback" not in process.log()


class Wire:
    """One connection that sends whatever it likes."""

    def __init__(self, path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(20)
        self._socket.connect(path)
        self._answers = self._socket.makefile("rb")

    def send(self, line: bytes) -> dict[str, Any]:
        """A line, and what is answered."""
        self._socket.sendall(line + b"\n")
        answer: dict[str, Any] = json.loads(self._answers.readline())
        return answer

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """A call whose parameters are sent as they are."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.send(json.dumps(request, ensure_ascii=False).encode("utf-8", "surrogatepass"))

    def close(self) -> None:
        """Hang up."""
        self._answers.close()
        self._socket.close()


@pytest.fixture
def wire(daemon: DaemonProcess) -> Iterator[Wire]:
    """A connection that still answers at the end of each test."""
    opened = Wire(str(daemon.socket_path))
    yield opened
    assert opened.call("health")["result"]["status"] == "ok"
    opened.close()


LINES = {
    "no JSON": b"{nonsense",
    "a bare word": b"health",
    "a number": b"17",
    "NaN": b'{"jsonrpc":"2.0","id":1,"method":"recall","params":{"query":"x","threshold":NaN}}',
    "infinity": b'{"jsonrpc":"2.0","id":1,"method":"recall","params":{"query":"x","threshold":1e999}}',
    "no UTF-8": b'{"jsonrpc":"2.0","id":1,"method":"recall","params":{"query":"\xff\xfe"}}',
    "2**64": b'{"jsonrpc":"2.0","id":1,"method":"list","params":{"as_of":18446744073709551616}}',
    "5,000 digits": b'{"jsonrpc":"2.0","id":1,"method":"recall","params":{"query":"x","as_of":'
    + b"9" * 5_000
    + b"}}",
    "100,000 deep": b'{"jsonrpc":"2.0","id":1,"method":"capture","params":'
    + b"[" * 100_000
    + b"]" * 100_000
    + b"}",
    "5 MiB": b'{"jsonrpc":"2.0","id":1,"method":"recall","params":{"query":"' + b"x" * 5 * 2**20 + b'"}}',
    "an unknown method": b'{"jsonrpc":"2.0","id":1,"method":"recal","params":{}}',
    "an unknown parameter": b'{"jsonrpc":"2.0","id":1,"method":"recall","params":{"quary":"x"}}',
    "a wrong type": b'{"jsonrpc":"2.0","id":1,"method":"recall","params":{"query":17}}',
    "a wrong list": b'{"jsonrpc":"2.0","id":1,"method":"capture","params":{"events":{}}}',
}


@pytest.mark.parametrize("line", LINES)
def test_what_is_no_request_is_a_typed_error(wire: Wire, line: str) -> None:
    """With a JSON-RPC code, a reason for programs and a hint for people."""
    error = wire.send(LINES[line])["error"]
    assert -32_768 <= error["code"] < 0
    assert error["data"]["reason"] not in ("", "internal")
    assert error["message"]


@pytest.mark.parametrize("method", ["recall", "search"])
@pytest.mark.parametrize(
    "query",
    [
        "",
        "   ",
        "-tea",
        "a - b",
        "nosuch:x",
        '"',
        "``",
        "NEAR(a b)",
        "boat* OR *",
        "owner : u0",
        "(((((",
        "{a b} : c",
        "^boat + sailing",
        "AND OR NOT",
        "'; DROP TABLE items; --",
        "帆船叫什么名字？",
        "🚤" * 200,
        "\x00boat\x00",
        "\u202eboat\u200b",
        "sailing boat " * 1_500,
        "(" * 5_000,
        " ".join(f"word{n}" for n in range(3_000)),
    ],
)
def test_any_query_has_a_sane_answer(wire: Wire, method: str, query: str) -> None:
    """Operators of full text are words, nothing is an answer too; NUL is refused in words."""
    answer = wire.call(method, query=query)
    if "\x00" in query:
        assert answer["error"]["data"]["reason"] == "invalid"
    else:
        assert isinstance(answer["result"]["results"], list)


@pytest.mark.parametrize(
    "timestamp", [0, -1, -(2**62), 2**62, -62_135_596_800, 253_402_300_800, 1_000 * YEAR_S], ids=str
)
def test_a_moment_far_away_is_kept_sane(wire: Wire, timestamp: int) -> None:
    """The turn is stored, not before 1970 and not after now, and recall's ages can be computed."""
    event = {
        "key": f"at {timestamp}",
        "role": "user",
        "content": "The lighthouse lamp was lit.",
        "timestamp": timestamp,
    }
    (turn_id,) = wire.call("capture", events=[event], session_id="far")["result"]["ids"]
    stored = wire.call("resources.get", id=turn_id)["result"]
    assert 0 <= stored["timestamp"] < 100 * YEAR_S
    assert wire.call("search", query="lighthouse lamp", as_of=timestamp)["result"]["results"] is not None
    assert wire.call("recall", query="when was the lighthouse lamp lit?", as_of=timestamp)["result"]


BAD_EVENTS: dict[str, Any] = {
    "no object": 17,
    "no role": {"content": "x"},
    "an unknown role": {"role": "narrator", "content": "x"},
    "no content": {"role": "user"},
    "a number as content": {"role": "user", "content": 5},
    "too large": {"role": "user", "content": "x" * 600_000},
    "too deep": {"role": "user", "content": json.loads("[" * 80 + "]" * 80)},
    "a number beyond 64 bits": {"role": "user", "content": [{"type": "text", "n": 2**70}]},
    "an unknown field": {"role": "user", "content": "x", "colour": "red"},
    "a key with a line break": {"role": "user", "content": "x", "key": "a\nb"},
}


@pytest.mark.parametrize("event", BAD_EVENTS)
def test_a_bad_event_fails_alone(wire: Wire, event: str) -> None:
    """It goes to `skipped` with its place and reason; its neighbours are stored."""
    before = {"key": f"before {event}", "role": "user", "content": "The harbour froze over."}
    after = {"key": f"after {event}", "role": "user", "content": "The harbour thawed again."}
    result = wire.call("capture", events=[before, BAD_EVENTS[event], after])["result"]
    assert result["accepted"] == 2
    (skipped,) = result["skipped"]
    assert (skipped["index"], bool(skipped["reason"])) == (1, True)


@pytest.mark.parametrize(
    "content",
    [
        "control \x1b[31mred\x1b[0m \x07 bell",
        "null \x00 inside",
        "\ufeffbyte order mark",
        "مرحبا \u202e\u202d",
        "👩‍👩‍👧‍👦 family",
        [{"type": "text", "text": "parts"}, {"type": "image", "data": "AAAA"}, {"type": ["odd"], "text": 5}],
        {"text": "one part"},
    ],
)
def test_odd_content_is_kept_as_words(wire: Wire, content: Any) -> None:
    """Whatever it is, it is stored and can be read again."""
    event = {"key": json.dumps(content)[:200], "role": "user", "content": content}
    (turn_id,) = wire.call("capture", events=[event])["result"]["ids"]
    text = wire.call("resources.get", id=turn_id)["result"]["text"]
    assert text.strip()
    assert "\x00" not in text
    assert "\x1b" not in text


def test_an_unknown_user_has_an_empty_memory(wire: Wire) -> None:
    """No error: nothing is known of them yet."""
    assert (
        wire.call("recall", query="what is the sailing boat called?", user_id="nobody")["result"]["results"]
        == []
    )
    assert wire.call("list", user_id="nobody")["result"]["results"] == []
    assert wire.call("session.resume", user_id="nobody", session_id="s")["result"]["turns"] == []


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("list", {"cursor": "9" * 40}),
        ("queue.list", {"cursor": "x"}),
        ("list", {"limit": 0}),
        ("list", {"limit": 10**9}),
        ("recall", {"query": "x", "threshold": 2}),
        ("recall", {"query": "x", "deadline_ms": 0}),
        ("add", {"memory": ""}),
        ("add", {"memory": "x", "importance": -1}),
        ("update", {"id": "m-0", "half_life_days": 0}),
        ("get", {"id": ""}),
        ("job.run", {"name": "format"}),
        ("queue.drop", {}),
        ("proactive.resolve", {"id": "p-0", "outcome": "perhaps"}),
        ("subscribe", {"topics": []}),
        ("session.compact", {}),
        ("capture", {"events": [{"role": "user", "content": "x"}] * 501}),
        ("capture", {"events": [], "context": {"tokens_used": 1, "context_window": 0}}),
    ],
)
def test_parameters_out_of_bounds_are_refused(wire: Wire, method: str, params: dict[str, Any]) -> None:
    """Each names what is wrong; nothing is changed."""
    error = wire.call(method, **params)["error"]
    assert error["data"]["reason"] in ("invalid", "not_found")
    assert error["message"]


def test_an_astronomic_use_of_a_window_is_a_full_one(wire: Wire) -> None:
    """The ratio is a number that JSON can tell."""
    window = {"tokens_used": 2**40, "context_window": 1}
    result = wire.call("capture", events=[], session_id="huge", context=window)["result"]
    assert result["compaction"] == {"due": True, "ratio": 2.0**40}


def test_a_lone_surrogate_is_stored_as_something_readable(wire: Wire) -> None:
    """Half a character neither breaks the store nor what is read from it."""
    event = b'{"role":"user","content":"half \\ud83d"}'
    line = b'{"jsonrpc":"2.0","id":1,"method":"capture","params":{"events":[' + event + b"]}}"
    (turn_id,) = wire.send(line)["result"]["ids"]
    assert wire.call("resources.get", id=turn_id)["result"]["text"].startswith("half")
