"""What is read of the body of a provider's success."""

import msgspec
import pytest

from memory.errors import OutageError
from memory.llm.sending import read


class Said(msgspec.Struct):
    """A form."""

    text: str


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b'{"text": "\\ud83d\\ude00 tea"}', "😀 tea"),
        (b'{"text": "half \\ud83d of it"}', "half ? of it"),
        (b'{"text": "other half \\ude00"}', "other half ?"),
        (b'{"text": "caf\xe9 \xe8\x8c\xb6"}', "caf\ufffd 茶"),
        (b'{"text": "{\\"text\\": \\"\\\\ud83d\\"}"}', '{"text": "\\ud83d"}'),
    ],
)
def test_half_a_character_in_an_answer_is_no_outage(body: bytes, text: str) -> None:
    """The next call would get it too, so that it would be asked for, and paid, for ever."""
    assert read(body, Said, "a server").text == text


@pytest.mark.parametrize(
    "body", [b"", b"<html>", b'{"text": 1}', b'{"text": "cut', b"\xff\xfe", b"[" * 100_000, b'{"text": NaN}']
)
def test_what_no_provider_sends_is_an_outage(body: bytes) -> None:
    """A proxy's page, or what was cut on its way."""
    with pytest.raises(OutageError):
        read(body, Said, "a server")
