"""Which open items what happened has settled: "I already bought the ink", 周四的会取消了, "never mind"."""

import re
from collections.abc import Iterator

import apsw

from memory.dates import find_dates
from memory.extract.clauses import Clause, parts, sentences
from memory.extract.own import is_own
from memory.model import ProactiveItem, Resource
from memory.proactive.asking.wording import day_of
from memory.proactive.commitments.chinese_cues import CHINESE, PERSON
from memory.proactive.commitments.english_cues import ENGLISH
from memory.proactive.detectors.commitment import CommitmentDetector
from memory.proactive.detectors.upcoming import UpcomingDetector
from memory.proactive.following.deeds import is_same_deed
from memory.proactive.following.meant import (
    MAX_SENTENCE_CHARS,
    action_of,
    best,
    just_made,
    mention,
    open_items,
)

_PAST = (
    r"(?P<verb>(?!need|want|plann|decid|tri|forg|ask|agre|promis|start)\w+ed|bought|paid|got|sent|did|done|made|took|taken|gave"
    r"|given|went|gone|met|saw|seen|wrote|written|brought|spoke|spoken|rang|told|read|sold|fed|ate|had|cut|put|left|found)\b"
)
_DONE_ENGLISH = re.compile(
    rf"\b(?:i|we)(?:'ve|\s+have)?\s+(?:already|just)\s+{_PAST}"
    rf"|\b(?:i|we)(?:'ve|\s+have)\s+{_PAST.replace('verb', 'verb2')}"
    rf"|\b(?:i|we)\s+{_PAST.replace('verb', 'verb3')}(?=.*\balready$)"
    r"|(?:\b(?:is|are|was|were|been)|'s)\s+(?:already\s+|all\s+)*(?P<verb4>sorted|handled|settled|bought|paid|sent|booked"
    r"|ordered|posted|submitted)(?:\s+already)?$",
    re.IGNORECASE,
)
_DEED = "买订购交缴付还寄发送打办做弄搞写取拿领看吃喝修洗约充续填报退换喂浇倒带借开去聊谈签印查"
_DONE_CHINESE = re.compile(
    rf"(?P<verb>[{_DEED}])(?:好|完|过|掉|到|妥|定)[^，。]{{0,4}}?[了啦]$|已经[^，。]{{0,6}}?(?P<verb2>[{_DEED}])[^，。]{{0,8}}?[了啦]"
    r"|(?P<verb3>[交付还寄发买订取])[了啦]$"
)
_BY_OTHERS = re.compile(
    rf"(?<![给跟和对向帮替为])(?:{PERSON}|[一-鿿][姐哥总叔姨])(?:们)?(?:已经|刚刚?|也|都|就|自己|早就|[今昨]天|[早晚]上|[上下]午)*(?:已经|[{_DEED}])"
)
_CANCELLED = re.compile(
    r"(?:\b(?:is|are|was|were|got|been)|'s)\s+(?:just\s+|been\s+)*(?:cancel+ed|called\s+off|scrapped)\b|(?:被|临时|已经)*(?:取消|不[开办])[了啦]$",
    re.IGNORECASE,
)
_NEVER_MIND = re.compile(
    r"^(?:oh\s+|ok\s+|actually,?\s+)?(?:never\s*mind|nvm)\b(?:\s+about\b)?|^(?:那|还是)?算了(?:吧)?",
    re.IGNORECASE,
)
_MAX_NEVER_MIND_CHARS = 20
_NO_MORE = re.compile(
    r"^\s+(?:the|that|my|about)\b|\b(?:don't|do\s+not|no|won't)\s+(?:longer\s+)?(?:need|have\s+to|buy|go|bother)\b"
    r"|不(?:用|必|需要|想)?[一-鿿]{0,6}了|没必要",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:if|unless|when|once|after|before|until|as\s+soon\s+as|almost|nearly|wish\w*|hop\w+|will|would|should|could"
    r"|might|may|maybe|perhaps|probably|think|thought|says?|said|told|heard|sure|suppose|imagine|still|again|another|more)\b"
    r"|'ll\b|如果|要是|假如|万一|的话|等|之后|以后|以为|差点|希望|可能|也许|大概|应该|说|打算|准备|还要|再|快要|一半",
    re.IGNORECASE,
)
_NOT = re.compile(r"\b(?:not|never|no|nobody|hardly)\b|n't\b|没|[^，]不(?![开办][了啦])|未|别", re.IGNORECASE)
_GONE = re.compile(
    r"\b(?:done|sorted|handled|settled|already|just|need|bother|longer|anymore|don't|no|won't|have)\b"
    r"|不(?:用|必|需要|想)?|没必要|[买去打]|管",
    re.IGNORECASE,
)


def happened(connection: apsw.Connection, turn: Resource) -> list[ProactiveItem]:
    """The user's open items that are done, cancelled or dropped by what the turn says for certain.

    Never by a question, a hypothetical, a denial or what others did; most of the words said must be the
    item's, and of two that fit alike none goes. What comes again goes on.
    """
    if not is_own(turn.turn):
        return []
    spoken = sentences(turn.turn.text.replace("’", "'"))
    told = [sentence for sentence in spoken if _is_told(sentence) and _may_settle(sentence)]
    if not told:  # most turns: no item is read for them
        return []
    items = open_items(connection, turn, CommitmentDetector.name, UpcomingDetector.name)
    found = [item for sentence in told if items for item in _settled(connection, turn, items, sentence)]
    return list({item.id: item for item in found}.values())


def _is_told(sentence: Clause) -> bool:
    cues = CHINESE if sentence.is_chinese else ENGLISH
    return not (
        len(sentence.text) > MAX_SENTENCE_CHARS
        or sentence.is_question
        or cues.task.search(sentence.text)
        or cues.question.search(sentence.text)
        or _UNSURE.search(sentence.text)
        or cues.of_user[0].pattern.search(sentence.text)
    )


def _may_settle(sentence: Clause) -> bool:
    """Whether any of its words end something, whatever that is."""
    return bool(_NEVER_MIND.match(sentence.text)) or any(
        _CANCELLED.search(part.text) or _done_pattern(part).search(part.text) for part in parts(sentence)
    )


def _done_pattern(part: Clause) -> re.Pattern[str]:
    return _DONE_CHINESE if part.is_chinese else _DONE_ENGLISH


def _settled(
    connection: apsw.Connection, turn: Resource, items: list[ProactiveItem], sentence: Clause
) -> Iterator[ProactiveItem]:
    dropped = _NEVER_MIND.match(sentence.text)
    if dropped:
        item = _dropped(connection, turn, items, sentence.text[dropped.end() :])
        if item:
            yield item
            return
    elif _is_denied(sentence):
        return
    for part in parts(sentence):
        item = None if _NOT.search(_NEVER_MIND.sub("", part.text)) else _over(turn, items, part)
        if item:
            yield item


def _is_denied(sentence: Clause) -> bool:
    """Whether something is denied; that there is no need to bother (不用管了) denies nothing."""
    return bool(_NOT.search(re.sub(r"不用[^，]{0,4}了", "", sentence.text)))


def _dropped(
    connection: apsw.Connection, turn: Resource, items: list[ProactiveItem], rest: str
) -> ProactiveItem | None:
    """What "never mind" is about: the words after it, or, where the turn says no more, the request before."""
    if not rest.strip(" ,，.。"):
        is_all = len(turn.turn.text.strip()) <= _MAX_NEVER_MIND_CHARS
        return just_made(connection, items, turn) if is_all else None
    return best(items, mention(_GONE.sub(" ", rest), (), turn.turn.tz)) if _NO_MORE.search(rest) else None


def _over(turn: Resource, items: list[ProactiveItem], part: Clause) -> ProactiveItem | None:
    said = turn.turn
    cancelled = _CANCELLED.search(part.text)
    if cancelled:
        dates = find_dates(part.text, said.timestamp, said.tz)
        words = part.text[: cancelled.start()] + " " * len(cancelled[0]) + part.text[cancelled.end() :]
        return best(items, mention(words, dates, said.tz))
    return _done(turn, items, part)


def _done(turn: Resource, items: list[ProactiveItem], part: Clause) -> ProactiveItem | None:
    match = _done_pattern(part).search(part.text)
    if match is None or (part.is_chinese and _BY_OTHERS.search(part.text)):
        return None
    verb = next(word for word in match.groups() if word)
    item = best(items, mention(_without(part, match, verb, turn), (), turn.turn.tz))
    if item is None or _is_before(item, part, turn) or not is_same_deed(verb.lower(), action_of(item)):
        return None
    return item


def _is_before(item: ProactiveItem, part: Clause, turn: Resource) -> bool:
    """Whether it was done on a day before the item was made: last week's match is not Friday's."""
    said = turn.turn
    made_on = day_of(item.created_at, said.tz)
    dates = find_dates(part.text, said.timestamp, said.tz)
    return any(day_of(date.until - 1, said.tz) < made_on for date in dates)


def _without(part: Clause, match: re.Match[str], verb: str, turn: Resource) -> str:
    """What was done, without the verb and the day on which it was done."""
    place = match.start() + match[0].index(verb)
    words = part.text[:place] + " " * len(verb) + part.text[place + len(verb) :]
    words = mention(words, find_dates(words, turn.turn.timestamp, turn.turn.tz), turn.turn.tz).words
    return re.sub(r"(?<= )[好完过掉到妥定]|[了啦]|\b(?:already|just|up|off)\b", " ", words)
