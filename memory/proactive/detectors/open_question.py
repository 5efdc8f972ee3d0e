"""Open questions: what the user left undecided, or asked and got no answer to."""

from collections.abc import Iterator, Set
from typing import Final

import apsw

from memory.dates import find_dates
from memory.dates.moment import is_in_calendar
from memory.extract.own import is_hostile, is_own
from memory.model import DAY_S, Evidence, Modality, Prediction, ProactiveItem, Resource, Role
from memory.proactive import ledger
from memory.proactive.asking.wording import day_of, quote
from memory.proactive.commitments.pledges import pledges
from memory.proactive.mornings import morning_after
from memory.proactive.sharing import share
from memory.proactive.undecided.matter import Matter, matters, telling
from memory.proactive.undecided.reply import leaves_open, question_of
from memory.store import resources, retold
from memory.terms import Language, language

_KEPT_S: Final = 5 * DAY_S  # from its morning on
_PROBABILITY: Final = {"undecided": 0.6, "unanswered": 0.55}  # nobody has asked to hear of it
_TEXTS: Final[dict[Language, dict[str, str]]] = {
    "en": {"undecided": "Still undecided? “{words}”", "unanswered": "Not answered yet: “{words}”"},
    "zh": {"undecided": "这件事定下来了吗？“{words}”", "unanswered": "这个问题还没有答复：“{words}”"},
}
_WHY: Final[dict[Language, dict[str, str]]] = {
    "en": {
        "undecided": "left open on {day}: “{sentence}”",
        "unanswered": "asked on {day}, and the reply did not know: “{sentence}”",
    },
    "zh": {
        "undecided": "{day} 说还没定：“{sentence}”",
        "unanswered": "{day} 问过，当时没有答案：“{sentence}”",
    },
}
_SAME = 0.6  # share of the shorter one's words
_QUOTED_CHARS = 120


class OpenQuestionDetector:
    """What is left open in so many words, and the question that a reply says it can't answer yet.

    An ordinary question is none: the next turn answers it. It comes up the morning after; what is over
    by then, or bound to a date already, does not.
    """

    name = "open_question"

    async def prepare(self) -> None:
        """Nothing to load."""

    def detect(self, connection: apsw.Connection, turn: Resource) -> list[Prediction]:
        """What the turn leaves open."""
        said = turn.turn
        if said.modality is not Modality.CHAT or not is_in_calendar(said.timestamp):
            return []
        if said.role is Role.ASSISTANT:
            return list(self._unanswered(connection, turn))
        if not is_own(said):
            return []
        return [self._undecided(connection, turn, matter) for matter in _lasting(turn)]

    def _undecided(self, connection: apsw.Connection, turn: Resource, matter: Matter) -> Prediction:
        evidence = Evidence(turn.id, key=turn.turn.event_key)
        known = _known(connection, turn, matter.terms)
        if known is not None:
            return ledger.restated(known, evidence)
        return _prediction("undecided", turn, matter.about, matter.sentence, (evidence,))

    def _unanswered(self, connection: apsw.Connection, reply: Resource) -> Iterator[Prediction]:
        said = reply.turn
        if not leaves_open(said.text):
            return
        if next(pledges(said.text, is_assistant=True, at=said.timestamp, tz=said.tz), None):
            return
        asked = _before(connection, reply)
        question = question_of(asked.turn.text) if asked and not is_hostile(asked.turn.text) else None
        if asked is None or question is None or _is_over(asked, question.text):
            return
        if _known(connection, asked, telling(question.text)) is None:
            evidence = tuple(Evidence(turn.id, key=turn.turn.event_key) for turn in (asked, reply))
            yield _prediction("unanswered", asked, question.text, question.text, evidence)


def _lasting(turn: Resource) -> list[Matter]:
    """What is open beyond the next morning, and no commitment with a date of its own."""
    said = turn.turn
    found = [matter for matter in matters(said.text) if not _is_over(turn, matter.sentence)]
    if not found or is_hostile(said.text):
        return []
    bound = {one.sentence for one in pledges(said.text, is_assistant=False, at=said.timestamp, tz=said.tz)}
    return [matter for matter in found if matter.sentence not in bound]


def _before(connection: apsw.Connection, reply: Resource) -> Resource | None:
    """The user's turn that the reply follows at once."""
    said = reply.turn
    around = resources.recent(connection, said.scope, 6, said.timestamp)
    earlier = [turn for turn in around if turn.key < reply.key]
    before = retold.own(connection, earlier[-1]) if earlier else None
    return before if before and is_own(before.turn) else None


def _is_over(turn: Resource, sentence: str) -> bool:
    """Whether the day it is about will have passed by the next morning."""
    said = turn.turn
    due = morning_after(said.timestamp, said.tz)
    return any(date.until <= due for date in find_dates(sentence, said.timestamp, said.tz))


def _known(connection: apsw.Connection, turn: Resource, terms: Set[str]) -> ProactiveItem | None:
    said = turn.turn
    near = ledger.near(connection, said.scope.user_id, OpenQuestionDetector.name, said.timestamp, 0)
    return next((item for item in near if share(terms, set(item.topic.split())) >= _SAME), None)


def _prediction(
    sort: str, turn: Resource, about: str, sentence: str, evidence: tuple[Evidence, ...]
) -> Prediction:
    said = turn.turn
    words: Language = language(sentence)
    due = morning_after(said.timestamp, said.tz)
    return Prediction(
        detector=OpenQuestionDetector.name,
        topic=" ".join(sorted(telling(about))),
        text=_TEXTS[words][sort].format(words=quote(about, _QUOTED_CHARS)),
        why=_WHY[words][sort].format(
            day=day_of(said.timestamp, said.tz), sentence=quote(sentence, _QUOTED_CHARS)
        ),
        probability=_PROBABILITY[sort],
        evidence=evidence,
        due_at=due,
        expires_at=due + _KEPT_S,
        session_id=said.scope.session_id,
    )
