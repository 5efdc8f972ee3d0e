"""What a user leaves undecided, in the words in which it was left."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from memory.extract.clauses import Clause, parts, sentences
from memory.proactive.commitments.chinese_cues import CHINESE as TASKS_CHINESE
from memory.proactive.commitments.chinese_cues import FICTION as FICTION_CHINESE
from memory.proactive.commitments.english_cues import ENGLISH as TASKS_ENGLISH
from memory.proactive.commitments.english_cues import FICTION
from memory.proactive.undecided import chinese, english
from memory.terms import content_terms

_MAX_SENTENCES = 100
_MAX_SENTENCE_CHARS, _MAX_MATTER_CHARS = 300, 120
_MIN_CHINESE_CHARS = 2
_FICTION = re.compile(f"{FICTION}|{FICTION_CHINESE}", re.IGNORECASE)


class Sort(StrEnum):
    """What would settle it."""

    CHOICE = "choice"  # the user has to decide
    FACT = "fact"  # an answer is enough


@dataclass(frozen=True, slots=True)
class Matter:
    """`about` is what is open ("whether to renew the lease", 要不要续租), `sentence` where it was said."""

    about: str
    sentence: str
    sort: Sort

    @property
    def terms(self) -> frozenset[str]:
        """The words that tell it from another."""
        return telling(self.about)


def matters(text: str) -> Iterator[Matter]:
    """What a text says to be open, in order; usually nothing.

    Not what it asks: an ordinary question is answered at once. Not what others have to decide, not what is
    supposed, not what to eat tonight, and not what the same text decides further on.
    """
    told = list(islice(sentences(text.replace("’", "'")), _MAX_SENTENCES))
    for place, sentence in enumerate(told):
        cues = TASKS_CHINESE if sentence.is_chinese else TASKS_ENGLISH
        if cues.task.search(sentence.text):
            return  # what follows is material to work on
        found = _matter(sentence)
        if found and not any(decides(later) for later in told[place + 1 :]):
            yield found


def decides(sentence: Clause) -> bool:
    """Whether a sentence says that something is decided."""
    if sentence.is_question or is_open(sentence):
        return False
    language = chinese if sentence.is_chinese else english
    return bool(language.DECIDED.search(sentence.text)) and not language.REFUSED.search(sentence.text)


def is_open(sentence: Clause) -> bool:
    """Whether a sentence leaves something open."""
    return _matter(sentence) is not None


def telling(words: str) -> frozenset[str]:
    """The words that tell one matter from another."""
    return frozenset(content_terms(_EMPTY.sub(" ", words)))


_EMPTY = re.compile(
    r"\b(?:whether|which|between|decid\w*|figur\w*|choos\w*|pick\w*|going|want\w*|really|yet|still|something|thing)\b"
    r"|要不要|该不该|是不是|是否|到底|究竟|还是|应该|哪[个家种款一]?|还没|想好|决定|的事情?|问题|纠结|犹豫|考虑",
    re.IGNORECASE,
)


def _matter(sentence: Clause) -> Matter | None:
    if sentence.is_question or len(sentence.text) > _MAX_SENTENCE_CHARS:
        return None
    language = chinese if sentence.is_chinese else english
    if language.REFUSED.search(sentence.text) or _FICTION.search(sentence.text):
        return None
    about = _in_chinese(sentence) if sentence.is_chinese else english.about(sentence.text)
    about = about.strip(" ,.:;，。：；")[:_MAX_MATTER_CHARS]
    if not about or language.TRIVIAL.search(about) or not telling(about):
        return None
    sort = Sort.FACT if language.ASKS_FACT.match(about) else Sort.CHOICE
    return Matter(about, sentence.text, sort)


def _in_chinese(sentence: Clause) -> str:
    before = list[str]()
    told = parts(sentence)
    for place, part in enumerate(told):
        found = chinese.about(part.text, "，".join(before))
        if len(found) >= _MIN_CHINESE_CHARS:
            return "" if any(chinese.DECIDED.search(later.text) for later in told[place + 1 :]) else found
        before = [*before[-1:], part.text] if before and not chinese.may_be_open(part.text) else [part.text]
    return ""
