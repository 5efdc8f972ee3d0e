"""A turn cut into sentences and their parts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.extract.foreign import blanked

MAX_CHARS = 8_000  # facts stand in what people type, not in what they paste
_MASK = re.compile(r"\[redacted(?::[a-z_]{1,40})?\]", re.IGNORECASE)
_SENTENCE_END = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bSt)(?<!\bProf)(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bno)"
    r"[.!?]+(?=\s|$)"
    r"(?!(?<=\b[ap]\.m\.)\s+(?-i:[a-z\d]))"  # at 5 p.m. tomorrow
    r"(?!(?:(?<=\b(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)\.)|(?<=\bsept\.))\s+\d)"  # on Dec. 12
    r"|[。！？；!?;]+|\n+",
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


def trimmed(text: str, start: int, end: int, *, is_question: bool = False) -> Clause | None:
    """The clause between two places without the spaces around it; None if nothing is left."""
    words = text[start:end]
    left = len(words) - len(words.lstrip())
    stripped = words.strip()
    if not stripped:
        return None
    return Clause(stripped, start + left, start + left + len(stripped), is_question)
