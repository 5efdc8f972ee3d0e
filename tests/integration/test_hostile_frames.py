"""What a peer may send by mistake or malice: a clear error, and connection and server live on."""

import asyncio
import os
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from daemon.method import Context, Method
from daemon.protocol.capture import CaptureParams, CaptureResult
from daemon.protocol.events import read_events
from daemon.protocol.recall import RecallParams, RecallResult
from daemon.protocol.state import StatsParams, StatsResult
from daemon.protocol.table import CAPTURE, RECALL, STATS
from daemon.testing import Peer, server_settings, serving


async def capture(params: CaptureParams, context: Context) -> CaptureResult:
    """Keep nothing; say what could be read."""
    events = read_events(params.events, server_settings())
    return CaptureResult(
        accepted=len(events.events),
        duplicates=0,
        skipped=events.skipped,
        ids=tuple(str(event.content) for _, event in events.events),
    )


async def recall(params: RecallParams, context: Context) -> RecallResult:
    """Say the query."""
    return RecallResult(results=(), context=params.query, threshold=0.75)


async def stats(params: StatsParams, context: Context) -> StatsResult:
    """Say nothing."""
    return StatsResult()


METHODS: dict[str, Method[Any, Any]] = {
    "capture": Method(CAPTURE, capture),
    "recall": Method(RECALL, recall),
    "stats": Method(STATS, stats),
}


def recall_with(params: bytes) -> bytes:
    """A recall with these params."""
    return b'{"jsonrpc":"2.0","id":1,"method":"recall","params":' + params + b"}"


PARSE, REQUEST, METHOD, PARAMS = -32700, -32600, -32601, -32602
DEEP = 100_000

BAD_LINES = [
    (b"not json", PARSE),
    (b"\xff\xfe\x00", PARSE),
    (b'{"jsonrpc":"2.0","id":1,"method":"stats"', PARSE),
    (b'{"jsonrpc":"2.0","id":1,"method":"stats"} {}', PARSE),
    (b"[" * DEEP + b"]" * DEEP, PARSE),
    (b'{"a":' * DEEP + b"1" + b"}" * DEEP, PARSE),
    (recall_with(b"[" * DEEP + b"]" * DEEP), PARSE),
    (b'{"jsonrpc":"2.0","method":"stats","id":' + b"[" * DEEP + b"]" * DEEP + b"}", PARSE),
    (recall_with(b'{"query":"a","threshold":NaN}'), PARSE),
    (recall_with(b'{"query":"a","threshold":-Infinity}'), PARSE),
    (recall_with(b'{"query":"\xff"}'), PARSE),
    (b"{}", REQUEST),
    (b"[]", REQUEST),
    (b"5", REQUEST),
    (b'"stats"', REQUEST),
    (b"null", REQUEST),
    (b"[" + b",".join([b"1"] * 101) + b"]", REQUEST),
    (b'{"id":1,"method":"stats"}', REQUEST),
    (b'{"jsonrpc":"1.0","id":1,"method":"stats"}', REQUEST),
    (b'{"jsonrpc":"2.0","id":1,"method":7}', REQUEST),
    (b'{"jsonrpc":"2.0","id":{"a":1},"method":"stats"}', REQUEST),
    (b'{"jsonrpc":"2.0","id":true,"method":"stats"}', REQUEST),
    (b'{"jsonrpc":"2.0","id":1e999,"method":"stats"}', REQUEST),
    (b'{"jsonrpc":"2.0","id":"' + b"x" * 1000 + b'","method":"stats"}', REQUEST),
    (b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * 10_000 + b'"}', REQUEST),
    (b'{"jsonrpc":"2.0","id":1,"method":"nosuch"}', METHOD),
    (b'{"jsonrpc":"2.0","id":1,"method":""}', METHOD),
    (b'{"jsonrpc":"2.0","id":1,"method":"__init__"}', METHOD),
    (recall_with(b"[]"), PARAMS),
    (recall_with(b'"query"'), PARAMS),
    (recall_with(b"{}"), PARAMS),
    (recall_with(b'{"query":null}'), PARAMS),
    (recall_with(b'{"query":["a"]}'), PARAMS),
    (recall_with(b'{"query":"a\\u0000b"}'), PARAMS),
    (recall_with(b'{"query":"' + b"x" * 70_000 + b'"}'), PARAMS),
    (recall_with(b'{"query":"a","qurey":"b"}'), PARAMS),
    (recall_with(b'{"query":"a","limit":0}'), PARAMS),
    (recall_with(b'{"query":"a","limit":1001}'), PARAMS),
    (recall_with(b'{"query":"a","limit":"10"}'), PARAMS),
    (recall_with(b'{"query":"a","limit":true}'), PARAMS),
    (recall_with(b'{"query":"a","limit":18446744073709551616}'), PARAMS),
    (recall_with(b'{"query":"a","as_of":18446744073709551616}'), PARAMS),
    (recall_with(b'{"query":"a","as_of":' + b"9" * 5000 + b"}"), PARAMS),
    (recall_with(b'{"query":"a","as_of":1.5}'), PARAMS),
    (recall_with(b'{"query":"a","threshold":1.01}'), PARAMS),
    (recall_with(b'{"query":"a","threshold":1e999}'), PARAMS),
    (recall_with(b'{"query":"a","kinds":["weekly"]}'), PARAMS),
    (recall_with(b'{"query":"a","deadline_ms":0}'), PARAMS),
    (recall_with(b'{"query":"a","user_id":""}'), PARAMS),
    (recall_with(b'{"query":"a","user_id":"a\\nb"}'), PARAMS),
    (recall_with(b'{"query":"a","user_id":"a\\u0000b"}'), PARAMS),
    (recall_with(b'{"query":"a","session_id":"' + b"x" * 257 + b'"}'), PARAMS),
    (recall_with(b'{"query":"a","top_k":3,"limit":4}'), PARAMS),
    (b'{"jsonrpc":"2.0","id":1,"method":"cancel","params":{}}', PARAMS),
]


@pytest.fixture
def socket_path(tmp_path: Path) -> Path:
    """Where the server listens."""
    return tmp_path / "memud.sock"


@pytest.mark.parametrize(
    ("line", "code"), BAD_LINES, ids=[line[:60].decode("latin-1") for line, _ in BAD_LINES]
)
async def test_a_bad_line_is_refused_and_the_next_is_served(
    socket_path: Path, line: bytes, code: int
) -> None:
    """One typed error for one bad line; its words are short and the connection goes on."""
    async with serving(socket_path, METHODS), await Peer.connect(socket_path) as peer:
        await peer.send(line + b"\n")
        reply = await peer.read()
        error = (reply[0] if isinstance(reply, list) else reply)["error"]
        assert error["code"] == code
        assert set(error["data"]) >= {"reason", "retriable", "hint"}
        assert len(error["message"]) < 400
        assert await peer.call("stats")


GOOD_LINES = [
    (b'{"query":""}', ""),
    (b'{"query":"' + b"x" * 20_000 + b'"}', "x" * 20_000),
    (b'{"query":"\\" AND (NEAR(* body:x"}', '" AND (NEAR(* body:x'),
    (b'{"query":"cut \\ud83d"}', "cut \ufffd"),
    (b'{"query":"\\ude00\\ud83d"}', "\ufffd\ufffd"),
    (b'{"query":"\\ud83d\\ude00"}', "😀"),
    (b'{"query":"a \\\\ud83d path"}', "a \\ud83d path"),
    (b'{"query":"a","query":"b"}', "b"),
    (b'{"query":"a","as_of":-9223372036854775808}', "a"),
    (b'{"query":"a","as_of":9223372036854775807}', "a"),
    (b'{"query":"\xe6\x98\x8e\xe5\xa4\xa9","user_id":"nobody knows"}', "明天"),
]


@pytest.mark.parametrize(("params", "answer"), GOOD_LINES, ids=[line[:40].decode() for line, _ in GOOD_LINES])
async def test_an_odd_line_has_a_sane_answer(socket_path: Path, params: bytes, answer: str) -> None:
    """What is odd and yet clear is served; half an emoji becomes the replacement sign."""
    async with serving(socket_path, METHODS), await Peer.connect(socket_path) as peer:
        await peer.send(recall_with(params) + b"\r\n\n  \n")
        assert (await peer.read())["result"]["context"] == answer


async def test_one_bad_event_does_not_fail_the_others(socket_path: Path) -> None:
    """Each event stands for itself: the bad ones are skipped with key, place and reason."""
    events = [
        b'{"role":"user","content":"good"}',
        b"5",
        b'{"key":"type","role":"user","content":5}',
        b'{"key":"deep","role":"user","content":' + b"[" * 70 + b"]" * 70 + b"}",
        b'{"key":"size","role":"user","content":"' + b"x" * 524_288 + b'"}',
        b'{"key":"role","role":"king","content":"a"}',
        b'{"key":"name","role":"user","content":"a","rloe":1}',
        b'{"key":"byte","role":"user","content":"\xff"}',
        b'{"key":"huge","role":"user","content":[18446744073709551616]}',
        b'{"key":"nul","role":"user","content":"a\\u0000b"}',
        b'{"key":"cut","role":"user","content":"half \\ud83d"}',
        b'{"key":"past","role":"user","content":"old","timestamp":-9223372036854775808}',
    ]
    line = b'{"jsonrpc":"2.0","id":1,"method":"capture","params":{"events":[' + b",".join(events) + b"]}}\n"
    async with serving(socket_path, METHODS), await Peer.connect(socket_path) as peer:
        await peer.send(line)
        result = (await peer.read())["result"]
    assert result["ids"] == ["good", "ab", "half \ufffd", "old"]
    assert [(skipped["key"], skipped["reason"], skipped["index"]) for skipped in result["skipped"]] == [
        (None, "invalid", 1),
        ("type", "invalid", 2),
        ("deep", "too_deep", 3),
        ("size", "too_large", 4),
        ("role", "invalid", 5),
        ("name", "invalid", 6),
        ("byte", "invalid", 7),
        ("huge", "invalid", 8),
    ]


async def test_more_events_than_allowed_are_refused_together(socket_path: Path) -> None:
    """The call is refused as a whole, so that the client can send it again in parts."""
    events = [{"role": "user", "content": "a"}] * 501
    async with serving(socket_path, METHODS), await Peer.connect(socket_path) as peer:
        assert (await peer.refusal("capture", {"events": events}))["code"] == PARAMS
        assert (await peer.call("capture", {"events": events[:500]}))["accepted"] == 500


async def test_a_line_too_long_is_refused_before_it_ends_and_skipped(socket_path: Path) -> None:
    """The error comes as soon as the limit is passed; after the line's end the connection is as before."""
    async with (
        serving(socket_path, METHODS, max_line_bytes=1000),
        await Peer.connect(socket_path) as peer,
    ):
        await peer.send(b"x" * 1001)
        assert (await peer.read())["error"]["data"]["reason"] == "too_large"
        for _ in range(20):
            await peer.send(b"x" * 100_000)
        await peer.send(b"x\n")
        assert await peer.call("stats")


async def test_a_line_of_five_mebibytes_is_refused_by_default(socket_path: Path) -> None:
    """One line too long costs one error, whether it comes in one piece or not."""
    async with serving(socket_path, METHODS), await Peer.connect(socket_path) as peer:
        await peer.send(b"x" * 5 * 2**20 + b"\n")
        assert (await peer.read())["error"]["data"]["reason"] == "too_large"
        assert await peer.call("stats")


async def test_a_line_at_the_limit_is_served(socket_path: Path) -> None:
    """The limit itself is allowed, and the next byte is not."""
    frame = recall_with(b'{"query":"a"}')
    async with (
        serving(socket_path, METHODS, max_line_bytes=len(frame)),
        await Peer.connect(socket_path) as peer,
    ):
        await peer.send(frame + b"\n" + frame + b" \n")
        replies = [await peer.read(), await peer.read()]
    assert [reply["result"]["context"] for reply in replies if "result" in reply] == ["a"]
    assert [reply["error"]["data"]["reason"] for reply in replies if "error" in reply] == ["too_large"]


@pytest.mark.parametrize("half", [b'{"jsonrpc":', b"x" * 2000])
async def test_half_a_line_is_not_waited_for_for_ever(socket_path: Path, half: bytes) -> None:
    """A peer that begins a line and never ends it is told so and closed, also while it is skipped."""
    async with (
        serving(socket_path, METHODS, partial_line_timeout_s=0.02, max_line_bytes=1000),
        await Peer.connect(socket_path) as peer,
    ):
        await peer.send(half)
        replies = []
        while (reply := await peer.read()) is not None:
            replies.append(reply["error"]["data"]["reason"])
    assert replies[-1] == "invalid_request"


async def test_an_idle_peer_may_stay(socket_path: Path) -> None:
    """Only a line that has begun is timed."""
    async with (
        serving(socket_path, METHODS, partial_line_timeout_s=0.02),
        await Peer.connect(socket_path) as idle,
        await Peer.connect(socket_path) as slow,
    ):
        await idle.call("stats")
        await slow.send(b"{")
        assert (await slow.read())["error"]
        assert await idle.call("stats")


async def test_peers_that_come_and_go_leave_nothing_behind(socket_path: Path) -> None:
    """Connections that are cut at any point are forgotten."""
    async with serving(socket_path, METHODS) as (server, _):
        for number in range(300):
            peer = await Peer.connect(socket_path)
            await peer.ask("stats", request_id=number)
            peer.writer.transport.abort()
        async with await Peer.connect(socket_path) as last:
            await last.call("stats")
            while server.peers > 1:
                await last.call("stats")
            assert len(os.listdir("/dev/fd")) < 100  # noqa: PTH208 - a count of open descriptors


async def test_garbled_frames_never_go_unanswered(socket_path: Path) -> None:
    """Whatever bytes a valid frame is turned into, the connection answers a good one afterwards."""
    dice = random.Random(20_261_130)  # noqa: S311 - a fixed seed, no secret
    seeds = [line for line, _ in BAD_LINES if len(line) < 400] + [
        recall_with(line) for line, _ in GOOD_LINES if len(line) < 400
    ]
    async with serving(socket_path, METHODS), await Peer.connect(socket_path) as peer:
        for _ in range(1500):
            frame = bytearray(dice.choice(seeds))
            for _ in range(dice.randint(1, 4)):
                frame[dice.randrange(len(frame))] = dice.choice(b'{}[]",:\\u0d8\x00\xff9eE-')
            await peer.send(bytes(frame) + b"\n")
        await peer.ask("stats", request_id="last")
        async with asyncio.timeout(10):
            while (reply := await peer.read()) is not None:  # None: the server hung up
                if isinstance(reply, dict) and reply["id"] == "last":
                    break
        assert reply is not None


async def test_a_refusal_never_repeats_a_long_name(socket_path: Path) -> None:
    """An error names the parameter in part, so that it can't be used to reflect what was sent."""
    name = "secret" * 1000
    async with serving(socket_path, METHODS), await Peer.connect(socket_path) as peer:
        error = await peer.refusal("recall", {"query": "a", name: 1})
    assert len(msgspec.json.encode(error)) < 1000
