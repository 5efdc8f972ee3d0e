"""The elements of a large JSON list, one at a time, with the line each begins in."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TextIO

_CHUNK_CHARS = 262_144
_MAX_ELEMENT_CHARS = 268_435_456
_PLAIN_MEMBER = r'"\w+"\s*:\s*(?:null|true|false|-?[\d.]+|"[^"\\]*")\s*,\s*'
_LIST = re.compile(rf'\s*(?:\{{\s*(?:{_PLAIN_MEMBER})*"\w+"\s*:\s*)?\[')
_BETWEEN = re.compile(r"[\s,]*")
_NEXT = re.compile(r"[}\]]\s*,\s*(?=\{)")


@dataclass(frozen=True, slots=True)
class Element:
    """An element and its line. `broken` says why it could not be read; `value` is None then."""

    line: int
    value: Any
    broken: str | None = None


def begins_list(text: str) -> bool:
    """Whether a JSON text begins as `elements` reads it."""
    return bool(_LIST.match(text))


def elements(stream: TextIO, mark: str) -> Iterator[Element]:
    """What a JSON list holds, or an object's first list behind plain values; never all of it at once.

    After a broken element reading goes on with the next object that has the field `mark`.
    """
    buffer = _Buffer(stream)
    start = buffer.skip(_LIST)
    if not start:
        yield Element(1, None, "no list")
        return
    is_lost = False
    while True:
        buffer.skip(_BETWEEN)
        if buffer.is_at_end():
            return
        if buffer.text[0] in "]}":
            if not is_lost or not buffer.resume():
                return
            continue
        element = buffer.element()
        if not is_lost or _has(element.value, mark):
            yield element
            is_lost = bool(element.broken)
        if element.broken and not buffer.resume():
            return


def _has(value: Any, mark: str) -> bool:
    return isinstance(value, dict) and mark in value


class _Buffer:
    """A window on the text that grows as long as an element is not whole."""

    def __init__(self, stream: TextIO) -> None:
        self.text = ""
        self._stream = stream
        self._line = 1
        self._has_more = True
        self._decoder = json.JSONDecoder()

    def is_at_end(self) -> bool:
        """Whether nothing is left."""
        return not self.text and not self._grow()

    def skip(self, pattern: re.Pattern[str]) -> bool:
        """Go past what matches here; whether something did."""
        if not self.text:
            self._grow()
        found = pattern.match(self.text)
        while found and found.end() == len(self.text) and self._grow():
            found = pattern.match(self.text)
        if found:
            self._drop(found.end())
        return bool(found and found.end())

    def element(self) -> Element:
        """The value that begins here."""
        line = self._line
        while True:
            try:
                value, end = self._decoder.raw_decode(self.text)
            except json.JSONDecodeError as error:
                if self._may_be_cut(error) and self._grow():
                    continue
                return Element(self._line + self.text.count("\n", 0, error.pos), None, error.msg)
            except RecursionError:
                return Element(line, None, "nested too deeply")
            except ValueError:  # Python's own limit, against numbers that take long to read
                return Element(line, None, "a number that is too long")
            # A number may go on in what is not read yet; lists of conversations hold none.
            self._drop(end)
            return Element(line, value)

    def resume(self) -> bool:
        """Go to where the next element seems to begin; whether there is one."""
        while True:
            found = _NEXT.search(self.text)
            if found:
                self._drop(found.end())
                return True
            self._drop(max(0, len(self.text) - 100))
            if not self._grow():
                return False

    def _may_be_cut(self, error: json.JSONDecodeError) -> bool:
        near_end = error.pos >= len(self.text) - 20 or error.msg.startswith("Unterminated string")
        return near_end and len(self.text) < _MAX_ELEMENT_CHARS

    def _grow(self) -> bool:
        chunk = self._stream.read(max(_CHUNK_CHARS, len(self.text))) if self._has_more else ""
        self._has_more = bool(chunk)
        self.text += chunk
        return bool(chunk)

    def _drop(self, count: int) -> None:
        self._line += self.text.count("\n", 0, count)
        self.text = self.text[count:]
