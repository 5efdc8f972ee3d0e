"""Which sentences of a turn commit somebody to something, and to what, at which time."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time
from itertools import islice

from memory.dates import DateMention, find_dates
from memory.dates.moment import zone_of
from memory.dates.repeats import Repeat, find_repeat
from memory.extract.clauses import Clause, sentences
from memory.proactive.commitments.chinese_cues import CHINESE
from memory.proactive.commitments.cues import Cue, Cues, Pledge
from memory.proactive.commitments.english_cues import ENGLISH
from memory.proactive.commitments.lead_time import lead_s, without_lead_time
from memory.proactive.commitments.timing import Timing, before_noon, due_at, timings
from memory.simplified import simplified
from memory.terms import content_terms

_MAX_SENTENCE_CHARS = 400  # a longer "sentence" is a paste without full stops
_MAX_SENTENCES = 200
_MAX_NEIGHBOUR_CHARS = 120
_CLAUSE_END = re.compile(r"[，；;]|,(?!\d{3})|\s[-–—]+\s|——|$")
_DANGLING = re.compile(r"[在于]\s*$")  # 在12月8号 goes as a whole
_LEFT_OVER = re.compile(r"\s+(?:(?:on|at|by|for|in|until)(?:\s+the)?\s+)?$", re.IGNORECASE)
_WAKING = re.compile(r"\bwake\s+me\b|\balarm\b|\bget\s+(?:me\s+)?up\b|叫醒|起床|早起|闹[钟铃]", re.IGNORECASE)
# Question words after these ask nothing: 我明天看看怎么样了, "remind me what to bring".
_LEAD_IN = (Pledge.REMINDER, Pledge.ASSISTANT)
_MORE = 2  # words that the sentence has beside the action
_POINTS = re.compile(r"\b(?:it|them|that|this|one|there|mine|ours)\b(?!\s+\w{4,})", re.IGNORECASE)
_BARE_DEED = re.compile(
    r"(?:再|去|来|就|也|都|要|把它|给[他她它]|[他她它你]|一下|一声|[打回]个?(?:电话|电)|[交还发付寄说做弄办看查叫回练背]|看看|提醒|汇报|答复|通知|告诉)+"
)
_SHORT_DEED = 2  # characters: 预约
_SAYS_NOTHING = frozenset(
    content_terms(
        "remind reminder please need set alarm ping nudge make sure forget tell message 提醒 提醒我 记得 麻烦"
    )
)
_QUOTATION = re.compile(r"\"[^\"]{1,200}\"|“[^”]{1,200}”|「[^」]{1,200}」|《[^》]{1,60}》")
# What follows is another's, and asks nobody to remind this user: "here is a mail I got:", 他发来的消息：
_HANDED_ON = re.compile(
    r"(?:\b(?:e?-?mail|message|letter|sms|transcript|article|paragraph|conversation|chat|output|logs?)\b"
    r"(?!\s+to\s+(?:self|me|myself)\b)|\b(?:he|she|they|\w+)\s+(?:said|says|wrote|writes)\b"
    r"|邮件|短信|消息|来信|原文|聊天记录|对话|日志|[他她]们?(?:说|写|发来))[^.!?。！？]{0,40}[:：]$",
    re.IGNORECASE,
)
_ASKS_BACK = re.compile(r"[吗呢]\s*$")
_LIMIT_CUE = re.compile(r"截止$")  # belongs to the date and is a cue as well

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pledged:
    """A sentence that commits. `action` is what is to be done, in the words that were said.

    With `repeat` it commits again and again, and `timing` is the next time.
    """

    pledge: Pledge
    action: str
    sentence: str
    timing: Timing
    repeat: Repeat | None = None
    is_told: bool = False  # as a fact, which may be foreseen by itself

    @property
    def due_at(self) -> int:
        """When it comes up, Unix seconds."""
        is_reminder = self.pledge is Pledge.REMINDER
        ahead_s = lead_s(self.sentence) if self.pledge in _LEAD_IN else 0
        return due_at(self.timing.date, is_reminder=is_reminder, ahead_s=ahead_s)


@dataclass(frozen=True, slots=True)
class _Speech:
    """A sentence, the rules that read it, and the dates in it.

    `plain` is what is read: the text in simplified characters, one for one.
    """

    text: str
    plain: str
    is_question: bool
    cues: Cues
    dates: Sequence[DateMention]


def pledges(text: str, *, is_assistant: bool, at: int, tz: str) -> Iterator[Pledged]:
    """The commitments of a text, written at that Unix time in that zone, in order; usually none.

    Reminders that come again give their first time after `at`.
    """
    told = list(islice(sentences(text.replace("’", "'")), _MAX_SENTENCES))
    for place, sentence in enumerate(told):
        cues = CHINESE if sentence.is_chinese else ENGLISH
        if cues.task.search(simplified(sentence.text)):
            if sentence.text.endswith((":", "：")):
                return  # what follows is material to work on
            continue
        if _HANDED_ON.search(sentence.text):
            return
        if len(sentence.text) > _MAX_SENTENCE_CHARS:
            continue
        found = None if is_assistant else _again(sentence, cues, at, tz)
        found = found or _once(sentence, cues.of_assistant if is_assistant else cues.of_user, at, tz)
        if found:
            yield found if _says_what(found) else _with_neighbour(found, told, place)


def _says_what(found: Pledged) -> bool:
    words = found.action
    if words == found.sentence:
        words = _without(words, (0, len(words)), found.timing.spans)
    return bool(set(content_terms(words)) - _SAYS_NOTHING)


def _with_neighbour(found: Pledged, told: Sequence[Clause], place: int) -> Pledged:
    """What is to be done stands in the next sentence, or else in the one before: "Remind me in an hour"."""
    others = (*told[place + 1 : place + 2], *told[max(0, place - 1) : place])
    action = next((other.text for other in others if len(other.text) <= _MAX_NEIGHBOUR_CHARS), found.action)
    return replace(found, action=action)


def _again(sentence: Clause, cues: Cues, at: int, tz: str) -> Pledged | None:
    """A reminder that comes again, read as if it were asked for on its next days."""
    plain = simplified(sentence.text)
    repeat = find_repeat(plain)
    if repeat is None or cues.weary.search(plain):
        return None
    asked = [cue for cue in cues.of_user if cue.pledge is Pledge.REMINDER]
    today = datetime.fromtimestamp(at, zone_of(tz)).date()
    found: Pledged | None = None
    # A clock of today may mean tonight ("at 8"); a later day tells what it means every day.
    for day in sorted(islice(repeat.days(today), 2), reverse=True):
        one = _once(replace(sentence, text=repeat.spelled(plain, day)), asked, at, tz)
        if one and (found is None or _clock(one, tz) == _clock(found, tz)):
            found = replace(one, sentence=sentence.text, repeat=repeat)
    return found


def _clock(pledged: Pledged, tz: str) -> time:
    return datetime.fromtimestamp(pledged.due_at, zone_of(tz)).time()


def _once(sentence: Clause, asked: Sequence[Cue], at: int, tz: str) -> Pledged | None:
    cues = CHINESE if sentence.is_chinese else ENGLISH
    plain = simplified(sentence.text)
    speech = _Speech(sentence.text, plain, sentence.is_question, cues, find_dates(plain, at, tz))
    return _pledge(speech, asked, timings(speech.dates, at, tz))


def _pledge(speech: _Speech, cues: Sequence[Cue], times: Sequence[Timing]) -> Pledged | None:
    """What the first cue that is meant commits to; clauses with a date in them are read first."""
    if not times:
        return None
    clauses = sorted(_clauses(speech.plain), key=lambda clause: not any(_is_in(t, clause) for t in times))
    for cue in cues:
        for clause in clauses:
            place = _place(speech, clause, cue)
            timing = place and _choose(times, place, clause, cue)
            if timing and _WAKING.search(speech.plain):
                timing = before_noon(timing)
            if place and timing:
                action = speech.text if cue.tells_all else _action(speech, place, clause, timing, cue.pledge)
                return Pledged(cue.pledge, action, speech.text, timing, is_told=cue.is_told)
    return None


def _clauses(sentence: str) -> list[Place]:
    found, start = list[Place](), 0
    for end in _CLAUSE_END.finditer(sentence):
        found.append((start, end.start()))
        start = end.end()
    return found


def _place(speech: _Speech, clause: Place, cue: Cue) -> Place | None:
    """Where in the sentence the cue stands, if it is meant."""
    words, places = _without_dates(speech, clause)
    match = cue.pattern.search(words)
    if match is None or _is_quoted(speech.text, places[match.start()]):
        return None
    if cue.refused_before.search(words[: match.start()]):
        return None
    if cue.pledge is not Pledge.REMINDER and speech.cues.refused.search(speech.plain):
        return None
    before = words[: match.start()] if cue.pledge in _LEAD_IN else speech.plain
    if cue.pledge is Pledge.ASSISTANT and _ASKS_BACK.search(speech.plain):
        return None
    if (speech.is_question or speech.cues.question.search(before)) and not (
        cue.pledge is Pledge.REMINDER and speech.cues.request.search(speech.plain)
    ):
        return None
    return places[match.start()], places[match.end()]


def _is_quoted(sentence: str, place: int) -> bool:
    """Whether it stands in quotation marks: a button's words, a song's."""
    return any(quotation.start() <= place < quotation.end() for quotation in _QUOTATION.finditer(sentence))


def _without_dates(speech: _Speech, clause: Place) -> tuple[str, list[int]]:
    """The clause as its cues see it, and the places of its characters, and of its end, in the sentence.

    Chinese puts the date between the subject and what it commits to (我周五之前要...), so there it goes.
    """
    kept = list(range(*clause))
    if speech.cues is CHINESE:
        for date in speech.dates:
            end = date.start + len(_LIMIT_CUE.sub("", date.text))
            lead = _DANGLING.search(speech.plain, 0, date.start)
            start = lead.start() if lead else date.start
            kept = [place for place in kept if not start <= place < end]
    blanks = next((n for n, place in enumerate(kept) if not speech.text[place].isspace()), len(kept))
    kept = kept[blanks:]
    return "".join(speech.plain[place] for place in kept), [*kept, clause[1]]


def _choose(times: Sequence[Timing], place: Place, clause: Place, cue: Cue) -> Timing | None:
    """A promise is bound by its limit, everything else by the date nearest to its cue."""
    inside = [one for one in times if _is_in(one, clause)]
    allowed = [one for one in (inside if cue.is_bound else times) if _may_bind(cue, one)]
    limits = [] if cue.pledge is Pledge.REMINDER else [one for one in allowed if one.date.is_limit]
    near = limits or [one for one in inside if one in allowed] or allowed
    return min(near, key=lambda one: one.distance(place), default=None)


def _may_bind(cue: Cue, timing: Timing) -> bool:
    if cue.is_timed and timing.date.precision not in ("minute", "hour"):
        return False
    return not (cue.is_firm and timing.is_today) and (timing.date.is_limit or not cue.is_limited)


def _is_in(timing: Timing, clause: Place) -> bool:
    return any(clause[0] <= start < clause[1] for start, _ in timing.spans)


def _action(speech: _Speech, place: Place, clause: Place, timing: Timing, pledge: Pledge) -> str:
    """What follows the cue, or else stands before it, without its date; or the whole sentence."""
    if pledge is Pledge.DEADLINE:
        return speech.text
    end = clause[1] if speech.cues is CHINESE and pledge is not Pledge.REMINDER else len(speech.text)
    for piece in ((place[1], end), (0, place[0])):
        words = _without(speech.text, piece, timing.spans)
        words = speech.cues.trail.sub(
            "", speech.cues.lead.sub("", " ".join(without_lead_time(words).split()))
        )
        if len(words) >= 2 and content_terms(words):
            return speech.text if _is_pointing(words, speech, timing) else words
    return speech.text


def _is_pointing(action: str, speech: _Speech, timing: Timing) -> bool:
    """Whether it says little without the rest of its sentence: "give it back", 打电话."""
    rest = set(content_terms(_without(speech.text, (0, len(speech.text)), timing.spans)))
    more = rest - set(content_terms(action)) - _SAYS_NOTHING
    if speech.cues is CHINESE:
        is_short = len(action) <= _SHORT_DEED
        return len(more) >= _MORE and (is_short or bool(_BARE_DEED.fullmatch(simplified(action))))
    is_bare = len(content_terms(action)) < _MORE or bool(_POINTS.search(action))
    return len(more) >= _MORE and is_bare


def _without(sentence: str, piece: Place, spans: Sequence[Place]) -> str:
    start, parts = piece[0], list[str]()
    for span in sorted(spans):
        if piece[0] <= span[0] < piece[1]:
            parts.append(_LEFT_OVER.sub("", sentence[start : span[0]]))
            start = span[1]
    parts.append(sentence[start : piece[1]])
    return "".join(parts).strip()
