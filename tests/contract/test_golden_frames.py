"""The wire as clients know it: frames that were once released keep working, byte for byte in meaning."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from daemon.method import Context, Method
from daemon.protocol.capture import CaptureParams
from daemon.protocol.events import read_events
from daemon.protocol.examples import EXAMPLES
from daemon.protocol.params import read_params
from daemon.protocol.signature import Signature
from daemon.protocol.table import METHOD_ALIASES, SIGNATURES
from daemon.testing import Peer, server_settings, serving

GOLDEN = Path(__file__).parent / "golden"
CALLS = [json.loads(line) for line in (GOLDEN / "calls.jsonl").read_text(encoding="utf-8").splitlines()]
LINES = [json.loads(line) for line in (GOLDEN / "lines.jsonl").read_text(encoding="utf-8").splitlines()]
OWN = {"hello", "cancel"}


def answered(signature: Signature[Any, Any], result: Any) -> Method[Any, Any]:
    """A method that has one answer, made of the typed result."""

    async def handler(params: Any, context: Context) -> Any:
        return msgspec.convert(result, type=signature.result)

    return Method(signature, handler)


def methods() -> Mapping[str, Method[Any, Any]]:
    """All methods, with the golden results."""
    results = {call["method"]: call["result"] for call in CALLS}
    return {one.name: answered(one, results[one.name]) for one in SIGNATURES if one.name not in OWN}


def test_every_method_has_its_golden_frame() -> None:
    """A new method comes with one."""
    assert {call["method"] for call in CALLS} | OWN == {signature.name for signature in SIGNATURES}


@pytest.mark.parametrize("call", CALLS, ids=[call["method"] for call in CALLS])
async def test_every_parameter_and_every_field_is_still_known(call: Any, tmp_path: Path) -> None:
    """A request with all its parameters is accepted, and the result has the same fields as ever."""
    path = tmp_path / "s"
    async with serving(path, methods()), await Peer.connect(path) as peer:
        assert await peer.call(call["method"], call["params"]) == call["result"]


def test_every_field_of_an_event_is_still_known() -> None:
    """Events are read one by one, and none of the golden one's fields is refused."""
    (params,) = [call["params"] for call in CALLS if call["method"] == "capture"]
    typed = read_params(CaptureParams, msgspec.json.encode(params))
    read = read_events(typed.events, server_settings())
    assert [msgspec.to_builtins(event) for _, event in read.events] == params["events"]


@pytest.mark.parametrize("line", LINES, ids=[line["send"][-40:] for line in LINES])
async def test_refusals_keep_their_words(line: Any, tmp_path: Path) -> None:
    """Codes, reasons and hints are part of the contract."""
    path = tmp_path / "s"
    async with serving(path, methods()), await Peer.connect(path) as peer:
        await peer.send(line["send"].encode() + b"\n")
        assert await peer.read() == line["reply"]


@pytest.mark.parametrize(("alias", "name"), METHOD_ALIASES.items())
async def test_a_name_that_people_bring_along_is_the_method(alias: str, name: str, tmp_path: Path) -> None:
    """The alias answers as the method does."""
    path = tmp_path / "s"
    async with serving(path, methods()), await Peer.connect(path) as peer:
        assert await peer.call(alias, EXAMPLES[name]) == await peer.call(name, EXAMPLES[name])


@pytest.mark.parametrize("signature", SIGNATURES, ids=[signature.name for signature in SIGNATURES])
def test_the_examples_of_the_reference_are_valid(signature: Signature[Any, Any]) -> None:
    """What the documentation shows can be sent as it is."""
    assert read_params(signature.params, msgspec.json.encode(EXAMPLES[signature.name]))
