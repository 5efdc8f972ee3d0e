"""Chinese in one form, character by character: 漲 is 涨, 萬 is 万, so that either script finds the other."""

import functools
import re
from itertools import chain

import opencc

_HAN = (range(0x3400, 0xA000), range(0xF900, 0xFB00), range(0x20000, 0x20A00))
# Variants that OpenCC leaves, as they depend on the word or are seldom written; the simplified one second.
_VARIANTS = (
    "瞭了 妳你 衹只 牠它 著着 偺咱 儅当 耑端 甦苏 觔斤 糢模 繙翻 郃合 覆复 炤照 毬球 搆构 琯管 伕夫 勣绩"
)


def simplified(text: str) -> str:
    """The text in simplified characters, one for one; what is simplified already, or no Chinese, stays.

    For comparing alone: 著名 becomes 着名, on both sides.
    """
    return text.translate(_table()) if _traditional().search(text) else text


@functools.cache
def _table() -> dict[int, str]:
    """Made from OpenCC's, once, in some 40 ms: one character each, whatever stands beside it."""
    convert = opencc.OpenCC("t2s").convert
    pairs = [(code, convert(chr(code))) for code in chain(*_HAN)]
    table = {code: simple for code, simple in pairs if simple != chr(code) and len(simple) == 1}
    table |= {ord(pair[0]): pair[1] for pair in _VARIANTS.split()}
    return {code: simple.translate(table) for code, simple in table.items()}


@functools.cache
def _traditional() -> re.Pattern[str]:
    """To pass over most texts at once."""
    return re.compile("[" + "".join(map(chr, _table())) + "]")
