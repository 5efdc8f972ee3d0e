"""Which open reminder or commitment of the user a later sentence speaks of."""

import re
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

import apsw

from memory.dates import DateMention, find_dates
from memory.model import ProactiveItem, Resource, Role
from memory.proactive import ledger
from memory.proactive.about import DATED
from memory.proactive.asking.wording import day_of
from memory.proactive.commitments.chinese_cues import PERSON
from memory.proactive.detectors.commitment import CommitmentDetector, terms_of
from memory.proactive.sharing import share
from memory.store import resources
from memory.terms import content_terms

_FRAME = re.compile(r"^[^：:]{1,40}(?:：|: )|(?:（[^（）]*）| \([^()]*\))$")
_SAYS_NOTHING = re.compile(
    r"\b(?:remind\w*|alarms?|please|already|actually|so|instead|one|today|now|about|appointments?|it|me|again)\b"
    r"|'s\b|提醒|闹[钟铃]|打(?:个|一个)?电话|电话|已经|那个|这个|那件事|这件事|时间|一下|[给打去把将请吧了啦的再都也就我]",
    re.IGNORECASE,
)
_MEETING = re.compile(r"会议(?![纪室记])")
# To call and to buy is what many reminders are about; whom and what tells them apart.
EVERYDAY = frozenset(
    content_terms(
        "call phone ring go send buy get pay write email mail take bring post pick tell ask day week"
        " 打电话给 回电话 发给 寄给 每天 每周"
    )
)
MAX_SENTENCE_CHARS = 400  # a longer "sentence" is a paste without full stops
_OWNER = re.compile(rf"\s*[把将]?\s*我?(?!我)({PERSON})们?的")
_ENOUGH = 0.6  # share of the words that are said


@dataclass(frozen=True, slots=True)
class Mention:
    """The words and the days by which a sentence may mean an item."""

    words: str
    days: frozenset[str]
    tz: str

    @property
    def terms(self) -> set[str]:
        """The words that tell one item from another."""
        return _telling(self.words)


def open_items(connection: apsw.Connection, turn: Resource, *detectors: str) -> list[ProactiveItem]:
    """What these detectors (else commitments) may still bring up when the turn is said.

    What comes again is not among it.
    """
    said = turn.turn
    return [
        item
        for name in detectors or (CommitmentDetector.name,)
        for item in ledger.near(connection, said.scope.user_id, name, said.timestamp, 0)
        if item.state.is_live and item.due_at is not None and ledger.RECURRING not in item.topic
    ]


def mention(text: str, dates: Sequence[DateMention], tz: str) -> Mention:
    """The text without its dates, and their days."""
    for date in reversed(dates):
        text = text[: date.start] + " " + text[date.end :]
    return Mention(text, frozenset(day_of(_ahead(date), tz) for date in dates), tz)


def best(items: Iterable[ProactiveItem], told: Mention) -> ProactiveItem | None:
    """The one that most of the words are about, on the day if one is named; None where two fit alike."""
    on_day = [item for item in items if not told.days or _days(item, told.tz) & told.days]
    telling = told.terms - EVERYDAY or told.terms
    shares = [((_share(telling, item), _share(told.terms, item)), item) for item in on_day]
    top = max((share for share, _ in shares), default=(0.0, 0.0))
    fits = [item for share, item in shares if share == top and top[0] >= _ENOUGH]
    return fits[0] if len(fits) == 1 and not _is_of_others(told, fits[0]) else None


def latest(
    connection: apsw.Connection, items: Sequence[ProactiveItem], turn: Resource
) -> ProactiveItem | None:
    """The only one, or the last that was made in the turn's session."""
    if len(items) == 1:
        return items[0]
    here = [item for item in items if item.session_id and item.session_id == turn.turn.scope.session_id]
    newest = max((item.created_at for item in here), default=0)
    made = [item for item in here if item.created_at == newest]
    return made[0] if len(made) == 1 else just_made(connection, made, turn)


def just_made(
    connection: apsw.Connection, items: Sequence[ProactiveItem], turn: Resource
) -> ProactiveItem | None:
    """The one that the user's turn right before this one made."""
    said = turn.turn
    before = [
        other.id
        for other in resources.recent(connection, said.scope, 6, said.timestamp)
        if other.turn.role is Role.USER and other.key < turn.key
    ]
    made = [item for item in items if before and item.evidence[-1].resource_id == before[-1]]
    return made[0] if len(made) == 1 else None


def telling_share(said: Set[str], topic: Set[str]) -> float:
    """How much they share; everyday verbs count where there is nothing else."""
    return share(said - EVERYDAY or said, topic - EVERYDAY or topic)


def action_of(item: ProactiveItem) -> str:
    """What is to be done, as the item's text has it."""
    return _FRAME.sub("", item.text)


def _ahead(date: DateMention) -> int:
    """A day that a past tense turned back ("Friday's lunch was cancelled") is the next one of its name."""
    found = find_dates(date.text, date.said_at, date.tz)
    return found[0].at if found else date.at


def _days(item: ProactiveItem, tz: str) -> set[str]:
    """The days by which one may speak of it: on which it comes up, and on which it is."""
    up = {day_of(item.due_at, tz)} if item.due_at is not None else set[str]()
    return up | {item.topic.rpartition(DATED)[2]}


def _is_of_others(told: Mention, item: ProactiveItem) -> bool:
    """Whether it belongs to somebody of whom the item knows nothing (我爸的复查)."""
    owner = _OWNER.match(told.words)
    return owner is not None and owner[1] not in action_of(item)


def _telling(words: str) -> set[str]:
    return terms_of(_SAYS_NOTHING.sub(" ", _MEETING.sub("会", words)))


def _share(said: set[str], item: ProactiveItem) -> float:
    action = action_of(item)
    topic = _telling(action)
    met = [term for term in said if term in topic or (_is_one_character(term) and term in action)]
    return len(met) / len(said) if said else 0.0


def _is_one_character(term: str) -> bool:
    return len(term) == 1 and "㐀" <= term <= "鿿"
