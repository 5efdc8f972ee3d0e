"""A turn cut into sentences and their parts, with code, quotations and links blanked out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_CHARS = 8_000  # facts stand in what people type, not in what they paste
_CODE = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]*`|^[ \t]*>.*$|^(?: {4}|\t).*$|https?://\S+",
    re.DOTALL | re.MULTILINE,
)
_QUOTED = re.compile(
    r"\"[^\"\n]{1,400}\"|“[^”]{1,400}”|「[^」]{1,400}」|『[^』]{1,400}』|‘[^’\n]{2,400}’|(?<![\w'])'[^'\n]{2,400}'(?!\w)"
)
_SPEECH = re.compile(r"\b(?:i|i'm|my|you|he|she|we)\b|[我你他她]|.{25}", re.IGNORECASE)  # else it is a name
_MASK = re.compile(r"\[redacted(?::[a-z_]{1,40})?\]", re.IGNORECASE)
_SENTENCE_END = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bProf)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bno)"
    r"[.!?]+(?=\s|$)|[。！？；!?;]+|\n+",
    re.IGNORECASE,
)
_PART_END = re.compile(r"[,，](?!\d{3})|\s[-–—]+\s|——|(?<=\w)[:：](?=\s|[一-鿿])")
_HAN = re.compile(r"[㐀-鿿]")


@dataclass(frozen=True, slots=True)
class Clause:
    """Some words of a turn: `text` is what stands at `start` to `end` of it, blanked parts as spaces."""

    text: str
    start: int
    end: int
    is_question: bool = False

    @property
    def is_chinese(self) -> bool:
        """Whether Chinese rules read it; a product's Latin name inside does not make it English."""
        han = len(_HAN.findall(self.text))
        return han >= 2 and 3 * han >= len(re.findall(r"[A-Za-z]+", self.text))  # a word against a character


def sentences(text: str) -> Iterator[Clause]:
    """The sentences of a turn in order; those with a mask in them are left out, for their point is lost."""
    clean = blanked(text[:MAX_CHARS])
    start = 0
    for end in [*_SENTENCE_END.finditer(clean), None]:
        stop = end.start() if end else len(clean)
        mark = end[0] if end else ""
        found = trimmed(clean, start, stop, is_question="?" in mark or "？" in mark)
        if found and not _MASK.search(text, found.start, found.end):
            yield found
        start = end.end() if end else len(clean)


def parts(sentence: Clause) -> list[Clause]:
    """The sentence cut at commas, dashes and colons."""
    found: list[Clause] = []
    start = 0
    for stop, after in [*(m.span() for m in _PART_END.finditer(sentence.text)), (len(sentence.text),) * 2]:
        part = trimmed(sentence.text, start, stop)
        if part:
            found.append(cut(sentence, sentence.start + part.start, sentence.start + part.end))
        start = after
    return found


def cut(sentence: Clause, start: int, end: int) -> Clause:
    """The piece of a sentence between two places of the turn; a question mark belongs to the last piece."""
    is_question = sentence.is_question and end == sentence.end
    return Clause(sentence.text[start - sentence.start : end - sentence.start], start, end, is_question)


def blanked(text: str) -> str:
    """The text at the same length, with code, links and other people's words turned to spaces."""
    text = _CODE.sub(_spaces, text)
    return _QUOTED.sub(lambda match: _spaces(match) if _SPEECH.search(match[0]) else match[0], text)


def trimmed(text: str, start: int, end: int, *, is_question: bool = False) -> Clause | None:
    """The clause between two places without the spaces around it; None if nothing is left."""
    words = text[start:end]
    left = len(words) - len(words.lstrip())
    stripped = words.strip()
    if not stripped:
        return None
    return Clause(stripped, start + left, start + left + len(stripped), is_question)


def _spaces(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])
