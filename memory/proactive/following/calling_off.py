"""Which reminders a turn calls off: "cancel the reminder to call Ana", 不用提醒我买牛奶了."""

import re
from collections.abc import Iterator

import apsw

from memory.dates import find_dates
from memory.extract.clauses import Clause, sentences
from memory.extract.own import is_own
from memory.model import ProactiveItem, Resource
from memory.proactive import ledger
from memory.proactive.asking.wording import day_of
from memory.proactive.commitments.chinese_cues import CHINESE
from memory.proactive.commitments.english_cues import ENGLISH
from memory.proactive.detectors.commitment import CommitmentDetector, terms_of, topic_terms
from memory.proactive.following.meant import telling_share

_SHARE = 0.5  # of the fewer words
_DROP = r"(?:cancel|delete|remove|drop|stop|forget|clear|scrap|undo|turn\s+off|get\s+rid\s+of)"
_ENGLISH = re.compile(
    rf"\b{_DROP}\b(?:\s+[\w'’-]+){{0,6}}?\s+(?:reminders?|alarms?)\b"
    r"|\b(?:no\s+(?:need|longer\s+need)\s+to|(?:don't|do\s+not|needn't)(?:\s+(?:need|have)\s+to)?(?:\s+ever)?|never|stop|quit)"
    r"\s+remind(?:ing)?\s+me\b|\bno\s+(?:need\s+for\s+(?:a|the|that)\s+|more\s+)reminders?\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?:取消|删掉|删除|删了|去掉|撤销|撤掉|关掉|停掉|不要)[^，。]{0,30}(?:提醒|闹钟|闹铃)(?!我)"
    r"|(?:提醒|闹钟|闹铃)(?:请|就|都|给我|帮我|可以|先)*(?:取消|删|撤|关|停|去掉|不要了|不用了)"
    r"|(?:不用|不必|别|不需要|不要|甭)(?:再|总|老)*提醒"
)
_SAYS_NOTHING = re.compile(
    rf"\b(?:{_DROP[3:-1]}|remind\w*|alarms?|need|more|longer|please|already|so)\b"
    r"|取消|删[掉除了]?|去掉|撤[销掉]?|关掉|停掉|提醒|闹[钟铃]|不[用必需要]+|别再?|以后|已经|那个|这个|[我把请吧了的再]",
    re.IGNORECASE,
)


def called_off(connection: apsw.Connection, turn: Resource) -> list[ProactiveItem]:
    """The user's open reminders that the turn calls off, told by their words and by the day it names.

    Of several that fit the best one goes, or all that fit as well. A question calls off nothing. "Cancel the
    reminder", without more, means the only one there is.
    """
    said = turn.turn
    if not is_own(turn.turn):
        return []
    return [
        item
        for sentence in sentences(said.text.replace("’", "'"))
        if _calls_off(sentence)
        for item in _meant(sentence, connection, turn)
    ]


def _calls_off(sentence: Clause) -> bool:
    cues, pattern = (CHINESE, _CHINESE) if sentence.is_chinese else (ENGLISH, _ENGLISH)
    match = pattern.search(sentence.text)
    if match is None or cues.task.search(sentence.text):
        return False
    is_question = sentence.is_question or cues.question.search(sentence.text)
    return not is_question or bool(cues.request.search(sentence.text))


def _meant(sentence: Clause, connection: apsw.Connection, turn: Resource) -> Iterator[ProactiveItem]:
    said = turn.turn
    reminders = [
        item
        for item in ledger.near(connection, said.scope.user_id, CommitmentDetector.name, said.timestamp, 0)
        if item.due_at is not None
    ]
    dates = find_dates(sentence.text, said.timestamp, said.tz)
    days = {day_of(date.at, said.tz) for date in dates}
    on_day = [item for item in reminders if item.due_at and day_of(item.due_at, said.tz) in days]
    words = sentence.text
    for date in reversed(dates):
        words = words[: date.start] + " " + words[date.end :]
    terms = terms_of(_SAYS_NOTHING.sub(" ", words))
    if not terms:
        yield from on_day if days else reminders[:1] if len(reminders) == 1 else []
        return
    shares = [(telling_share(terms, topic_terms(item.topic)), item) for item in on_day or reminders]
    best = max((share for share, _ in shares), default=0.0)
    yield from (item for share, item in shares if share == best >= _SHARE)
