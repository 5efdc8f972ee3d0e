"""Frames, params and errors, decoded and encoded without a socket."""

import sys
from typing import Any

import msgspec
import pytest

import memory.errors
from daemon.answers import Answers
from daemon.protocol.capture import CaptureParams, Event
from daemon.protocol.connection import HelloParams
from daemon.protocol.errors import CODES, error_object
from daemon.protocol.events import read_events
from daemon.protocol.frames import (
    MAX_BATCH,
    Refusal,
    Request,
    read_line,
    write_error,
    write_notification,
    write_result,
)
from daemon.protocol.items import ListParams, UpdateParams
from daemon.protocol.operations import JobRunParams
from daemon.protocol.params import read_params
from daemon.protocol.recall import RecallParams
from daemon.protocol.signature import Signature
from daemon.protocol.table import METHOD_ALIASES, PARAM_ALIASES, SIGNATURES
from daemon.testing import server_settings
from memory.errors import BusyError, InvalidError, MemudError, NotFoundError


def only(line: bytes) -> Request:
    """The one request of a line."""
    (call,) = read_line(line).calls
    assert isinstance(call, Request)
    return call


def test_params_wait_raw_until_the_method_is_known() -> None:
    """The first step reads the envelope alone."""
    request = only(b'{"jsonrpc":"2.0","id":"a","method":"recall","params":{"query":1e5}}')
    assert (request.id, request.method, bytes(request.params)) == (b'"a"', "recall", b'{"query":1e5}')


def test_a_request_without_id_is_a_notification_and_null_is_an_id() -> None:
    """The difference decides whether there is a reply."""
    assert only(b'{"jsonrpc":"2.0","method":"stats"}').id is None
    assert only(b'{"jsonrpc":"2.0","method":"stats","id":null}').id == b"null"


def test_members_that_json_rpc_does_not_know_are_ignored() -> None:
    """Only params are strict; an envelope may carry more, such as tracing."""
    assert only(b'{"jsonrpc":"2.0","id":1,"method":"stats","meta":{"a":[1]}}').method == "stats"


def test_a_refusal_keeps_the_id_where_it_can_be_read() -> None:
    """So that the client knows which of its requests was bad."""
    (call,) = read_line(b'{"id":7,"method":"stats"}').calls
    assert isinstance(call, Refusal)
    assert call.id == b"7"


@pytest.mark.parametrize("number", [1, MAX_BATCH])
def test_a_batch_is_as_long_as_it_may_be(number: int) -> None:
    """All its requests are read, in order."""
    one = b'{"jsonrpc":"2.0","id":1,"method":"stats"}'
    frame = read_line(b" [" + b",".join([one] * number) + b"]")
    assert frame.is_batch
    assert len(frame.calls) == number


def test_written_frames_are_json_rpc() -> None:
    """Result, error and notification have the members of the specification."""
    result = msgspec.json.decode(write_result(b"1", {"a": "é"}))
    error = msgspec.json.decode(write_error(None, NotFoundError("no such memory")))
    note = msgspec.json.decode(write_notification("event", {"cursor": 1}))
    assert result == {"jsonrpc": "2.0", "id": 1, "result": {"a": "é"}}
    assert (error["jsonrpc"], error["id"], error["error"]["code"]) == ("2.0", None, -32001)
    assert note == {"jsonrpc": "2.0", "method": "event", "params": {"cursor": 1}}


def test_what_is_written_is_one_line() -> None:
    """A line feed in a text never cuts a frame."""
    assert b"\n" not in write_result(b"1", {"text": "a\nb\u2028c"})


@pytest.mark.parametrize("params", [b"", b"null", b"{}"])
def test_absent_params_are_no_params(params: bytes) -> None:
    """A method that needs none may be called without."""
    assert read_params(HelloParams, params) == HelloParams()


def test_parameters_that_people_bring_along_are_accepted() -> None:
    """`top_k` is `limit` and `run_id` is `session_id`, also beside each other."""
    params = read_params(RecallParams, b'{"query":"a \\"top_k\\"","top_k":3,"run_id":"s"}')
    assert (params.limit, params.session_id, params.query) == (3, "s", 'a "top_k"')


def test_absent_and_null_are_two_things_in_an_update() -> None:
    """Null makes a fact evergreen; absent leaves it as it is."""
    params = read_params(UpdateParams, b'{"id":"m-1","half_life_days":null}')
    assert params.half_life_days is None
    assert params.valid_until is msgspec.UNSET


@pytest.mark.parametrize(
    ("kind", "params", "nearest"),
    [
        (RecallParams, b'{"query":"a","treshold":0.5}', "`threshold`"),
        (RecallParams, b'{"query":"a","\xe4\xb8\xad":1}', "nearest known"),
        (CaptureParams, b'{"events":[],"context":{"token_used":1,"context_window":2}}', "`tokens_used`"),
    ],
)
def test_an_unknown_parameter_names_the_nearest_known_one(
    kind: type[Any], params: bytes, nearest: str
) -> None:
    """Also inside a nested object, and when nothing is near."""
    with pytest.raises(InvalidError, match=nearest):
        read_params(kind, params)


def test_a_fault_is_told_in_words_and_not_in_regular_expressions() -> None:
    """Whoever reads the error need not know how it was found."""
    with pytest.raises(InvalidError, match=r"without control characters - at `\$.user_id`"):
        read_params(RecallParams, b'{"query":"a","user_id":"a\\tb"}')


@pytest.mark.parametrize("signature", SIGNATURES, ids=[signature.name for signature in SIGNATURES])
def test_every_method_refuses_what_it_does_not_know(signature: Signature[Any, Any]) -> None:
    """No method of the table ignores a typing error."""
    with pytest.raises(InvalidError):
        read_params(signature.params, b'{"nosuch":1}')


def test_aliases_lead_to_methods_and_hide_none() -> None:
    """An alias is never itself a method, a parameter alias never itself a parameter."""
    names = {signature.name for signature in SIGNATURES}
    assert set(METHOD_ALIASES.values()) <= names
    assert not set(METHOD_ALIASES) & names
    for signature in SIGNATURES:
        assert not set(PARAM_ALIASES) & set(signature.params.__struct_fields__)


def test_every_error_of_memud_has_its_code() -> None:
    """A reason without one would reach clients as an internal fault."""
    known = {code.reason for code in CODES}
    kinds = [kind for kind in vars(memory.errors).values() if isinstance(kind, type)]
    assert {kind.reason for kind in kinds if issubclass(kind, MemudError)} <= known
    assert len(known) == len(CODES)


def test_an_error_keeps_what_a_program_and_a_person_need() -> None:
    """Reason, whether to try again and when, and what to do."""
    error = error_object(BusyError("full", hint="Wait.", retry_after_ms=0))
    assert msgspec.to_builtins(error) == {
        "code": -32003,
        "message": "full",
        "data": {"reason": "busy", "retriable": True, "hint": "Wait.", "retry_after_ms": 0},
    }
    assert "retry_after_ms" not in msgspec.to_builtins(error_object(BusyError("full")))["data"]


def test_an_error_of_no_known_reason_is_internal() -> None:
    """A client never meets a reason that the reference does not name."""

    class OddError(MemudError):
        reason = "odd"

    assert error_object(OddError("?")).data.reason == "internal"


@pytest.mark.parametrize(("depth", "kept"), [(64, True), (65, False)])
def test_an_event_may_be_nested_to_the_limit(depth: int, kept: bool) -> None:
    """The limit itself is allowed."""
    event = b'{"role":"user","content":' + b"[" * depth + b'"a"' + b"]" * depth + b"}"
    assert bool(read_events([msgspec.Raw(event)], server_settings()).events) is kept


def test_the_recursion_limit_of_python_does_not_decide() -> None:
    """Deep JSON is refused, whatever the interpreter could still follow."""
    deep = b'{"role":"user","content":' + b"[" * (sys.getrecursionlimit() * 20)
    (skipped,) = read_events([msgspec.Raw(deep)], server_settings()).skipped
    assert skipped.reason == "invalid"


def test_a_null_byte_is_dropped_from_content_at_any_depth() -> None:
    """A turn is worth more than one byte of it."""
    event = b'{"role":"user","content":[{"te\\u0000xt":"a\\u0000b \\\\u0000"}]}'
    ((index, read),) = read_events([msgspec.Raw(event)], server_settings()).events
    assert (index, read.content) == (0, [{"text": "ab \\u0000"}])


def test_answers_wait_for_the_last_call() -> None:
    """A batch is answered once, a notification never, a single call as it is."""
    batch = Answers(3, is_batch=True)
    assert [batch.add(b"1"), batch.add(None), batch.add(b"3")] == [None, None, b"[1,3]"]
    assert Answers(1, is_batch=True).add(None) is None
    assert Answers(1, is_batch=False).add(b"1") == b"1"


@pytest.mark.parametrize(
    ("kind", "raw", "message"),
    [
        (Event, b'{"role":"bot","content":"x"}', "`role`: bot is none of user, assistant, tool, system"),
        (
            ListParams,
            b'{"memory_types":["preferenc"]}',
            (
                "`memory_types`: preferenc is none of correction, preference, decision, observation, "
                "general; the nearest is preference"
            ),
        ),
        (
            JobRunParams,
            b'{"name":"monitr"}',
            (
                "`name`: monitr is none of monitor, cleanup, categories, notes, reindex, backup; "
                "the nearest is monitor"
            ),
        ),
    ],
)
def test_a_value_that_does_not_exist_is_answered_with_those_that_do(
    kind: type, raw: bytes, message: str
) -> None:
    """One sentence: the parameter, the values, and the nearest one."""
    with pytest.raises(InvalidError) as refusal:
        read_params(kind, raw)
    assert str(refusal.value) == message
