"""Which clauses of a user's text claim something durable, and by which cue."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from memory.dates import DateMention, find_dates
from memory.extract.chinese import CHINESE
from memory.extract.clauses import MAX_CHARS, Clause, cut, parts, sentences, trimmed
from memory.extract.english import ENGLISH
from memory.extract.foreign import blanked, is_prompt
from memory.extract.lexicon import Cue, Lexicon
from memory.model import MemoryType
from memory.simplified import simplified

_MIN_CHARS = 4
_MAX_SENTENCE_CHARS = 600  # a longer one is a paste without full stops

_PASSING = (MemoryType.GENERAL, MemoryType.OBSERVATION)
APPOINTMENT = Cue(MemoryType.GENERAL, ENGLISH.event)


@dataclass(frozen=True, slots=True)
class Claim:
    """A clause and the cue that it matched; with `date` it is an appointment.

    `subject` stands before the clause where the user said it once for several: "I live in Ghent and work
    at a brewery".
    """

    clause: Clause
    cue: Cue
    date: DateMention | None = None
    subject: str = ""

    def told_in(self, text: str) -> str:
        """The claim in the words of the turn that it stands in, and in its script."""
        return _in_script_of(text, self.subject) + text[self.clause.start : self.clause.end]


def claims(text: str, at: int, tz: str) -> Iterator[Claim]:
    """The claims of a text in order, written at that Unix time in that zone."""
    text = simplified(text[:MAX_CHARS])
    said = blanked(text)
    if is_prompt(text) or any(lexicon.attack.search(said) for lexicon in (ENGLISH, CHINESE)):
        return
    seen: set[str] = set()
    for claim in chain.from_iterable(_by_sentence(text, at, tz)):
        words = claim.subject + claim.clause.text
        if len(words) >= _MIN_CHARS and words not in seen:
            seen.add(words)
            yield claim


def _in_script_of(text: str, words: str) -> str:
    """What a claim repeats of the turn, as the turn writes it."""
    place = simplified(text).find(words.rstrip())
    return (
        words
        if not words or place < 0
        else text[place : place + len(words.rstrip())] + words[len(words.rstrip()) :]
    )


def _by_sentence(text: str, at: int, tz: str) -> list[list[Claim]]:
    """The claims of each sentence, up to material to work on; a joke takes back the sentence before it."""
    found: list[list[Claim]] = []
    for sentence in sentences(text):
        lexicon = CHINESE if sentence.is_chinese else ENGLISH
        if lexicon.task.search(sentence.text):
            break
        if found and lexicon.taken_back.search(sentence.text):
            found[-1] = []
            continue
        before = found[-1][-1] if found and found[-1] else None
        found.append(_of_sentence(sentence, lexicon, at, tz) or _of_pronoun(before, sentence, lexicon))
    return found


def _of_pronoun(before: Claim | None, sentence: Clause, lexicon: Lexicon) -> list[Claim]:
    """What a sentence says of "her" whom the sentence before it named."""
    pronoun = lexicon.predicate.match(sentence.text)
    if before is None or sentence.is_question or not pronoun or not pronoun[1]:
        return []
    claim = _carried(before, parts(sentence)[0], lexicon)
    if claim is None or lexicon.refused.search(claim.subject + claim.clause.text):
        return []
    return [claim]


def _of_sentence(sentence: Clause, lexicon: Lexicon, at: int, tz: str) -> list[Claim]:
    bare = _without_lead(sentence, lexicon)
    if len(sentence.text) > _MAX_SENTENCE_CHARS or lexicon.refused.search(bare.text):
        return []
    if sentence.is_question and lexicon.tag.search(sentence.text):
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
    for whole in parts(sentence):
        for part in _apart(current, whole, lexicon):
            claim = _carried(current, part, lexicon)
            is_idle = claim is None and _is_idle(part, lexicon)
            claim = claim or (None if is_idle else _claim(part, lexicon, at, tz))
            if current and claim is None and not is_idle and _goes_on(current, part, lexicon):
                current = replace(current, clause=cut(sentence, current.clause.start, part.end))
                continue
            if current:
                yield current
            current = _framed(claim, frame, sentence) if claim else None
            frame = part if claim is None and lexicon.frame.search(part.text) else None
    if current:
        yield current


def _goes_on(current: Claim, part: Clause, lexicon: Lexicon) -> bool:
    """Whether a plain part belongs to the claim before it; after an appointment "and Jo cooks" is news."""
    return current.date is None or lexicon.lead.match(part.text) is None


def _apart(before: Claim | None, part: Clause, lexicon: Lexicon) -> Iterator[Clause]:
    """The part, cut at each joint both sides of which make a claim of their own."""
    start = part.start
    for joint in lexicon.joint.finditer(part.text):
        left = cut(part, start, part.start + joint.start())
        right = cut(part, part.start + joint.end(), part.end)
        told = _carried(before, left, lexicon) or _told(left, lexicon)
        if told and (_is_own_claim(right, lexicon) or _carried(told, right, lexicon)):
            yield left
            before, start = told, right.start
    yield cut(part, start, part.end)


def _is_own_claim(part: Clause, lexicon: Lexicon) -> bool:
    return bool(lexicon.subject.match(part.text) and _told(part, lexicon))


def _told(part: Clause, lexicon: Lexicon) -> Claim | None:
    part = _without_lead(part, lexicon)
    cue = _cue(part.text, lexicon.part_cues)
    return Claim(part, cue) if cue else None


def _carried(before: Claim | None, part: Clause, lexicon: Lexicon) -> Claim | None:
    """What a part says of the subject that the claim before it named: 我女儿叫小雨，今年六岁.

    Only of what somebody is or has: likes and decisions in a row are told as one.
    """
    subject = _subject(before, lexicon) if before else ""
    part = _without_lead(part, lexicon)
    predicate = lexicon.predicate.match(part.text)
    if not subject or not predicate or lexicon.apart.search(f"{subject}|{part.text}"):
        return None
    start = part.start + max(0, predicate.end(1))
    rest = trimmed(part.text, start - part.start, len(part.text))
    if rest is None:
        return None
    rest = cut(part, part.start + rest.start, part.end)
    subject += "" if lexicon is CHINESE or rest.text.startswith(("'", "’")) else " "
    said = replace(rest, text=subject + rest.text)
    cue = None if _is_idle(said, lexicon) else _cue(said.text, lexicon.part_cues)
    return Claim(rest, cue, subject=subject) if cue else None


def _subject(before: Claim, lexicon: Lexicon) -> str:
    if (
        before.cue.memory_type is not MemoryType.GENERAL
        or before.date
        or lexicon.turn.search(before.clause.text)
    ):
        return ""
    named = lexicon.subject.match(before.clause.text)
    return before.subject.rstrip() or (named[0] if named else "")


def _claim(part: Clause, lexicon: Lexicon, at: int, tz: str) -> Claim | None:
    told = _told(part, lexicon)
    if told is None or (told.cue.memory_type in _PASSING and not told.cue.is_regular):
        bare = _without_lead(part, lexicon)
        date = _appointment(bare.text, lexicon, at, tz)
        if date:
            return Claim(bare, APPOINTMENT, date)
    return told


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
