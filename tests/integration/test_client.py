"""Both clients over a real socket whose server answers well, badly, late, in pieces or not at all."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import aclosing, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from memud_client import (
    AsyncClient,
    BusyError,
    Client,
    ClosedError,
    DisconnectedError,
    InvalidError,
    ProtocolError,
    TimedOutError,
    UnreachableError,
)
from memud_client.testing import Connection, RefusedError, SocketServer, StubDaemon

Talk = Callable[[Connection], None]
Call = Callable[[Path, str, dict[str, Any]], Any]


def _by_sync(socket: Path, method: str, params: dict[str, Any]) -> Any:
    with Client(socket) as client:
        return client.call(method, **params)


def _by_aio(socket: Path, method: str, params: dict[str, Any]) -> Any:
    async def call() -> Any:
        async with AsyncClient(socket) as client:
            return await client.call(method, **params)

    return asyncio.run(call())


each_twin = pytest.mark.parametrize("call", [_by_sync, _by_aio], ids=["sync", "async"])


@contextmanager
def _serving(socket: Path, talk: Talk) -> Iterator[None]:
    with SocketServer(socket, talk):
        yield


@pytest.fixture
def socket(tmp_path: Path) -> Path:
    return tmp_path / "s"


def _next(connection: Connection) -> dict[str, Any]:
    request = connection.read()
    assert request is not None
    return request


@each_twin
def test_words_of_any_language_go_there_and_back(socket: Path, call: Call) -> None:
    """Unicode, newlines and NUL inside a value arrive as they were sent."""
    words = {"query": "明天下午三点喝茶 ☕ café\n\0\u2028"}
    with StubDaemon(socket, {"echo": lambda params: params}):
        assert call(socket, "echo", words) == words


@each_twin
def test_an_answer_in_pieces_is_put_together(socket: Path, call: Call) -> None:
    """Half a line, and half a character, wait for their rest."""

    def talk(connection: Connection) -> None:
        line = json.dumps(
            {"id": _next(connection)["id"], "result": "茶" * 50_000}, ensure_ascii=False
        ).encode()
        for start in range(0, len(line), 4_999):
            connection.send(line[start : start + 4_999])
        connection.send(b"\n")
        connection.read()

    with _serving(socket, talk):
        assert call(socket, "get", {}) == "茶" * 50_000


@each_twin
def test_notifications_and_foreign_answers_before_the_own_are_passed_over(socket: Path, call: Call) -> None:
    """A caller gets the answer to its own question, whatever comes first."""

    def talk(connection: Connection) -> None:
        request = _next(connection)
        connection.notify("event", {"cursor": 1})
        connection.reply({"id": 999_999}, "somebody else's")
        connection.reply(request, "mine")
        connection.read()

    with _serving(socket, talk):
        assert call(socket, "get", {}) == "mine"


@each_twin
def test_a_refusal_raises_its_type(socket: Path, call: Call) -> None:
    """The reason and the time to wait reach the caller."""

    def refuse(params: object) -> None:
        raise RefusedError("too much", -32001, reason="busy", retriable=True, retry_after_ms=70)

    with StubDaemon(socket, {"capture": refuse}), pytest.raises(BusyError) as caught:
        call(socket, "capture", {"events": []})
    assert caught.value.retry_after_ms == 70


@each_twin
def test_an_error_without_an_id_reaches_the_one_who_waits(socket: Path, call: Call) -> None:
    """When the daemon could not read the request, the caller does not wait in vain."""

    def talk(connection: Connection) -> None:
        _next(connection)
        connection.refuse({"id": None}, RefusedError("parse error", -32700, reason="invalid"))
        connection.read()

    with _serving(socket, talk), pytest.raises(InvalidError):
        call(socket, "get", {})


@each_twin
def test_another_programs_socket_is_named_as_such(socket: Path, call: Call) -> None:
    """What is not the protocol is an error of its own, and the connection is given up."""

    def talk(connection: Connection) -> None:
        _next(connection)
        connection.send(b"HTTP/1.1 400 Bad Request\r\n")
        connection.read()

    with _serving(socket, talk), pytest.raises(ProtocolError):
        call(socket, "get", {})


@each_twin
def test_without_a_daemon_the_error_says_how_to_start_one(socket: Path, call: Call) -> None:
    """Nobody has to guess what to do."""
    with pytest.raises(UnreachableError) as caught:
        call(socket, "health", {})
    assert type(caught.value) is UnreachableError
    assert "memud run" in caught.value.hint
    assert str(socket) in str(caught.value)


def _hang_up_on_the_first(answer: Any, seen: list[dict[str, Any]]) -> Talk:
    def talk(connection: Connection) -> None:
        while (request := connection.read()) is not None:
            seen.append(request)
            if connection.number == 0:
                connection.send(b'{"id":')
                return
            connection.reply(request, answer)

    return talk


@each_twin
def test_a_reading_call_whose_answer_was_lost_is_sent_again(socket: Path, call: Call) -> None:
    """A restart of the daemon between question and answer is not noticed."""
    seen: list[dict[str, Any]] = []
    with _serving(socket, _hang_up_on_the_first("found", seen)):
        assert call(socket, "recall", {"query": "tea"}) == "found"
    assert len(seen) == 2


@each_twin
def test_a_call_with_a_second_effect_is_not_sent_again(socket: Path, call: Call) -> None:
    """The caller learns that the outcome is unknown, and nothing is done twice."""
    seen: list[dict[str, Any]] = []
    with _serving(socket, _hang_up_on_the_first("done", seen)), pytest.raises(DisconnectedError):
        call(socket, "add", {"memory": "tea"})
    assert len(seen) == 1


@each_twin
def test_a_daemon_that_hangs_up_twice_is_an_error(socket: Path, call: Call) -> None:
    """One more try, not an endless loop."""
    seen: list[int] = []

    def talk(connection: Connection) -> None:
        _next(connection)
        seen.append(connection.number)

    with _serving(socket, talk), pytest.raises(DisconnectedError):
        call(socket, "health", {})
    assert seen == [0, 1]


EVENTS: list[dict[str, Any]] = [
    {"role": "user", "content": "茶"},
    {"role": "user", "content": "tea", "key": "k"},
]


def test_a_capture_sent_again_carries_the_same_keys(socket: Path) -> None:
    """The daemon knows the events of the lost answer again: duplicates, not second memories."""
    seen: list[dict[str, Any]] = []
    with _serving(socket, _hang_up_on_the_first({"accepted": 2}, seen)), Client(socket) as client:
        assert client.capture(EVENTS)["accepted"] == 2
    first, second = (request["params"]["events"] for request in seen)
    assert first == second
    assert [event["content"] for event in first] == ["茶", "tea"]
    assert first[1]["key"] == "k"


async def test_an_async_capture_sent_again_carries_the_same_keys(socket: Path) -> None:
    """The async twin keeps the same promise."""
    seen: list[dict[str, Any]] = []
    with _serving(socket, _hang_up_on_the_first({"accepted": 2}, seen)):
        async with AsyncClient(socket) as client:
            assert (await client.capture(EVENTS))["accepted"] == 2
    assert seen[0]["params"] == seen[1]["params"]


def test_a_restart_between_two_calls_is_not_noticed(socket: Path) -> None:
    """Even a call that must not be repeated is sent: the old connection had carried nothing of it."""
    with Client(socket) as client:
        with StubDaemon(socket, {"add": 1}):
            assert client.call("add") == 1
        with StubDaemon(socket, {"add": 2}):
            assert client.call("add") == 2


async def test_a_restart_between_two_async_calls_is_not_noticed(socket: Path) -> None:
    """The async twin keeps the same promise."""
    async with AsyncClient(socket) as client:
        for answer in (1, 2):
            daemon = StubDaemon(socket, {"add": answer})
            with daemon:
                assert await client.call("add") == answer
                await asyncio.to_thread(daemon.stop)


def test_a_silent_daemon_ends_in_a_timeout_and_the_next_call_is_clean(socket: Path) -> None:
    """A late answer is never taken for the answer to the next question."""

    def talk(connection: Connection) -> None:
        request = _next(connection)
        if connection.number > 0:
            connection.reply(request, request["params"]["id"])
        connection.read()

    with _serving(socket, talk), Client(socket, timeout_s=0.05) as client:
        with pytest.raises(TimedOutError):
            client.call("get", id="slow")
        assert client.call("get", id="quick") == "quick"


async def test_an_async_call_given_up_is_cancelled_at_the_daemon(socket: Path) -> None:
    """After a timeout the daemon is told, the connection stays, and a late answer does no harm."""
    cancelled: list[Any] = []

    def talk(connection: Connection) -> None:
        slow = _next(connection)
        cancelled.append(_next(connection))
        connection.reply(slow, "late")
        connection.reply(_next(connection), "quick")
        connection.read()

    with _serving(socket, talk):
        async with AsyncClient(socket, timeout_s=0.05) as client:
            with pytest.raises(TimedOutError):
                await client.call("get")
            assert await client.call("get") == "quick"
    assert [(frame["method"], frame["params"]) for frame in cancelled] == [("cancel", {"id": 1})]


async def test_async_calls_travel_side_by_side_and_may_be_answered_in_any_order(socket: Path) -> None:
    """Fifty questions on one connection, answered backwards, each get their own answer."""
    numbers = range(50)

    def talk(connection: Connection) -> None:
        for request in reversed([_next(connection) for _ in numbers]):
            connection.reply(request, request["params"]["id"])
        connection.read()

    with _serving(socket, talk):
        async with AsyncClient(socket) as client:
            answers = await asyncio.gather(*(client.call("get", id=number) for number in numbers))
    assert answers == list(numbers)


async def test_a_lost_connection_fails_all_async_calls_that_must_not_be_repeated(socket: Path) -> None:
    """No task waits for an answer that can't come."""

    def talk(connection: Connection) -> None:
        for _ in range(3):
            _next(connection)

    with _serving(socket, talk):
        async with AsyncClient(socket) as client:
            calls = (client.call("add", memory="x") for _ in range(3))
            outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [DisconnectedError] * 3


def test_threads_share_one_client(socket: Path) -> None:
    """Each thread gets its own answer."""
    answers: dict[int, int] = {}
    with StubDaemon(socket, {"get": lambda params: params["id"]}), Client(socket) as client:

        def ask(number: int) -> None:
            answers[number] = client.call("get", id=number)

        threads = [threading.Thread(target=ask, args=[number]) for number in range(20)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answers == {number: number for number in range(20)}


@each_twin
def test_a_closed_client_says_so(socket: Path, call: Call) -> None:
    """Use after close is a plain error, not a new connection."""
    client, aclient = Client(socket), AsyncClient(socket)
    client.close()
    asyncio.run(aclient.close())
    with pytest.raises(ClosedError):
        client.health()
    with pytest.raises(ClosedError):
        asyncio.run(aclient.call("health"))


def _feed(connection: Connection) -> None:
    """Two notices on each connection, cursors counting on from the one asked for; then the line breaks."""
    request = _next(connection)
    cursor = request["params"].get("cursor", 10)
    connection.reply(request, {"topics": request["params"]["topics"], "cursor": cursor})
    connection.notify("future_kind", {"cursor": 10_000})
    for step in (1, 2):
        data = {"text": f"第{connection.number}"}
        connection.notify(
            "event", {"topic": "proactive", "cursor": cursor + step, "user_id": None, "payload": data}
        )
    if connection.number == 1:
        connection.notify("lagged", {"dropped": 5})
        connection.read()


def test_a_subscription_survives_broken_connections_without_gap_or_repeat(socket: Path) -> None:
    """It reconnects and goes on behind the last notice, also when notices were left out for a slow reader."""
    with (
        _serving(socket, _feed),
        Client(socket) as client,
        closing(client.subscribe(["proactive"])) as notices,
    ):
        taken = [next(notices)["cursor"] for _ in range(6)]
    assert taken == [11, 12, 13, 14, 15, 16]


async def test_an_async_subscription_survives_broken_connections_without_gap_or_repeat(socket: Path) -> None:
    """The async twin keeps the same promise."""
    with _serving(socket, _feed):
        async with (
            AsyncClient(socket) as client,
            aclosing(client.subscribe(["proactive"], cursor=20)) as notices,
        ):
            taken = [(await anext(notices))["cursor"] for _ in range(6)]
    assert taken == [21, 22, 23, 24, 25, 26]


async def test_a_slow_async_subscriber_gets_every_notice_in_order(socket: Path) -> None:
    """More notices than are held at a time wait in the socket, none is lost."""
    count = 2_000

    def talk(connection: Connection) -> None:
        _next(connection)
        for cursor in range(1, count + 1):
            connection.notify(
                "event", {"topic": "health", "cursor": cursor, "user_id": None, "payload": "x" * 500}
            )
        connection.read()

    with _serving(socket, talk):
        async with AsyncClient(socket) as client, aclosing(client.subscribe(["health"])) as notices:
            taken = [(await anext(notices))["cursor"] for _ in range(count)]
    assert taken == list(range(1, count + 1))


def test_calls_go_on_while_a_subscription_is_open(socket: Path) -> None:
    """A subscription has a connection of its own."""

    def talk(connection: Connection) -> None:
        while (request := connection.read()) is not None:
            connection.reply(request, {"cursor": 0})
            if request["method"] == "subscribe":
                connection.notify("event", {"topic": "health", "cursor": 1, "user_id": None, "payload": None})

    with _serving(socket, talk), Client(socket) as client, closing(client.subscribe()) as notices:
        assert next(notices)["cursor"] == 1
        assert client.call("health") == {"cursor": 0}
