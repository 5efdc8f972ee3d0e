"""Which clauses of a user's text claim something durable, and by which cue."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from memory.dates import DateMention, find_dates
from memory.extract.chinese import CHINESE
from memory.extract.clauses import MAX_CHARS, Clause, blanked, cut, parts, sentences
from memory.extract.english import ENGLISH
from memory.extract.lexicon import Cue, Lexicon
from memory.model import MemoryType

_MIN_CHARS = 4
_MAX_SENTENCE_CHARS = 600  # a longer one is a paste without full stops

_PASSING = (MemoryType.GENERAL, MemoryType.OBSERVATION)
APPOINTMENT = Cue(MemoryType.GENERAL, ENGLISH.event)


@dataclass(frozen=True, slots=True)
class Claim:
    """A clause and the cue that it matched; with `date` it is an appointment."""

    clause: Clause
    cue: Cue
    date: DateMention | None = None


def claims(text: str, at: int, tz: str) -> Iterator[Claim]:
    """The claims of a text in order, written at that Unix time in that zone."""
    said = blanked(text[:MAX_CHARS])
    if any(lexicon.attack.search(said) for lexicon in (ENGLISH, CHINESE)):
        return
    seen: set[str] = set()
    for sentence in sentences(text):
        lexicon = CHINESE if sentence.is_chinese else ENGLISH
        if lexicon.task.search(sentence.text):
            return
        for claim in _of_sentence(sentence, lexicon, at, tz):
            words = claim.clause.text
            if len(words) >= _MIN_CHARS and words not in seen:
                seen.add(words)
                yield claim


def _of_sentence(sentence: Clause, lexicon: Lexicon, at: int, tz: str) -> list[Claim]:
    bare = _without_lead(sentence, lexicon)
    if len(sentence.text) > _MAX_SENTENCE_CHARS or lexicon.refused.search(bare.text):
        return []
    is_question = sentence.is_question or bool(lexicon.question.search(sentence.text))
    cue = None if is_question else _cue(sentence.text, lexicon.sentence_cues)
    if cue:
        return [Claim(bare, cue)]
    found = list(_of_parts(sentence, lexicon, at, tz))
    if found or is_question:
        return found
    date = _appointment(bare.text, lexicon, at, tz)
    if date:
        return [Claim(bare, APPOINTMENT, date)]
    cue = _cue(sentence.text, lexicon.last_cues)
    return [Claim(bare, cue)] if cue else []


def _of_parts(sentence: Clause, lexicon: Lexicon, at: int, tz: str) -> Iterator[Claim]:
    """Each part with a cue opens a claim; plain parts after it, or a frame before it, belong to it."""
    current: Claim | None = None
    frame: Clause | None = None
    for part in parts(sentence):
        claim = None if _is_idle(part, lexicon) else _claim(part, lexicon, at, tz)
        if current and claim is None and not _is_idle(part, lexicon):
            current = replace(current, clause=cut(sentence, current.clause.start, part.end))
            continue
        if current:
            yield current
        current = _framed(claim, frame, sentence) if claim else None
        frame = part if claim is None and lexicon.frame.search(part.text) else None
    if current:
        yield current


def _claim(part: Clause, lexicon: Lexicon, at: int, tz: str) -> Claim | None:
    part = _without_lead(part, lexicon)
    cue = _cue(part.text, lexicon.part_cues)
    if cue is None or cue.memory_type in _PASSING:
        date = _appointment(part.text, lexicon, at, tz)
        if date:
            return Claim(part, APPOINTMENT, date)
    return Claim(part, cue) if cue else None


def _framed(claim: Claim, frame: Clause | None, sentence: Clause) -> Claim:
    return replace(claim, clause=cut(sentence, frame.start, claim.clause.end)) if frame else claim


def _is_idle(part: Clause, lexicon: Lexicon) -> bool:
    is_question = part.is_question or bool(lexicon.question.search(part.text))
    return is_question or bool(lexicon.chatter.search(part.text))


def _cue(text: str, cues: tuple[Cue, ...]) -> Cue | None:
    return next((cue for cue in cues if cue.pattern.search(text)), None)


def _appointment(text: str, lexicon: Lexicon, at: int, tz: str) -> DateMention | None:
    if not lexicon.event.search(text) or lexicon.no_event.search(text):
        return None
    return next((date for date in find_dates(text, at, tz) if date.at > at), None)


def _without_lead(clause: Clause, lexicon: Lexicon) -> Clause:
    lead = lexicon.lead.match(clause.text)
    return cut(clause, clause.start + lead.end(), clause.end) if lead else clause
