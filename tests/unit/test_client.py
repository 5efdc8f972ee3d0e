"""The client's protocol without a socket, and its table of requests."""

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args, get_type_hints, is_typeddict

import msgspec
import pytest
from memud_client import (
    AsyncClient,
    Client,
    DisconnectedError,
    InvalidError,
    MemudError,
    NotFoundError,
    ProtocolError,
    requests,
    types,
)
from memud_client.errors import from_reply
from memud_client.paths import default_socket_path, default_state_dir
from memud_client.wire import Inbox, Message, Notification, Reply, Request, Subscription, encode, with_keys

from daemon.protocol import capture, recall, recall_log, turns
from daemon.protocol.signature import Signature
from daemon.protocol.table import SIGNATURES
from memory import model, outbox, queue, session

_SCOPE = {"user_id", "agent_id", "session_id"}
_HIDDEN = {"protocol"}  # the client says itself which version it speaks


def _public(kind: type) -> set[str]:
    return {name for name, value in vars(kind).items() if callable(value) and not name.startswith("_")}


def test_both_clients_have_the_same_methods() -> None:
    """What one twin can do the other can."""
    assert _public(Client) == _public(AsyncClient)


def test_every_request_is_a_method_of_the_clients() -> None:
    """No call of the protocol is forgotten."""
    table = {name for name, _ in inspect.getmembers(requests, inspect.isfunction)} - {"with_keys"}
    assert {name.removesuffix("_items") for name in table} <= _public(Client)


def _method_name(wire_name: str) -> str:
    return wire_name.replace(".", "_")


_NAMES = {"list": "list_items", "export": "export_records", "import": "import_records"}


@pytest.mark.parametrize("signature", [s for s in SIGNATURES if s.name != "cancel"], ids=lambda s: s.name)
def test_the_client_takes_what_the_daemon_takes(signature: Signature[Any, Any]) -> None:
    """No parameter of the wire is missing in the client, and it offers none that the daemon refuses."""
    name = _NAMES.get(signature.name, _method_name(signature.name))
    build = getattr(requests, name)
    offered: set[str] = set()
    for parameter in inspect.signature(build).parameters.values():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            (options,) = get_args(parameter.annotation)
            offered |= set(get_type_hints(options))
        else:
            offered.add(
                "id" if parameter.name.endswith("_id") and parameter.name not in _SCOPE else parameter.name
            )
    assert offered == {field.name for field in msgspec.structs.fields(signature.params)} - _HIDDEN


def _answer(signature: Signature[Any, Any]) -> Any:
    build = getattr(requests, _NAMES.get(signature.name, _method_name(signature.name)))
    (answer,) = get_args(inspect.signature(build).return_annotation)
    return answer


_TYPED = [s for s in SIGNATURES if s.name != "cancel" and is_typeddict(_answer(s))]


def _names(record: Any) -> set[str]:
    return set(get_type_hints(record))


@pytest.mark.parametrize("signature", _TYPED, ids=lambda s: s.name)
def test_every_typed_answer_has_the_fields_that_the_daemon_sends(signature: Signature[Any, Any]) -> None:
    """What the types promise is in the answer, and they keep silent about nothing."""
    assert _names(_answer(signature)) == _names(signature.result)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (types.Item, model.Item),
        (types.Result, model.Result),
        (types.Source, model.Source),
        (types.ProactiveItem, model.ProactiveItem),
        (types.Evidence, model.Evidence),
        (types.Event, capture.Event),
        (types.Skipped, capture.Skipped),
        (types.Compaction, session.Compaction),
        (types.WindowUse, capture.WindowUse),
        (types.SaidTurn, turns.SaidTurn),
        (types.NearMiss, recall.NearMiss),
        (types.QueueEntry, queue.Entry),
        (types.LoggedRecall, recall_log.LoggedRecall),
        (types.GivenMemory, recall_log.GivenMemory),
        (types.Notice, outbox.Notice),
    ],
    ids=lambda record: record.__module__.split(".")[0] + "." + record.__name__,
)
def test_every_typed_part_has_the_fields_that_the_daemon_sends(ours: Any, theirs: Any) -> None:
    """The records inside an answer keep their promise, too."""
    assert _names(ours) == _names(theirs)


@pytest.mark.parametrize("name", sorted(_public(Client) - {"call", "send", "close", "subscribe"}))
def test_a_method_of_both_clients_has_the_same_signature_and_words(name: str) -> None:
    """The twins can't drift apart, and help() shows what a call takes."""
    sync, aio = getattr(Client, name), getattr(AsyncClient, name)
    assert inspect.signature(sync) == inspect.signature(aio)
    assert sync.__doc__ == aio.__doc__ != None  # noqa: E711 - chained


@pytest.mark.parametrize("name", ["__init__", "call", "send", "subscribe"])
def test_the_hand_written_methods_take_the_same_parameters(name: str) -> None:
    """The few methods that exist twice in source agree in their parameters."""
    of_sync = inspect.signature(getattr(Client, name)).parameters.values()
    of_aio = inspect.signature(getattr(AsyncClient, name)).parameters.values()
    assert [str(parameter) for parameter in of_sync] == [str(parameter) for parameter in of_aio]


def test_importing_the_client_imports_no_event_loop() -> None:
    """A short command does not pay for asyncio."""
    code = "import sys, memud_client; print('asyncio' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("env", "socket"),
    [
        ({"MEMUD_SOCKET": "/s/own.sock", "XDG_RUNTIME_DIR": "/run/user/7"}, "/s/own.sock"),
        ({"XDG_RUNTIME_DIR": "/run/user/7", "HOME": "/h"}, "/run/user/7/memud/memud.sock"),
        ({"MEMUD_STATE_DIR": "/data", "HOME": "/h"}, "/data/memud.sock"),
        ({"XDG_STATE_HOME": "/state", "HOME": "/h"}, "/state/memud/memud.sock"),
        ({"XDG_STATE_HOME": "state", "HOME": "/h"}, "/h/.local/state/memud/memud.sock"),
        ({"XDG_RUNTIME_DIR": "", "HOME": "/h"}, "/h/.local/state/memud/memud.sock"),
    ],
)
def test_the_socket_is_found_by_the_first_setting_that_counts(env: dict[str, str], socket: str) -> None:
    """An own path wins over the runtime folder, the runtime folder over the state folder."""
    assert default_socket_path(env) == Path(socket)


def test_the_state_folder_may_be_set_apart_from_the_socket() -> None:
    """The state folder follows its own variable, and a tilde in it is the home folder."""
    assert default_state_dir({"MEMUD_STATE_DIR": "/data", "XDG_RUNTIME_DIR": "/run"}) == Path("/data")
    assert default_state_dir({"MEMUD_STATE_DIR": "~/m"}) == Path.home() / "m"


@pytest.mark.parametrize("size", [1, 2, 7, 1000])
def test_messages_are_whole_however_the_bytes_are_cut(size: int) -> None:
    """Unicode, empty lines and two messages in one read come out as they were sent."""
    lines = [
        '{"jsonrpc":"2.0","id":1,"result":"喝茶 ☕\\n"}',
        "",
        '{"method":"event","params":{"cursor":4}}',
        "",
    ]
    stream = "\n".join(lines).encode()
    inbox = Inbox()
    messages: list[Message] = []
    for start in range(0, len(stream), size):
        messages += inbox.feed(stream[start : start + size])
    assert messages == [Reply(1, "喝茶 ☕\n"), Notification("event", {"cursor": 4})]


def test_a_batch_of_answers_is_taken_apart() -> None:
    """An array is its messages."""
    assert list(Inbox().feed(b'[{"id":1,"result":1},{"id":2,"result":2}]\n')) == [Reply(1, 1), Reply(2, 2)]


@pytest.mark.parametrize("line", [b"not json\n", b"7\n", b"\xff\xfe\n", b"[1]\n", b"[" * 100_000 + b"\n"])
def test_what_is_no_message_is_a_protocol_error(line: bytes) -> None:
    """Another program's socket is recognised, not misread."""
    with pytest.raises(ProtocolError):
        list(Inbox().feed(line))


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()])
def test_what_json_cannot_hold_is_refused_before_it_is_sent(value: object) -> None:
    """The caller learns at once which call was wrong."""
    with pytest.raises(InvalidError, match="add"):
        encode(Request("add", {"memory": value}), 1)


def test_half_a_surrogate_pair_reaches_the_daemon_escaped() -> None:
    """One broken character does not stop the other events of its call."""
    assert b"\\ud83d" in encode(Request("capture", {"events": [{"content": "\ud83d"}]}), 1)


def test_a_line_the_daemon_would_refuse_is_not_sent() -> None:
    """Too much at once is the caller's error, with the way out in the hint."""
    with pytest.raises(InvalidError) as caught:
        encode(Request("add", {"memory": "x" * 5_000_000}), 1)
    assert "fewer" in caught.value.hint


def test_events_without_a_key_are_given_one_each() -> None:
    """A resent capture finds its own events; a given key stays, the caller's event is untouched."""
    bare: dict[str, Any] = {"role": "user", "content": "hi"}
    first, second, own = with_keys([bare, bare, {**bare, "key": "k1"}])
    assert first["key"] != second["key"]
    assert own["key"] == "k1"
    assert "key" not in bare


@pytest.mark.parametrize(
    ("request_", "is_repeatable"),
    [
        (Request("recall", {}), True),
        (Request("add", {}), False),
        (Request("forget", {}), False),
        (Request("proactive.next", {}), False),
        (Request("job.run", {}), False),
        (Request("capture", {"events": [{"key": "a"}, {"key": "b"}]}), True),
        (Request("memorize", {"events": [{"key": "a"}, {}]}), False),
        (requests.capture([{"role": "user", "content": "hi"}]), True),
    ],
)
def test_only_calls_without_a_second_effect_may_be_sent_again(
    request_: Request[Any], is_repeatable: bool
) -> None:
    """A lost answer never leads to a second memory or a prediction that nobody saw."""
    assert request_.is_repeatable is is_repeatable


def test_the_clients_user_is_filled_in_unless_the_call_names_one() -> None:
    """One setting serves all calls, and a call may still differ; health has no user."""
    assert requests.recall("q").for_user("ann").params["user_id"] == "ann"
    assert requests.recall("q", user_id="bob").for_user("ann").params["user_id"] == "bob"
    assert "user_id" not in requests.health().for_user("ann").params


def _subscription() -> Subscription:
    return Subscription(requests.subscribe(["health"]))


def test_a_subscription_goes_on_behind_the_last_notice_taken() -> None:
    """After a reconnect the daemon is asked for what follows, not for all again."""
    subscription = _subscription()
    assert "cursor" not in subscription.request().params
    notice = subscription.take(Notification("event", {"cursor": 41, "topic": "health", "payload": {}}))
    assert notice is not None
    assert subscription.request().params["cursor"] == 41


def test_a_subscription_that_saw_nothing_yet_goes_on_where_it_began() -> None:
    """What happened while the connection was down is not skipped."""
    subscription = _subscription()
    assert subscription.take(Reply(1, {"topics": ["health"], "cursor": 17})) is None
    assert subscription.request().params["cursor"] == 17


def test_left_out_notices_are_fetched_again() -> None:
    """A slow subscriber starts anew behind what it took, instead of missing what came between."""
    with pytest.raises(DisconnectedError):
        _subscription().take(Notification("lagged", {"dropped": 3}))


def test_a_refused_subscription_is_an_error() -> None:
    """It does not wait for notices that never come."""
    with pytest.raises(InvalidError):
        _subscription().take(Reply(1, error=InvalidError("no such topic")))


def test_an_error_tells_what_to_do_and_when() -> None:
    """Everything the daemon says about a refusal reaches the caller."""
    data = {"reason": "busy", "retriable": True, "retry_after_ms": 250, "hint": "slow down"}
    error = from_reply({"code": -32001, "message": "too much", "data": data})
    assert (type(error).__name__, error.code, error.retry_after_ms) == ("BusyError", -32001, 250)
    assert (error.reason, error.retriable, error.hint, str(error)) == ("busy", True, "slow down", "too much")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ({"code": -32004, "message": "", "data": {"reason": "not_found"}}, NotFoundError),
        ({"code": -32602, "message": "", "data": {"reason": "unknown_parameter"}}, InvalidError),
        ({"code": -32601, "message": ""}, InvalidError),
        ({"code": -32603, "message": "", "data": None}, MemudError),
        ({"code": -31999, "message": "", "data": {"reason": "from_the_future"}}, MemudError),
    ],
)
def test_every_refusal_has_a_type(error: dict[str, Any], kind: type) -> None:
    """Known reasons have their own type, unknown ones are still a MemudError with their reason."""
    raised = from_reply(error)
    assert type(raised) is kind
    expected = (error.get("data") or {}).get("reason", "internal")
    assert raised.reason == expected
