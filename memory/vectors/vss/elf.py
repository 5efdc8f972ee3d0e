"""Two changes to a copy of a shared library: which libraries it asks for, and what it shows to others."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_DYNAMIC_SYMBOLS = 11
_HIDDEN = 2


@dataclass(frozen=True, slots=True)
class _Section:
    kind: int
    offset: int
    size: int
    link: int


def renamed(content: bytes, old: bytes, new: bytes) -> bytes:
    """The name of a library replaced by one no longer. ValueError unless it stands there exactly once."""
    whole = old + b"\0"
    if content.count(whole) != 1 or len(new) > len(old):
        raise ValueError(f"{old.decode()} can't become {new.decode()}")
    return content.replace(whole, new.ljust(len(whole), b"\0"))


def hidden(content: bytes, shown: bytes) -> bytes:
    """No symbol but one can be bound to from outside, and those inside are bound inside."""
    changed = bytearray(content)
    sections = _sections(content)
    for table in (section for section in sections if section.kind == _DYNAMIC_SYMBOLS):
        names = sections[table.link].offset
        for start in range(table.offset, table.offset + table.size, _SYMBOL.size):
            name, info, other, section, _, _ = _SYMBOL.unpack_from(content, start)
            is_defined, is_local = section != 0, info >> 4 == 0
            if is_defined and not is_local and not content.startswith(shown + b"\0", names + name):
                changed[start + 5] = other & ~3 | _HIDDEN
    return bytes(changed)


def _sections(content: bytes) -> list[_Section]:
    if content[:6] != b"\x7fELF\x02\x01":  # 64 bits, little-endian
        raise ValueError("not a shared library of this platform")
    (table,) = struct.unpack_from("<Q", content, 0x28)
    entry_bytes, count = struct.unpack_from("<HH", content, 0x3A)
    return list(_read(content, table, entry_bytes, count))


def _read(content: bytes, table: int, entry_bytes: int, count: int) -> Iterator[_Section]:
    for number in range(count):
        _, kind, _, _, offset, size, link, *_ = _SECTION.unpack_from(content, table + number * entry_bytes)
        yield _Section(kind, offset, size, link)
