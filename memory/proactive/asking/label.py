"""What several turns are about, in a few of their own words."""

import re
from collections import Counter
from collections.abc import Sequence

from memory.scoring.background import prompt_shares
from memory.terms import content_terms, is_cjk, language

_EVERYDAY = 0.03  # a word in more than this share of everyday prompts says little
_MAX_WORDS = 3
_MAX_CHARS = 40
_PLAIN = re.compile(  # stems that everyday prompts are too few to show as everyday words
    "much|mani|need|want|time|hey|day|week|way|thing|good|best|new|old|long|kind|made|make|know|find|look|check|see"
    "|help|show|tell|say|call|use|work|chang|start|stop|current|today|tomorrow|tonight|morn|latest"
)
_WORD = re.compile(r"[^\W_㐀-鿿]+(?:[-'’.][^\W_㐀-鿿]+)*")
_HAN_RUN = re.compile(r"[㐀-鿿]+")
_EMPTY = re.compile(
    "[的了吗呢啊吧呀么是在有和与就都也还要会能可以请想不很到给把被让说个一什怎哪谁几这那我你他她它们帮查看再又去来现"
    "今明昨天年月日号点下上多少如何为啥谢问]"
)


def label(texts: Sequence[str]) -> str:
    """The words that at least two of the texts have, as the last one to have them wrote them; "" for none."""
    newest = texts[-1]
    if language(newest) == "zh":
        return _chinese(texts) or _latin(texts)
    return _latin(texts) or _chinese(texts)


def _latin(texts: Sequence[str]) -> str:
    counts = Counter(term for text in texts for term in set(content_terms(text)) if not is_cjk(term))
    shares = prompt_shares()
    shared = {
        term
        for term, count in counts.items()
        if count >= 2 and not _PLAIN.fullmatch(term) and shares.get(term, 0.0) <= _EVERYDAY
    }
    for text in reversed(texts):
        words = [word for word in _WORD.finditer(text) if set(content_terms(word[0])) & shared]
        if len({word[0] for word in words}) >= min(len(shared), _MAX_WORDS) > 0:
            return _stretch(text, words[:_MAX_WORDS])
    return " ".join(sorted(shared)[:_MAX_WORDS])


def _stretch(text: str, words: Sequence[re.Match[str]]) -> str:
    """From the first of the words to the last, if that is short ("price of NVDA"); else the words alone."""
    stretch = text[words[0].start() : words[-1].end()]
    return stretch if len(stretch) <= _MAX_CHARS else " ".join(word[0] for word in words)[:_MAX_CHARS]


def _chinese(texts: Sequence[str]) -> str:
    """The longest runs of characters that two texts share, without the words that bind a sentence."""
    pieces = [_pieces(text) for text in texts]
    counts = Counter(piece for found in pieces for piece in found)
    shared = [piece for piece, count in counts.items() if count >= 2]
    shared.sort(key=lambda piece: (-counts[piece] * len(piece), texts[-1].find(piece)))
    chosen: list[str] = []
    for piece in shared:
        if not any(piece in longer or longer in piece for longer in chosen):
            chosen.append(piece)
    latin = _latin([" ".join(_WORD.findall(text)) for text in texts])
    return " ".join([*([latin] if latin else []), *chosen[:_MAX_WORDS]])[:_MAX_CHARS]


def _pieces(text: str) -> set[str]:
    runs = [run for whole in _HAN_RUN.findall(text) for run in _EMPTY.split(whole)]
    return {run[a:b] for run in runs for a in range(len(run)) for b in range(a + 2, min(len(run), a + 8) + 1)}
