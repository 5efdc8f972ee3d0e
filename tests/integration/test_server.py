"""The server on a real socket: what a client can rely on, and how it stops."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from daemon.method import Context, Method
from daemon.protocol.capture import CaptureParams
from daemon.protocol.connection import SubscribeParams, SubscribeResult
from daemon.protocol.recall import RecallParams, SearchParams
from daemon.protocol.signature import Signature
from daemon.protocol.state import MetricsParams, StatsParams, StatsResult
from daemon.protocol.table import METRICS, STATS, SUBSCRIBE
from daemon.testing import Peer, serving
from memory.errors import BusyError

ASK = Signature("ask", RecallParams, dict, "Whose memory a call is about.")
SLOW = Signature("slow", SearchParams, dict, "Answers when the gate opens.")
PARTIAL = Signature("partial", SearchParams, dict, "Keeps its deadline itself.", keeps_deadline=True)
BROKEN = Signature("broken", RecallParams, dict, "Raises what it should not.")
BUSY = Signature("busy", CaptureParams, dict, "Has too much to do.")
LARGE = Signature("large", StatsParams, dict, "A long answer.")


class Rooms:
    """Handlers that a test opens and watches."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.entered = asyncio.Semaphore(0)
        self.running = 0
        self.most_running = 0
        self.cancelled = asyncio.Event()
        self.contexts: list[Context] = []

    def methods(self) -> Mapping[str, Method[Any, Any]]:
        """All of them, by name."""
        methods: list[Method[Any, Any]] = [
            Method(ASK, self.ask),
            Method(SLOW, self.slow),
            Method(PARTIAL, self.slow),
            Method(BROKEN, self.broken),
            Method(BUSY, self.busy),
            Method(LARGE, self.large),
            Method(STATS, self.stats),
            Method(SUBSCRIBE, self.subscribe),
            Method(METRICS, self.unwritable),
        ]
        return {method.signature.name: method for method in methods}

    async def ask(self, params: RecallParams, context: Context) -> dict[str, Any]:
        scope = context.scope
        return {"user": scope.user_id, "named": context.named_user, "public": scope.public_only}

    async def slow(self, params: SearchParams, context: Context) -> dict[str, Any]:
        self.contexts.append(context)
        self.running += 1
        self.most_running = max(self.running, self.most_running)
        self.entered.release()
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        finally:
            self.running -= 1
        return {"query": params.query}

    async def broken(self, params: RecallParams, context: Context) -> dict[str, Any]:
        raise ValueError(f"can't make sense of {params.query}")

    async def busy(self, params: CaptureParams, context: Context) -> dict[str, Any]:
        raise BusyError("10000 turns wait", hint="Slow down.", retry_after_ms=250)

    async def large(self, params: StatsParams, context: Context) -> dict[str, Any]:
        self.entered.release()
        return {"text": "x" * 2_000_000}

    async def stats(self, params: StatsParams, context: Context) -> StatsResult:
        return StatsResult(items=3)

    async def unwritable(self, params: MetricsParams, context: Context) -> Any:
        return {"a lock is no JSON": asyncio.Lock()}

    async def subscribe(self, params: SubscribeParams, context: Context) -> SubscribeResult:
        async def pump() -> None:
            try:
                for number in range(params.cursor or 0):
                    await context.connection.send_notification("event", {"cursor": number})
                await self.gate.wait()
                await context.connection.send_notification("event", {"cursor": -1})
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled.set()
                raise

        context.connection.start(pump())
        return SubscribeResult(topics=tuple(params.topics), cursor=0)


@pytest.fixture
def socket_path(tmp_path: Path) -> Path:
    """Where the server listens."""
    return tmp_path / "memud.sock"


@pytest.mark.parametrize("request_id", [1, -7, 1.5, "one", "眼", 2**63, None])
async def test_a_reply_carries_the_id_as_it_was_sent(socket_path: Path, request_id: object) -> None:
    """Ids are the client's business: any number or string comes back unchanged."""
    async with serving(socket_path, Rooms().methods()), await Peer.connect(socket_path) as peer:
        await peer.ask("stats", request_id=request_id)
        reply = await peer.read()
        assert reply["id"] == request_id
        assert reply["result"]["items"] == 3


async def test_an_id_of_more_than_64_bits_is_echoed_digit_by_digit(socket_path: Path) -> None:
    """No id is rounded on its way through the daemon."""
    async with serving(socket_path, Rooms().methods()), await Peer.connect(socket_path) as peer:
        await peer.send(b'{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"stats"}\n')
        assert (await peer.reader.readline()).startswith(
            b'{"jsonrpc":"2.0","id":123456789012345678901234567890,'
        )


async def test_a_quick_call_overtakes_a_slow_one(socket_path: Path) -> None:
    """Calls of one connection run side by side, and each reply comes when it is ready."""
    rooms = Rooms()
    async with serving(socket_path, rooms.methods()), await Peer.connect(socket_path) as peer:
        await peer.ask("slow", {"query": "a"}, request_id="slow")
        await peer.ask("stats", request_id="quick")
        assert (await peer.read())["id"] == "quick"
        rooms.gate.set()
        assert (await peer.read())["id"] == "slow"


async def test_a_batch_is_answered_by_one_array(socket_path: Path) -> None:
    """Each call of a batch is answered, also the bad ones; notifications are not."""
    batch = (
        b'[{"jsonrpc":"2.0","id":1,"method":"stats"},{"jsonrpc":"2.0","method":"stats"},'
        b'{"jsonrpc":"2.0","id":2,"method":"nosuch"},5]\n'
    )
    async with serving(socket_path, Rooms().methods()), await Peer.connect(socket_path) as peer:
        await peer.send(batch)
        replies = await peer.read()
    codes = {reply["id"]: reply.get("error", {}).get("code") for reply in replies}
    assert codes == {1: None, 2: -32601, None: -32600}


async def test_a_notification_is_never_answered(socket_path: Path) -> None:
    """Without an id there is no reply, be it good, unknown or a whole batch of them."""
    quiet = b'{"jsonrpc":"2.0","method":"%s"}'
    async with serving(socket_path, Rooms().methods()), await Peer.connect(socket_path) as peer:
        await peer.send(quiet % b"stats" + b"\n" + quiet % b"nosuch" + b"\n")
        await peer.send(b"[" + quiet % b"stats" + b"]\n")
        await peer.ask("stats", request_id="after")
        assert (await peer.read())["id"] == "after"


async def test_only_so_many_calls_run_at_a_time(socket_path: Path) -> None:
    """What is beyond the limit waits unread and is answered later."""
    rooms = Rooms()
    async with (
        serving(socket_path, rooms.methods(), max_in_flight=2),
        await Peer.connect(socket_path) as peer,
    ):
        for number in range(5):
            await peer.ask("slow", {"query": str(number)}, request_id=number)
        await rooms.entered.acquire()
        await rooms.entered.acquire()
        rooms.gate.set()
        replies = [await peer.read() for _ in range(5)]
    assert sorted(reply["id"] for reply in replies) == [0, 1, 2, 3, 4]
    assert rooms.most_running == 2


async def test_a_half_closed_connection_is_answered_and_then_closed(socket_path: Path) -> None:
    """A client may send its requests, end its side, and read; a last line needs no LF."""
    rooms = Rooms()
    async with serving(socket_path, rooms.methods()), await Peer.connect(socket_path) as peer:
        await peer.ask("slow", {"query": "a"}, request_id=1)
        await peer.send(b'{"jsonrpc":"2.0","id":2,"method":"stats"}')
        peer.writer.write_eof()
        assert (await peer.read())["id"] == 2
        rooms.gate.set()
        assert (await peer.read())["id"] == 1
        assert await peer.read() is None


async def test_a_connection_beyond_the_limit_is_told_so(socket_path: Path) -> None:
    """One too many gets a retriable error and is closed; the others go on."""
    async with (
        serving(socket_path, Rooms().methods(), max_connections=1),
        await Peer.connect(socket_path) as first,
    ):
        await first.call("stats")
        async with await Peer.connect(socket_path) as second:
            assert (await second.read())["error"]["data"]["reason"] == "busy"
            assert await second.read() is None
        assert await first.call("stats")


async def test_hello_tells_protocol_limits_and_features(socket_path: Path) -> None:
    """A client learns what the daemon speaks and how much it takes."""
    async with serving(socket_path, Rooms().methods()), await Peer.connect(socket_path) as peer:
        hello = await peer.call("hello", {"protocol": 1, "client": "test"})
    assert hello["protocol"] == "1"
    assert hello["server"] == "memud/0"
    assert hello["limits"]["max_in_flight"] == 32
    assert {"hello", "cancel", "stats"} <= set(hello["features"])


@pytest.mark.parametrize("version", [2, "2", "2.0", "11", 0])
async def test_another_major_version_is_an_error(socket_path: Path, version: object) -> None:
    """A client of another protocol is told which one is spoken, and may try again."""
    async with serving(socket_path, Rooms().methods()), await Peer.connect(socket_path) as peer:
        assert (await peer.refusal("hello", {"protocol": version}))["data"][
            "reason"
        ] == "unsupported_protocol"
        assert await peer.call("hello", {"protocol": "1.7"})


async def test_a_bound_connection_can_not_leave_its_user(socket_path: Path) -> None:
    """After `hello` with a user every call is that user's, and another user is forbidden."""
    async with serving(socket_path, Rooms().methods()), await Peer.connect(socket_path) as peer:
        await peer.call("hello", {"user_id": "ann"})
        assert (await peer.call("ask", {"query": ""}))["user"] == "ann"
        assert (await peer.call("ask", {"query": "", "user_id": "ann"}))["named"] == "ann"
        for method in ("ask", "hello"):
            params = {"user_id": "bob"} | ({"query": ""} if method == "ask" else {})
            assert (await peer.refusal(method, params))["data"]["reason"] == "forbidden"
        assert (await peer.call("hello"))["user_id"] == "ann"


async def test_an_unbound_call_is_about_the_user_it_names(socket_path: Path) -> None:
    """Without a name it is the default user, and the handler can tell."""
    async with serving(socket_path, Rooms().methods()), await Peer.connect(socket_path) as peer:
        unnamed = await peer.call("ask", {"query": ""})
        named = await peer.call("ask", {"query": "", "user_id": "bob", "private": False})
    assert unnamed == {"user": "default", "named": None, "public": False}
    assert named == {"user": "bob", "named": "bob", "public": True}


@pytest.mark.parametrize("method", ["cancel", "$/cancel"])
async def test_a_cancelled_call_is_answered_as_cancelled(socket_path: Path, method: str) -> None:
    """Its handler is stopped; other calls and the connection go on."""
    rooms = Rooms()
    async with serving(socket_path, rooms.methods()), await Peer.connect(socket_path) as peer:
        await peer.ask("slow", {"query": "a"}, request_id="a")
        await rooms.entered.acquire()
        assert not (await peer.call(method, {"id": "b"}))["cancelled"]
        await peer.ask(method, {"id": "a"}, request_id="c")
        replies = {reply["id"]: reply for reply in [await peer.read(), await peer.read()]}
        assert replies["c"]["result"] == {"cancelled": True}
        assert replies["a"]["error"]["code"] == -32800
        await rooms.cancelled.wait()
        assert await peer.call("stats")


async def test_a_handler_that_misses_its_deadline_is_stopped(socket_path: Path) -> None:
    """The client gets a retriable deadline error, and the handler knew how long it had."""
    rooms = Rooms()
    async with serving(socket_path, rooms.methods()), await Peer.connect(socket_path) as peer:
        error = await peer.refusal("slow", {"query": "a", "deadline_ms": 1})
        await rooms.cancelled.wait()
    assert error["data"]["reason"] == "deadline"
    assert error["data"]["retriable"]
    assert rooms.contexts[0].deadline is not None


async def test_a_handler_that_keeps_deadlines_itself_is_not_cut_off(socket_path: Path) -> None:
    """It answers with what is ready, so the server does not interfere; without a deadline nothing is cut."""
    rooms = Rooms()
    async with serving(socket_path, rooms.methods()), await Peer.connect(socket_path) as peer:
        await peer.ask("partial", {"query": "a", "deadline_ms": 1}, request_id=1)
        await rooms.entered.acquire()
        await peer.refusal("slow", {"query": "b", "deadline_ms": 1})
        rooms.gate.set()
        assert (await peer.read())["result"] == {"query": "a"}


async def test_an_unforeseen_fault_says_nothing_of_its_words(socket_path: Path) -> None:
    """Neither the client nor the log sees the exception's message; the log sees where it arose."""
    async with serving(socket_path, Rooms().methods()), await Peer.connect(socket_path) as peer:
        with capture_logs() as logs:
            error = await peer.refusal("broken", {"query": "my diary"})
        assert await peer.call("stats")
    assert error["code"] == -32603
    assert "diary" not in str(error) + str(logs)
    (event,) = logs
    assert (event["event"], event["method"], event["error"]) == ("request_failed", "broken", "ValueError")
    assert "broken" in event["at"][-1]


async def test_a_result_that_json_can_not_hold_is_an_internal_fault(socket_path: Path) -> None:
    """The client is answered, whatever a handler returns."""
    async with serving(socket_path, Rooms().methods()), await Peer.connect(socket_path) as peer:
        with capture_logs():
            assert (await peer.refusal("metrics"))["data"]["reason"] == "internal"


async def test_a_refused_call_says_when_to_come_back(socket_path: Path) -> None:
    """An error of the domain keeps its reason, hint and time."""
    async with serving(socket_path, Rooms().methods()), await Peer.connect(socket_path) as peer:
        error = await peer.refusal("busy", {"events": []})
    assert error == {
        "code": -32003,
        "message": "10000 turns wait",
        "data": {"reason": "busy", "retriable": True, "hint": "Slow down.", "retry_after_ms": 250},
    }


async def test_an_unknown_method_names_the_nearest_one(socket_path: Path) -> None:
    """A typing error is easy to see."""
    async with serving(socket_path, Rooms().methods()), await Peer.connect(socket_path) as peer:
        error = await peer.refusal("statz")
    assert error["code"] == -32601
    assert "`stats`" in error["message"]


async def test_a_subscriber_is_sent_notifications_until_it_hangs_up(socket_path: Path) -> None:
    """They come without being asked for; what the handler started dies with the connection."""
    rooms = Rooms()
    async with serving(socket_path, rooms.methods()), await Peer.connect(socket_path) as peer:
        await peer.call("subscribe", {"topics": ["health"], "cursor": 2})
        seen = [(await peer.read())["params"]["cursor"] for _ in range(2)]
        peer.writer.write_eof()
        assert await peer.read() is None
        await rooms.cancelled.wait()
    assert seen == [0, 1]


async def test_a_subscriber_that_lags_is_told_once_how_much_it_missed(socket_path: Path) -> None:
    """The queue is bounded; after the gap is told, notifications go on."""
    rooms = Rooms()
    async with (
        serving(socket_path, rooms.methods(), max_notifications=4),
        await Peer.connect(socket_path) as peer,
    ):
        await peer.ask("subscribe", {"topics": ["health"], "cursor": 20})
        frames = [await peer.read() for _ in range(6)]
        rooms.gate.set()
        last = await peer.read()
    notes = [(frame["method"], frame["params"]) for frame in frames if "method" in frame]
    assert notes[:4] == [("event", {"cursor": number}) for number in range(4)]
    assert notes[4] == ("lagged", {"dropped": 16})
    assert last["params"] == {"cursor": -1}


async def test_a_stopping_server_answers_what_is_in_flight(socket_path: Path) -> None:
    """Nobody new is let in, a call in flight is answered, idle clients are closed, the file is gone."""
    rooms = Rooms()
    async with serving(socket_path, rooms.methods()) as (server, stop):
        busy, idle = await Peer.connect(socket_path), await Peer.connect(socket_path)
        await idle.call("stats")
        await busy.ask("slow", {"query": "a"})
        await rooms.entered.acquire()
        stop.set()
        assert await idle.read() is None
        assert not await asyncio.to_thread(socket_path.exists)
        rooms.gate.set()
        assert (await busy.read())["result"] == {"query": "a"}
        assert await busy.read() is None
        busy.writer.close()
        idle.writer.close()
    assert server.peers == 0


async def test_half_a_request_is_dropped_at_the_stop(socket_path: Path) -> None:
    """Its rest would come too late, and it is not answered as if it were whole."""
    rooms = Rooms()
    async with (
        serving(socket_path, rooms.methods()) as (_, stop),
        await Peer.connect(socket_path) as peer,
    ):
        await peer.call("stats")
        await peer.send(b'{"jsonrpc":"2.0",')
        await peer.send(b'"id":1,')
        stop.set()
        assert await peer.read() is None


async def test_requests_that_arrived_before_the_stop_are_answered(socket_path: Path) -> None:
    """What a client had sent when the stop came is not lost in a buffer."""
    rooms = Rooms()
    async with (
        serving(socket_path, rooms.methods(), max_in_flight=1) as (_, stop),
        await Peer.connect(socket_path) as peer,
    ):
        for number in range(4):
            await peer.ask("slow", {"query": str(number)}, request_id=number)
        await rooms.entered.acquire()
        stop.set()
        rooms.gate.set()
        replies = [await peer.read() for _ in range(5)]
    assert [reply["id"] for reply in replies[:4]] == [0, 1, 2, 3]
    assert replies[4] is None


async def test_a_call_that_outlasts_the_drain_is_told_that_the_daemon_stops(socket_path: Path) -> None:
    """The stop has a bound; the client gets a retriable error instead of a broken line."""
    rooms = Rooms()
    async with (
        serving(socket_path, rooms.methods(), drain_timeout_s=0.01) as (_, stop),
        await Peer.connect(socket_path) as peer,
    ):
        await peer.ask("slow", {"query": "a"})
        await rooms.entered.acquire()
        stop.set()
        data = (await peer.read())["error"]["data"]
        assert await peer.read() is None
    assert (data["reason"], data["retriable"]) == ("stopping", True)
    assert rooms.cancelled.is_set()


async def test_nothing_is_written_to_a_peer_that_has_gone(
    socket_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What it sent before is carried out; the log is not filled with failed writes."""
    async with serving(socket_path, Rooms().methods()) as (server, _):
        gone, other = await Peer.connect(socket_path), await Peer.connect(socket_path)
        await gone.send(b'{"jsonrpc":"2.0","id":1,"method":"stats"}\n' * 5000)
        gone.writer.transport.abort()
        await other.call("stats")
        while server.peers > 1:
            await other.call("stats")
        other.writer.transport.abort()
    assert [record for record in caplog.records if record.name == "asyncio"] == []


async def test_a_peer_that_never_reads_is_dropped(socket_path: Path) -> None:
    """After no progress for the timeout it is cut off; other peers don't notice."""
    rooms = Rooms()
    async with (
        serving(socket_path, rooms.methods(), write_timeout_s=0.05) as (server, _),
        await Peer.connect(socket_path) as other,
    ):
        await other.call("stats")
        deaf = await Peer.connect(socket_path)
        deaf.writer.transport.pause_reading()  # type: ignore[attr-defined]
        for number in range(8):
            await deaf.ask("large", request_id=number)
        await rooms.entered.acquire()
        assert server.peers == 2
        while server.peers > 1:
            assert await other.call("stats")
        deaf.writer.transport.abort()
