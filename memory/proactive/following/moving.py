"""Which reminders a turn moves to another time: "make that ink reminder 5pm", 给老师打电话改到周四."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import apsw

from memory.dates import DateMention, find_dates
from memory.dates.moment import zone_of
from memory.extract.clauses import Clause, sentences
from memory.extract.own import is_own
from memory.model import Evidence, Prediction, ProactiveItem, Resource
from memory.proactive.commitments.chinese_cues import CHINESE
from memory.proactive.commitments.english_cues import ENGLISH
from memory.proactive.commitments.pledges import Pledged, pledges
from memory.proactive.commitments.timing import Timing, is_clock, timings
from memory.proactive.detectors.commitment import predicted, quoted, terms_of, topic_terms
from memory.proactive.following.meant import (
    MAX_SENTENCE_CHARS,
    best,
    just_made,
    latest,
    mention,
    open_items,
)
from memory.store import resources

_NAMED = re.compile(r"\b(?:reminders?|alarms?|that\s+one)\b|提醒|闹[钟铃]", re.IGNORECASE)
_ENGLISH = re.compile(
    r"\b(?:mov(?:e|ed)|shift(?:ed)?|push(?:ed)?|bring|brought|chang(?:e|ed)|switch(?:ed)?|reschedul(?:e|ed)"
    r"|postpon(?:e|ed)|delay(?:ed)?)\b.*?\b(?:to|until|till|for)\s+(?:the\s+)?$"
    r"|\bmake\s+(?:it|that)\s+(?:for\s+|at\s+)?$|\bmake\b.*\b(?:reminder|alarm|one)\s+(?:for\s+|at\s+|be\s+)?$",
    re.IGNORECASE,
)
_LEAD = re.compile(r"(?:to|until|till)\s", re.IGNORECASE)
_CHINESE = re.compile(
    r"(?:改|推迟|推|延期|延后|延|顺延|提前|挪|换|调整?|移)(?:到|至)(?:了)?\s*$|(?:改|换)(?:成|为|在)?(?:了)?\s*$"
)
_VERB = re.compile(
    r"\b(?:mov|shift|push|bring|brought|forward|chang|switch|reschedul|postpon|delay|mak)\w*|\b(?:to|until|till|for|got|has|was)\b"
    r"|改一下|(?:改|推迟|推|延期|延后|延|顺延|提前|挪|换|调整?|移)[到至成为在]|改",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"\b(?:mov|shift|push|bring|brought|chang|switch|reschedul|postpon|delay|make)|[改推延挪换调移]|提前",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"\b(?:if|unless|maybe|perhaps|might|in\s+case|wish|suppose|should\s+i|not|never|says?|said|told|asks?|asked|wants|wanted|remind\s+me)\b|n't\b"
    r"|\b(?:i|we)\s+(?:could|would)\b|\bi'd\s+(?!like)"
    r"|如果|要是|假如|万一|的话|可能|也许|不要|别|没|不用|不能|不想|说|要不要|差点|提醒我[把去]",
    re.IGNORECASE,
)
# At the first date, to move something to the second: a request of its own.
_ASKS = re.compile(r"提醒我(?!.*的(?:提醒|时间|闹钟))")
_BARE = re.compile(r"\bto(?= \d{1,2}$)")
_ENDING = re.compile(r"[吧了啦呗呢哈]+$")
_PLANS = re.compile(
    r"\b(?:i|we)(?:'d)?\s+(?:(?:need|have|had|ought|want|like)\s+to|must|should)\b", re.IGNORECASE
)
_MAY_I = re.compile(r"\b(?:can|could)\s+(?:we|i)\b", re.IGNORECASE)
_HALF = re.compile(
    r"[ap]\.?m\b|noon|night|morning|afternoon|evening|(?:1[3-9]|2[0-3])\s*[:.：点]|[早晚午晨夜]|凌晨|十[三-九]点|二十",
    re.IGNORECASE,
)
_LONG_S = 3600  # a longer stretch is a day or a part of it


@dataclass(frozen=True, slots=True)
class Move:
    """An item that ends, what takes its place, and the sentence that says so."""

    item: ProactiveItem
    prediction: Prediction
    sentence: str


@dataclass(frozen=True, slots=True)
class _Wish:
    """A sentence that moves something: its dates before the cue and after it."""

    sentence: Clause
    before: Sequence[DateMention]
    after: Sequence[DateMention]


def moved(connection: apsw.Connection, turn: Resource) -> list[Move]:
    """The moves that the user's turn asks for; where two items fit alike none is moved.

    A clock alone keeps the day, a day alone keeps the clock. What comes again stays where it is.
    """
    wishes = list(_wishes(turn)) if is_own(turn.turn) else []
    if not wishes or not open_items(connection, turn):
        return []
    moves = (_move(connection, turn, wish) for wish in wishes)
    return [move for move in moves if move is not None]


def _wishes(turn: Resource) -> Iterator[_Wish]:
    said = turn.turn
    for sentence in sentences(said.text.replace("’", "'")):
        if not _is_meant(sentence):
            continue
        dates = find_dates(_clear(sentence), said.timestamp, said.tz)
        pattern = _CHINESE if sentence.is_chinese else _ENGLISH
        for place in reversed(range(len(dates))):
            if pattern.search(_before(sentence.text, dates[place])):
                if not (place and _ASKS.search(sentence.text)):
                    yield _Wish(sentence, dates[:place], dates[place:])
                break


def _is_meant(sentence: Clause) -> bool:
    cues = CHINESE if sentence.is_chinese else ENGLISH
    # 改成 is also how somebody asks to have a text reworked; the date after it tells.
    if len(sentence.text) > MAX_SENTENCE_CHARS or not _CUE.search(sentence.text):
        return False
    if _PLANS.search(sentence.text) and not _NAMED.search(sentence.text):
        return False
    if cues.task.search(sentence.text.replace("改成", "改到")) or _REFUSED.search(sentence.text):
        return False
    is_question = sentence.is_question or bool(cues.question.search(sentence.text))
    return not is_question or bool(cues.request.search(sentence.text) or _MAY_I.search(sentence.text))


def _clear(sentence: Clause) -> str:
    """The sentence so that a clock at its end is read as one: 七点 alone may be seven points."""
    if sentence.is_chinese:
        return _ENDING.sub(_spaces, sentence.text) + "提醒"
    return _BARE.sub("at", sentence.text)


def _spaces(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _before(text: str, date: DateMention) -> str:
    """What leads to the date; "to" or "until" may be counted as its own first word."""
    lead = _LEAD.match(text, date.start)
    return text[: lead.end() if lead else date.start]


def _move(connection: apsw.Connection, turn: Resource, wish: _Wish) -> Move | None:
    item = _item(connection, turn, wish)
    source = _source(connection, item) if item else None
    if item is None or source is None:
        return None
    first, pledged = source
    timing = _timing(turn, wish, item, pledged)
    if timing is None:
        return None
    evidence = (*item.evidence, Evidence(turn.id, key=turn.turn.event_key))
    prediction = predicted(replace(pledged, timing=timing), first.turn, evidence)
    if prediction.due_at == item.due_at:
        return None
    why = quoted(prediction.why, wish.sentence.text, turn.turn)
    return Move(item, replace(prediction, why=why, session_id=turn.turn.scope.session_id), wish.sentence.text)


def _item(connection: apsw.Connection, turn: Resource, wish: _Wish) -> ProactiveItem | None:
    items, text = open_items(connection, turn), wish.sentence.text
    cut = wish.after[0].start
    told = mention(text[:cut] + " " * (len(text) - cut) + _rest(wish), wish.before, turn.turn.tz)
    told = replace(told, words=_VERB.sub(" ", told.words))
    if told.terms:
        return best(items, told)
    if _NAMED.search(text):
        return latest(connection, items, turn)
    return just_made(connection, items, turn)


def _rest(wish: _Wish) -> str:
    """What follows the new date."""
    return wish.sentence.text[wish.after[-1].end :]


def _source(connection: apsw.Connection, item: ProactiveItem) -> tuple[Resource, Pledged] | None:
    """The turn that made the item, and what it pledged, read anew: forgotten words move nothing."""
    for evidence in item.evidence:
        turn = resources.by_id(connection, item.user_id, evidence.resource_id)
        if turn is None:
            continue
        said = turn.turn
        is_assistant = said.role.value == "assistant"
        for pledged in pledges(said.text, is_assistant=is_assistant, at=said.timestamp, tz=said.tz):
            if terms_of(pledged.action) == topic_terms(item.topic) and pledged.repeat is None:
                return turn, pledged
    return None


def _timing(turn: Resource, wish: _Wish, item: ProactiveItem, pledged: Pledged) -> Timing | None:
    said = turn.turn
    lead_s = pledged.timing.date.at - pledged.due_at if _is_exact(pledged.timing.date) else 0
    old = datetime.fromtimestamp((item.due_at or 0) + lead_s, zone_of(said.tz))
    if len(wish.after) == 1 and is_clock(wish.after[0]):
        new = _at(wish.after[0], _with_clock(old, wish.after[0]))
        return Timing(new, ()) if new.at > said.timestamp else None
    found = next(iter(timings(wish.after, said.timestamp, said.tz)), None)
    if found is None:
        return None
    first = datetime.fromtimestamp(pledged.due_at + lead_s, zone_of(said.tz))
    has_clock = _is_exact(pledged.timing.date) or old.time() != first.time()
    return _keeping(old, found) if has_clock else found


def _is_exact(date: DateMention) -> bool:
    return date.until - date.at <= _LONG_S


def _keeping(old: datetime, found: Timing) -> Timing:
    """A new day, or part of one, at the old clock if that lies in it."""
    date = found.date
    if _is_exact(date):
        return found
    day = datetime.fromtimestamp(date.at, old.tzinfo).date()
    new = _at(date, datetime.combine(day, old.time(), old.tzinfo))
    return replace(found, date=new) if date.at <= new.at < date.until and new.at > date.said_at else found


def _with_clock(old: datetime, clock: DateMention) -> datetime:
    """The old day at the clock; one that is neither am nor pm is the one nearer to the old time."""
    named = datetime.fromtimestamp(clock.at, old.tzinfo)
    new = old.replace(hour=named.hour, minute=named.minute)
    if _HALF.search(clock.text):
        return new
    morning = new.replace(hour=new.hour % 12)
    return min((morning, morning + timedelta(hours=12)), key=lambda one: abs(one - old))


def _at(date: DateMention, moment: datetime) -> DateMention:
    at = int(moment.timestamp())
    return replace(date, at=at, until=at + 60, precision="minute", is_limit=False)
