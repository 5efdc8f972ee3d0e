"""Texts as terms: what full text indexes, what a query asks for, and the small counts that go with it.

Every term is exactly one token, equal to itself, for the `unicode61` tokenizer of FTS5.
"""

import re
import threading
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Set
from functools import lru_cache
from typing import Literal

import Stemmer

from memory.simplified import simplified

Language = Literal["en", "zh"]

MAX_INDEX_TERMS = 20_000
MAX_QUERY_TERMS = 64
MAX_WORD_CHARS = 64

_HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af"
_CJK = _HAN + _KANA + _HANGUL
_UNKNOWN_TO_FTS5 = "\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3"  # letters since Unicode 8; unicode61 splits there

_RUN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}{_UNKNOWN_TO_FTS5}]+")
_LETTER = rf"[^\W_{_CJK}{_UNKNOWN_TO_FTS5}]"
_WORD = re.compile(f"{_LETTER}+")
_HAN_RUN = re.compile(f"[{_HAN}]+")
_CJK_RUN = re.compile(f"[{_CJK}]+")
_ASCII_WORDS = {code: chr(code).lower() if chr(code).isalnum() else " " for code in range(128)}
_MARKS = re.compile("[\u0300-\u036f]+")  # accents; the sound marks of kana are others and stay
_IS_HAN = re.compile(f"[{_HAN}]")
_IS_CJK = re.compile(f"[{_CJK}]")
_KNOWN_STEMS = 16_384  # people and their stores use few words, and each of them often


def _word_list(block: str) -> frozenset[str]:
    return frozenset(block.split())


# Taken out of every query. More words here cost a point of recall (longer lists were measured).
_STOP_WORDS = _word_list(
    """
    a an the and or of in on at to for from with by as it its is are was were be been am do does did
    has have had he she his her him they their them we our us you your i me my this that these those
    what when where which who whom whose why how would will so but during
    """
)
# Also empty when it is asked how much of a query an item covers.
_LIGHT_WORDS = _word_list(
    """
    s t d m ll ve re im ive id dont can could should may might must shall about into than then there here
    if not no yes any some just very too also because while please tell give get got let make up down
    out off over more most now again still even only own same such both each other
    """
)
_FUNCTION_WORDS = re.compile(
    "为什么|为甚么|為什麼|是什么|什么|什麼|怎么样|怎么|怎麼|怎样|多少|哪些|哪里|哪裡|哪儿|哪个|哪|请问|請問"
    "|我们|我們|你们|你們|他们|他們|她们|咱们|这个|這個|那个|那個|这些|那些|是否|如何|因为|因為|所以|但是|以及"
    "|[的了吗嗎呢吧啊呀么我你您他她它咱是在和与與及这這那谁誰几就也都把被]"
)


class _Stems(threading.local):
    """A stemmer for each thread: PyStemmer's objects must not be shared between threads."""

    def __init__(self) -> None:
        self.porter = Stemmer.Stemmer("porter")


_STEMS = _Stems()


def index_terms(text: str) -> list[str]:
    """The terms of a text in order, with repeats, at most MAX_INDEX_TERMS; no stop word is left out.

    Words are folded (NFKC, no case, no accents) and stemmed. A run of Han, kana or Hangul gives its
    bigrams and then its last character, so that each character begins exactly one term and the prefix
    search for a single one finds it anywhere. Latin words inside such text are words of their own.
    """
    if text.isascii():
        return _ascii_terms(text)
    terms: list[str] = []
    for run in _runs(text):
        terms += [*_bigrams(run), run[-1]] if is_cjk(run) else [_stem(run)]
        if len(terms) >= MAX_INDEX_TERMS:
            break
    return terms[:MAX_INDEX_TERMS]


def _ascii_terms(text: str) -> list[str]:
    """The same for plain ASCII, many times as fast: recall reads some two hundred texts a question."""
    return list(map(_stem, text.translate(_ASCII_WORDS).split()[:MAX_INDEX_TERMS]))


class TextTerms(Collection[str]):
    """The index terms of a text, to be asked for one by one; what nobody asks for is never made.

    A CJK term stands in the text exactly where its characters stand side by side, a lone character anywhere.
    """

    __slots__ = ("_all", "_folded", "_text", "_words")

    def __init__(self, text: str) -> None:
        self._text = text
        self._folded: str | None = None
        self._words: frozenset[str] | None = None
        self._all: frozenset[str] | None = None

    def __contains__(self, term: object) -> bool:
        return isinstance(term, str) and bool(self.among((term,)))

    def __iter__(self) -> Iterator[str]:
        return iter(self._read_all())

    def __len__(self) -> int:
        return len(self._read_all())

    def among(self, asked: Iterable[str]) -> Set[str]:
        """Those of the terms that stand in the text."""
        if self._text.isascii():
            return self._read_all().intersection(asked)
        return {term for term in asked if term in (self._fold() if is_cjk(term) else self._read_words())}

    def _fold(self) -> str:
        if self._folded is None:
            self._folded = _fold(self._text)
        return self._folded

    def _read_words(self) -> frozenset[str]:
        if self._words is None:
            self._words = frozenset(map(_stem, _WORD.findall(self._fold())))
        return self._words

    def _read_all(self) -> frozenset[str]:
        if self._all is None:
            self._all = frozenset(index_terms(self._text))
        return self._all


def query_terms(text: str) -> list[str]:
    """The distinct terms to look for, at most MAX_QUERY_TERMS, without English and Chinese stop words.

    A single CJK character is asked for only where nothing longer is left ("我喝什么茶": 喝, 茶), and
    the stop words only where they are all there is.
    """
    found = _distinct(_query_candidates(text, _STOP_WORDS))
    longer = [term for term in found if not is_lone_character(term)]
    return (longer or found or _distinct(index_terms(text)))[:MAX_QUERY_TERMS]


def content_terms(text: str) -> list[str]:
    """The query's terms that carry meaning, for coverage and mass: a part of `query_terms`, maybe none."""
    meaningful = meaningful_terms(text)
    return [term for term in query_terms(text) if term in meaningful]


def meaningful_terms(text: str) -> set[str]:
    """All terms of a text that carry meaning, however long it is, in no order; maybe none."""
    return set(_query_candidates(text, _STOP_WORDS | _LIGHT_WORDS))


def is_stop_word(word: str) -> bool:
    """Whether an English word is one that every query loses, such as "will"."""
    return word.casefold() in _STOP_WORDS | _LIGHT_WORDS


def is_cjk(term: str) -> bool:
    """Whether a term is made of Han, kana or Hangul."""
    return _IS_CJK.match(term) is not None


def is_lone_character(term: str) -> bool:
    """Whether a term is one CJK character, which stands for every term that begins with it."""
    return len(term) == 1 and is_cjk(term)


def present(terms: Collection[str], asked: Iterable[str]) -> Set[str]:
    """Those of the query's terms that an item with these terms has."""
    if isinstance(terms, TextTerms):
        return terms.among(asked)
    return {term for term in asked if has_term(terms, term)}


def has_term(terms: Collection[str], term: str) -> bool:
    """Whether an item with these terms has the query's term, a lone character by prefix."""
    if isinstance(terms, TextTerms):
        return term in terms
    return term in terms or (is_lone_character(term) and any(known.startswith(term) for known in terms))


def match_expression(terms: Iterable[str]) -> str:
    """An FTS5 query that finds any of the terms; "" for none, which must not be sent to FTS5.

    Terms are quoted, so no operator of FTS5 can come from a user's text.
    """
    return " OR ".join(f'"{term}" *' if is_lone_character(term) else _quoted(term) for term in terms)


def language(text: str) -> Language:
    """`zh` when there are Han characters, and at least as many as words of other scripts and kana.

    A Latin word counts as one, so "帮我 review 这个 pull request" is Chinese; Japanese is mostly `en`.
    """
    if text.isascii() or not _IS_HAN.search(text):
        return "en"
    han = sum(map(len, _HAN_RUN.findall(text)))
    kana = sum(map(len, _CJK_RUN.findall(text))) - han
    words = sum(not word.isdecimal() for word in _WORD.findall(text))
    return "zh" if han >= words + kana else "en"


def cjk_runs(text: str) -> list[str]:
    """The folded runs of Han, kana and Hangul, in order."""
    return [run for run in _runs(text) if is_cjk(run)]


def plain_words(text: str) -> list[str]:
    """The folded words that are not CJK, unstemmed, in order."""
    return [run for run in _runs(text) if not is_cjk(run)]


def _runs(text: str) -> Iterator[str]:
    for match in _RUN.finditer(_fold(text)):
        run = match.group()
        yield run if is_cjk(run) else run[:MAX_WORD_CHARS]


def _fold(text: str) -> str:
    """One form of what may be written in several: width, case, accents, and the scripts of Chinese."""
    return simplified(_without_marks(text))


def _without_marks(text: str) -> str:
    if unicodedata.is_normalized("NFKC", text):  # as nearly all Chinese is: three passes are saved
        folded = text.casefold()
        if unicodedata.is_normalized("NFKD", folded) and not _MARKS.search(folded):
            return folded
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    return unicodedata.normalize("NFKC", _MARKS.sub("", decomposed))


@lru_cache(_KNOWN_STEMS)
def _stem(word: str) -> str:
    word = word[:MAX_WORD_CHARS]
    if not (word.isascii() and word.isalpha()):
        return word
    return _STEMS.porter.stemWord(word) or word  # the stem of a lone "s" is empty


def _bigrams(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)]


def _query_candidates(text: str, stop_words: frozenset[str]) -> Iterator[str]:
    for run in _runs(text):
        if not is_cjk(run):
            if run not in stop_words:
                yield _stem(run)
            continue
        for part in _FUNCTION_WORDS.split(run):
            yield from _bigrams(part) or part


def _distinct(terms: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(terms))


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'
