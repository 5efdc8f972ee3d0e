"""Text of others, made harmless for a terminal: no escape sequence or control sign gets through."""

import json
import re
from typing import Any

_ESCAPES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor, clear screen
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f]).*?(?:\x07|\x1b\\|\x9c)"  # OSC and kin: titles, links, clipboard
    r"|\x1b[ -/]*[0-~]?",
    re.DOTALL,
)
# Signs that turn the direction of text around can make one command look like another.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(text: object) -> str:
    """The words without anything a terminal would act on; newlines and tabs stay."""
    return _CONTROLS.sub("", _ESCAPES.sub("", str(text)))


def one_line(text: object) -> str:
    """The words on one line."""
    return " ".join(plain(text).split())


def to_json(value: Any, *, indent: int | None = 2) -> str:
    """JSON that reads well in any language; what a terminal would act on is escaped, so nothing is lost."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNSAFE_IN_JSON.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)
