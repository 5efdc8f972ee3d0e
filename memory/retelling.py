"""Which words of a turn are memud's own predictions come back: quoted, cut short, or a little reworded."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from memory.simplified import simplified

Span = tuple[int, int]
Piece = tuple[str, ...]

_HAN = "㐀-䶿一-鿿豈-﫿"
_TOKEN = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+")
_SENTENCE_END = re.compile(r"[.!?。！？;；\n]+")
MAX_CHARS = 8_000  # of a turn; what repeats a prediction further down stands in a text to work on
_LATIN_WEIGHT, _PIECE_WEIGHT = 2, 3  # two Latin words, or three characters, make a piece
_GAP = 3  # tokens that may be put between two pieces
# "as memud wrote:", {"text":, the subject of a mail
_LEAD_IN = re.compile(
    r"(?:(?:[^\n:：.!?。！？]{0,40}[:：][\s>\"'“‘「*_\[{(-]*){1,3}"
    r"|(?:^|(?<=\n))[ \t]*(?:re|fwd?|aw|回复|答复|转发)[:：][^\n]{0,80}\n[\s>\"“「]*)\Z",
    re.IGNORECASE,
)
_LEAD_IN_CHARS = 160
_CLEAR, _CLEAR_SHARE = 4, 0.4  # pieces of memud's own wording that nobody finds by chance
_MOST = 0.8  # of the sentence, of the prediction, or of a sentence of it
_REWORDED, _REWORDED_OWN = 0.7, 0.6
_TOLD, _TOLD_OWN = 0.55, 0.4  # for who has no words of their own to lose: an assistant, a tool


@dataclass(frozen=True, slots=True)
class Wording:
    """A text in words and in pieces of two or three, in which it is recognised."""

    words: frozenset[str]
    pieces: frozenset[Piece]


@dataclass(frozen=True, slots=True)
class Saying:
    """What a prediction says, and what of that are the user's own words, from the turns it rests on."""

    text: str
    evidence: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Voice:
    """A saying, whole, and the part of it that is memud's own wording. Numbers and dates are nobody's.

    `written` are its pieces that no evidence has, with numbers and dates; `parts` the pieces of its sentences
    that are long enough to be known again and have some of memud's wording.
    """

    whole: Wording
    own_words: frozenset[str]
    own_pieces: frozenset[Piece]
    written: frozenset[Piece]
    parts: Sequence[frozenset[Piece]]


def alike(text: str, sayings: Iterable[str]) -> set[str]:
    """The sayings that a text shares enough words with to be worth a closer look; cheap."""
    there = {_folded(word) for word in _TOKEN.findall(text[:MAX_CHARS])}
    known = {saying: wording(saying).words for saying in sayings}
    return {saying for saying, words in known.items() if len(words & there) >= min(3, len(words))}


def repeated(text: str, sayings: Sequence[Saying], *, is_users: bool) -> list[Span]:
    """The places of a text that repeat one of the sayings, in order; they end between words.

    The user's own words on the same matter are none: what only they and the evidence share counts for
    nothing, and a sentence that brings something new stays theirs unless it quotes memud clearly.
    """
    tokens = _tokens(text[:MAX_CHARS])
    found = [False] * len(tokens)
    for saying in sayings:
        voice = _voice(saying)
        for start, end in _quoted_whole(tokens, voice):
            found[start:end] = [True] * (end - start)
        for start, end in _sentences(text, tokens):
            tells_it = _is_reworded if is_users else _is_told
            is_told = tells_it(tokens[start:end], voice)
            for one, other in [(start, end)] if is_told else _quoted(tokens, voice, start, end):
                found[one:other] = [True] * (other - one)
            end = _continued(tokens, voice, start) if start and found[start - 1] else start
            found[start:end] = [True] * (end - start)
    return _spans(text, tokens, found)


def without(text: str, spans: Sequence[Span]) -> str:
    """The text at the same length, with these places empty: their characters become line ends.

    Spaces would make what follows look like code.
    """
    for start, end in spans:
        text = f"{text[:start]}{chr(10) * (end - start)}{text[end:]}"
    return text


@lru_cache(maxsize=512)
def wording(text: str) -> Wording:
    """A text in words and pieces; the same for other letter case, width, punctuation and script."""
    words = [token.word for token in _tokens(text)]
    pieces = (piece for at in range(len(words)) if (piece := _piece(words, at)))
    return Wording(frozenset(words), frozenset(pieces))


def _voice(saying: Saying) -> _Voice:
    whole = wording(saying.text)
    others = [wording(text) for text in saying.evidence]
    said = frozenset[str]().union(*(one.words for one in others))
    put = frozenset[Piece]().union(*(one.pieces for one in others))
    written = whole.pieces - put
    own = frozenset(piece for piece in written if not any(map(_is_number, piece)))
    sentences = [wording(part).pieces for part in _SENTENCE_END.split(saying.text)]
    return _Voice(
        whole,
        frozenset(word for word in whole.words - said if not _is_number(word)),
        own,
        written,
        [pieces for pieces in sentences if pieces & written and len(pieces) >= _CLEAR],
    )


def _quoted(tokens: Sequence[_Token], voice: _Voice, start: int, end: int) -> Iterator[Span]:
    """The runs of a sentence that stand in the saying, where enough of them is memud's own wording."""
    words = [token.word for token in tokens[start:end]]
    for run, said in _shared(words, voice):
        own = len(said & voice.own_pieces)
        is_all = any(_has_most(said, pieces, voice) for pieces in (voice.whole.pieces, *voice.parts))
        if is_all or _is_clear(own, len(voice.own_pieces)):
            yield start + run[0], start + run[1]
        elif said & voice.written and _is_filled(run, words, voice):
            yield start, end


def _quoted_whole(tokens: Sequence[_Token], voice: _Voice) -> Iterator[Span]:
    """The runs that are the saying, over the ends of its sentences."""
    for run, said in _shared([token.word for token in tokens], voice):
        if _has_most(said, voice.whole.pieces, voice):
            yield run


def _shared(words: Sequence[str], voice: _Voice) -> Iterator[tuple[Span, Set[Piece]]]:
    """The runs that stand in the saying, each with its pieces."""
    there = voice.whole.pieces
    pieces = {at: piece for at in range(len(words)) if (piece := _piece(words, at)) and piece in there}
    for run in _runs({at: len(piece) for at, piece in pieces.items()}):
        yield run, {piece for at, piece in pieces.items() if run[0] <= at < run[1]}


def _has_most(said: Set[Piece], pieces: Set[Piece], voice: _Voice) -> bool:
    """Whether most of these pieces were said, and of what memud put to the user's words some or its dates."""
    written = pieces & voice.written
    has_written = said & voice.own_pieces or len(said & written) >= _MOST * len(written) > 0
    return bool(has_written) and len(said & pieces) >= _MOST * len(pieces)


def _is_filled(run: Span, words: Sequence[str], voice: _Voice) -> bool:
    """Whether a run is most of the words, and none of them is another's."""
    return run[1] - run[0] >= _MOST * len(words) and set(words) <= voice.whole.words


def _continued(tokens: Sequence[_Token], voice: _Voice, start: int) -> int:
    """How far a sentence goes on with what was repeated before it, as the saying does."""
    words = [token.word for token in tokens[start - 1 :]]
    end = start
    for at in range(len(words)):
        piece = _piece(words, at)
        if piece not in voice.whole.pieces:
            break
        end = start - 1 + at + len(piece)
    return end


def _is_clear(own: int, there: int) -> bool:
    return own >= _CLEAR or (own >= 3 and own >= _CLEAR_SHARE * there)


def _runs(pieces: Mapping[int, int]) -> Iterator[Span]:
    """Pieces, by place and length, that stand no more than a gap apart, put together."""
    run: Span | None = None
    for at, length in sorted(pieces.items()):
        if run and at <= run[1] + _GAP:
            run = run[0], max(run[1], at + length)
            continue
        if run:
            yield run
        run = at, at + length
    if run:
        yield run


def _is_reworded(sentence: Sequence[_Token], voice: _Voice) -> bool:
    """Whether a user's sentence says what memud says, mostly in memud's words."""
    words = {token.word for token in sentence}
    own = words & voice.own_words
    is_close = len(words & voice.whole.words) >= _REWORDED * len(words)
    return is_close and len(own) >= 3 and len(own) >= _REWORDED_OWN * len(voice.own_words)


def _is_told(sentence: Sequence[_Token], voice: _Voice) -> bool:
    """Whether the sentence of an assistant or a tool tells what memud says."""
    words = {token.word for token in sentence}
    there = {word for word in voice.whole.words if not _is_number(word)}
    shared = words & voice.whole.words
    is_close = len(shared) >= 2 and len(shared) >= _TOLD * len(words)
    return is_close and len(words & there) >= _TOLD_OWN * len(there)


def _sentences(text: str, tokens: Sequence[_Token]) -> Iterator[Span]:
    """The sentences of a text, by the places of their tokens."""
    ends, start = [match.start() for match in _SENTENCE_END.finditer(text)], 0
    place = 0
    for at, token in enumerate(tokens):
        while place < len(ends) and ends[place] < token.start:
            place += 1
            if at > start:
                yield start, at
                start = at
    if tokens:
        yield start, len(tokens)


def _spans(text: str, tokens: Sequence[_Token], found: Sequence[bool]) -> list[Span]:
    """The places in the text, each with the marks around it and the words that lead in to it."""
    spans: list[Span] = []
    for at, is_found in enumerate(found):
        if not is_found:
            continue
        start = tokens[at - 1].end if at else 0
        end = tokens[at + 1].start if at + 1 < len(tokens) else len(text)
        if spans and start <= spans[-1][1]:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((_led_in(text, start, tokens[at].start), end))
    return spans


def _led_in(text: str, start: int, word: int) -> int:
    lead = _LEAD_IN.search(text, max(0, word - _LEAD_IN_CHARS), word)
    return min(start, lead.start()) if lead else start


def _tokens(text: str) -> list[_Token]:
    return [_Token(_folded(match[0]), *match.span()) for match in _TOKEN.finditer(text)]


def _folded(word: str) -> str:
    return word.lower() if word.isascii() else simplified(unicodedata.normalize("NFKC", word).casefold())


def _piece(words: Sequence[str], at: int) -> Piece | None:
    """The words from a place on that make a piece; None too near to the end."""
    weight, end = 0, at
    while weight < _PIECE_WEIGHT and end < len(words):
        weight += 1 if _is_han(words[end]) else _LATIN_WEIGHT
        end += 1
    return tuple(words[at:end]) if weight >= _PIECE_WEIGHT else None


def _is_han(word: str) -> bool:
    return "㐀" <= word[0] <= "﫿"


def _is_number(word: str) -> bool:
    return word[0].isdigit()
