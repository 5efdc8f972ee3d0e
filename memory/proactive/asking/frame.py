"""The same sentence with another thing in it each time (price of AAPL, of TSLA, of MSFT): no single topic."""

import re
import unicodedata
from collections.abc import Sequence
from itertools import combinations

from memory.terms import content_terms

_SHARED = 0.5  # of the tokens, for texts to be one frame
# A numeral is one token, Arabic or Chinese: 第三章 and 第十二章 differ in one place.
_TOKEN = re.compile(r"[0-9]+(?:[.,:][0-9]+)*|[零〇一二两三四五六七八九十百千万]+|[^\W\d_㐀-鿿]+|[㐀-鿿]")
_NAME = re.compile(r"[A-Z]{2,}[0-9]*|(?<=[\w,;] )[A-Z][a-z]+|[A-Za-z]*[0-9][A-Za-z0-9]*")


def is_one_frame(texts: Sequence[str]) -> bool:
    """Whether the texts differ in a slot alone, or each names a thing that no other names."""
    return _differ_in_a_slot([_tokens(text) for text in texts]) or _are_apart([_names(t) for t in texts])


def _differ_in_a_slot(tokens: Sequence[list[str]]) -> bool:
    head = _common(tokens)
    tail = _common([line[head:][::-1] for line in tokens])
    longest = max(len(line) for line in tokens)
    if head + tail < _SHARED * longest:
        return False
    return _are_apart([_content(line[head : len(line) - tail]) for line in tokens])


def _are_apart(words: Sequence[set[str]]) -> bool:
    """Every text has some, and no two share one."""
    return all(words) and all(a.isdisjoint(b) for a, b in combinations(words, 2))


def _content(tokens: list[str]) -> set[str]:
    return {*content_terms(" ".join(tokens)), *(token for token in tokens if token.isdigit())}


def _names(text: str) -> set[str]:
    return {name.casefold() for name in _NAME.findall(text) if name != "I"}


def _common(lines: Sequence[list[str]]) -> int:
    """How many tokens all lines have in common from their start."""
    count = 0
    for column in zip(*lines, strict=False):
        if len(set(column)) > 1:
            break
        count += 1
    return count


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())
