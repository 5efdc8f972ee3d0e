"""The same sentence with another thing in it each time (price of AAPL, of TSLA, of MSFT): no single topic."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import combinations

from memory.terms import Language, content_terms, language

_SHARED = 0.5  # of the tokens, for texts to be one frame
_SHARED_BY_TWO: Mapping[Language, float] = {"en": 0.8, "zh": 0.5}
# A numeral is one token, Arabic or Chinese: 第三章 and 第十二章 differ in one place.
_TOKEN = re.compile(r"[0-9]+(?:[.,:][0-9]+)*|[零〇一二两三四五六七八九十百千万]+|[^\W\d_㐀-鿿]+|[㐀-鿿]")
_NAME = re.compile(r"[A-Z]{2,}[0-9]*|(?<=[\w,;] )[A-Z][a-z]+|[A-Za-z]*[0-9][A-Za-z0-9]*")
_WHEN = re.compile(  # another day is no other thing
    r"[今明昨后前]天|[今明昨]晚|[这下上本]个?(?:周|星期|礼拜|月)[一二三四五六日天末]?|(?:周|星期|礼拜)[一二三四五六日天末]"
    r"|现在|目前|早上|上午|中午|下午|晚上|今早|刚才|最近|早高峰|晚高峰"
)
_BETWEEN_CJK = re.compile(r"(?<=[㐀-鿿]) (?=[㐀-鿿])")
_NO_THING = frozenset("又再还都就才到底究竟先也只很太最更挺请帮查看问下")


def is_one_frame(texts: Sequence[str]) -> bool:
    """Whether the texts differ in a slot alone, or each names a thing that no other names."""
    return _differ_in_a_slot([_tokens(text) for text in texts]) or _are_apart([_names(t) for t in texts])


def holds_a_frame(texts: Sequence[str]) -> bool:
    """Whether they are one, or two of them are: a third in other words makes no topic of those two.

    The share of the tokens that two have in common was chosen on streams from CLINC150's training part and on
    the half `choose` of the own sets: less of it costs English recall.
    """
    tokens, shared = [_tokens(text) for text in texts], _SHARED_BY_TWO[language(texts[-1])]
    return is_one_frame(texts) or any(_differ_in_a_slot(pair, shared) for pair in combinations(tokens, 2))


def is_mostly_a_frame(texts: Sequence[str]) -> bool:
    """Whether most pairs of many texts differ in a slot alone, though some name the same thing."""
    tokens = [_tokens(text) for text in texts]
    pairs = list(combinations(tokens, 2))
    return is_one_frame(texts) or 2 * sum(map(_differ_in_a_slot, pairs)) > len(pairs)


def _differ_in_a_slot(tokens: Sequence[list[str]], shared: float = _SHARED) -> bool:
    head = _common(tokens)
    tail = _common([line[head:][::-1] for line in tokens])
    longest = max(len(line) for line in tokens)
    if head + tail < shared * longest:
        return False
    return _are_apart([_content(line[head : len(line) - tail]) for line in tokens])


def _are_apart(words: Sequence[set[str]]) -> bool:
    """Every text has some, and no two share one."""
    return all(words) and all(a.isdisjoint(b) for a, b in combinations(words, 2))


def _content(tokens: list[str]) -> set[str]:
    words = [token for token in tokens if token not in _NO_THING]
    text = _BETWEEN_CJK.sub("", " ".join(words))  # 多少 and 怎么样 ask, they name nothing
    return {*content_terms(text), *(token for token in words if token.isdigit())}


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
    return _TOKEN.findall(_WHEN.sub("", unicodedata.normalize("NFKC", text).casefold()))
