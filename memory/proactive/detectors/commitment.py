"""Commitments with a date: the user's reminders, promises and deadlines, the assistant's promises."""

from datetime import datetime
from typing import Final

import apsw

from memory.dates.moment import zone_of
from memory.dates.repeats import Unit
from memory.extract.own import is_hostile, is_own
from memory.model import (
    DAY_S,
    Evidence,
    Modality,
    Origin,
    Prediction,
    ProactiveItem,
    ProactiveState,
    Resource,
    Role,
    Scope,
    Turn,
)
from memory.proactive import ledger
from memory.proactive.about import DATED
from memory.proactive.asking.wording import day_of, quote
from memory.proactive.commitments.cues import Pledge
from memory.proactive.commitments.grave import is_grave
from memory.proactive.commitments.pledges import Pledged, pledges
from memory.proactive.commitments.timing import written
from memory.proactive.occasions.told import told
from memory.proactive.sharing import share
from memory.store import resources, retold
from memory.terms import Language, content_terms, language

# A reminder that could not be delivered in its hour is better late than lost: a weekend may lie between.
_KEPT_S: Final = {
    Pledge.REMINDER: 3 * DAY_S,
    Pledge.PROMISE: DAY_S,
    Pledge.DEADLINE: DAY_S,
    Pledge.ASSISTANT: DAY_S,
}
_PROBABILITY: Final = {
    Pledge.REMINDER: 0.99,
    Pledge.PROMISE: 0.8,
    Pledge.DEADLINE: 0.75,
    Pledge.ASSISTANT: 0.7,
}
_TEXTS: Final[dict[Language, dict[Pledge, str]]] = {
    "en": {
        Pledge.REMINDER: "Reminder: {action} ({when})",
        Pledge.PROMISE: "To do: {action} ({when})",
        Pledge.DEADLINE: "Deadline: {action} ({when})",
        Pledge.ASSISTANT: "Promised by the assistant: {action} ({when})",
    },
    "zh": {
        Pledge.REMINDER: "提醒：{action}（{when}）",
        Pledge.PROMISE: "待办：{action}（{when}）",
        Pledge.DEADLINE: "截止：{action}（{when}）",
        Pledge.ASSISTANT: "助手答应过：{action}（{when}）",
    },
}
_WHY: Final[dict[Language, str]] = {"en": "said on {day}: “{words}”", "zh": "{day} 说过：“{words}”"}
_EVERY: Final[dict[Language, dict[Unit, str]]] = {
    "en": {"day": "daily", "workday": "every workday", "week": "weekly", "month": "monthly"},
    "zh": {"day": "每天", "workday": "每个工作日", "week": "每周", "month": "每月"},
}
_NEXT: Final[dict[Language, str]] = {"en": "{every}, next {when}", "zh": "{every}，下次 {when}"}
_AGAIN: Final[dict[Language, str]] = {"en": "{every}; {why}", "zh": "{every}；{why}"}
_SAME = 0.7  # share of the shorter one's words; two of three are "the water bill" and "the power bill"
_HEARD, _SPOKEN_OF = 40, 0.5  # turns before; the share of the words that make it the user's own matter
_ACTION_CHARS, _QUOTED_CHARS = 160, 120
_ECHO = frozenset({"remind", "提醒"})


class CommitmentDetector:
    """A cue and a date that lies ahead, in a person's own words or the assistant's; never in a question.

    What is said again about the same day is one commitment; an appointment that is foreseen as a fact is
    none. The assistant's "I will remind you" after the user's request adds nothing, nor does it make the user
    send money, or the like, that the user never spoke of.
    """

    name = "commitment"

    async def prepare(self) -> None:
        """Nothing to load."""

    def detect(self, connection: apsw.Connection, turn: Resource) -> list[Prediction]:
        """One prediction for each commitment of the turn."""
        said = turn.turn
        if said.modality is not Modality.CHAT or said.role not in (Role.USER, Role.ASSISTANT):
            return []
        if said.role is Role.USER and said.origin not in (Origin.USER, Origin.IMPORT):
            return []
        if is_hostile(said.text):
            return []
        found = pledges(said.text, is_assistant=said.role is Role.ASSISTANT, at=said.timestamp, tz=said.tz)
        predictions = (
            self._prediction(connection, turn, pledged)
            for pledged in found
            if not (pledged.is_told and _is_foreseen(connection, turn))
            and not _is_foisted(connection, turn, pledged)
        )
        return [prediction for prediction in predictions if prediction is not None]

    def _prediction(self, connection: apsw.Connection, turn: Resource, pledged: Pledged) -> Prediction | None:
        said = turn.turn
        due = pledged.due_at
        evidence = Evidence(turn.id, key=said.event_key)
        known = None if pledged.repeat else self._known(connection, turn, pledged, due)
        if known is not None:
            return None if pledged.pledge is Pledge.ASSISTANT else ledger.restated(known, evidence)
        return predicted(pledged, said, (evidence,))

    def _known(
        self, connection: apsw.Connection, turn: Resource, pledged: Pledged, due: int
    ) -> ProactiveItem | None:
        """The commitment that this one says again: much the same words, and the same time or day."""
        said = turn.turn
        is_exact = pledged.timing.date.precision in ("minute", "hour")
        terms = terms_of(pledged.action)
        for item in ledger.near(connection, said.scope.user_id, self.name, said.timestamp, 0):
            is_echo = pledged.pledge is Pledge.ASSISTANT and item.session_id == said.scope.session_id
            if item.due_at is None or day_of(item.due_at, said.tz) != day_of(due, said.tz):
                continue
            if pledged.pledge is Pledge.REMINDER and not _says_it(item, terms):
                continue
            if item.due_at != due and is_exact and not is_echo:
                continue
            if share(terms, topic_terms(item.topic)) >= _SAME or (is_echo and not terms):
                return item
        return None


def _says_it(item: ProactiveItem, terms: set[str]) -> bool:
    """Whether an item that is still to come says all that the user asks to be reminded of.

    One reminder too many is better than one that is lost: "milk and eggs" is more than "milk".
    """
    is_settled = item.state in (ProactiveState.USED, ProactiveState.DISMISSED)
    return not is_settled and terms <= topic_terms(item.topic)


def _is_foreseen(connection: apsw.Connection, turn: Resource) -> bool:
    """Whether a fact of the turn comes up by itself, as one of the upcoming days."""
    return any(ahead.due_at(turn.turn.timestamp) is not None for _, ahead in told(connection, turn))


def _is_foisted(connection: apsw.Connection, turn: Resource, pledged: Pledged) -> bool:
    """Whether the assistant comes with money, secrets or the like that the user did not speak of that day.

    An assistant may have read somewhere what it is to promise.
    """
    said = turn.turn
    if pledged.pledge is not Pledge.ASSISTANT or not is_grave(pledged.sentence):
        return False
    terms, user = terms_of(pledged.action), Scope(said.scope.user_id)
    heard = resources.recent(connection, user, _HEARD, said.timestamp)
    own = [one for one in heard if is_own(one.turn) and one.turn.timestamp > said.timestamp - DAY_S]
    return not any(share(terms, terms_of(retold.own_text(connection, one.key))) >= _SPOKEN_OF for one in own)


def predicted(pledged: Pledged, said: Turn, evidence: tuple[Evidence, ...]) -> Prediction:
    """The prediction of a commitment that was made in a turn."""
    words: Language = language(pledged.sentence)
    action, when = quote(pledged.action, _ACTION_CHARS), written(pledged.timing.date, words)
    why = _why(pledged.sentence, said, words)
    kept_s = _KEPT_S[pledged.pledge]
    if pledged.repeat:
        every = _EVERY[words][pledged.repeat.unit]
        when, why = _NEXT[words].format(every=every, when=when), _AGAIN[words].format(every=every, why=why)
        kept_s = min(kept_s, DAY_S // 2)
    return Prediction(
        detector=CommitmentDetector.name,
        topic=_topic(pledged, said.tz),
        text=_TEXTS[words][pledged.pledge].format(action=action, when=when),
        why=why,
        probability=_PROBABILITY[pledged.pledge],
        evidence=evidence,
        due_at=pledged.due_at,
        expires_at=max(pledged.due_at, pledged.timing.date.until) + kept_s,
        session_id=said.scope.session_id,
    )


def quoted(why: str, sentence: str, said: Turn) -> str:
    """The reason, and what was said about it later."""
    words: Language = language(sentence)
    return f"{why}{'；' if words == 'zh' else '; '}{_why(sentence, said, words)}"


def _why(sentence: str, said: Turn, words: Language) -> str:
    return _WHY[words].format(day=day_of(said.timestamp, said.tz), words=quote(sentence, _QUOTED_CHARS))


def _topic(pledged: Pledged, tz: str) -> str:
    """The words that count and the moment: the same for the same thing said again."""
    words = " ".join(sorted(terms_of(pledged.action))) or quote(pledged.action, 40)
    due = datetime.fromtimestamp(pledged.due_at, zone_of(tz))
    if pledged.repeat:
        on = ",".join(str(one) for one in sorted(pledged.repeat.on))
        return f"{words}{ledger.RECURRING}{pledged.repeat.unit}{f' {on}' if on else ''} {due:%H:%M}"
    return f"{words}{DATED}{due:%Y-%m-%d %H:%M}"


def topic_terms(topic: str) -> set[str]:
    """The words that count of a commitment's topic."""
    return set(topic.partition(DATED)[0].split())


def terms_of(action: str) -> set[str]:
    """The words that count of what is to be done."""
    return set(content_terms(action)[:24]) - _ECHO
