"""Repeated intent: the same thing asked a third time within a week, in whatever words."""

from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from memory.database import Database
from memory.embed.anchors import Anchors, Seen, joined
from memory.model import DAY_S, Evidence, Prediction, Resource
from memory.ports import Clock, Embedder
from memory.proactive import ledger
from memory.proactive.asking import asked
from memory.proactive.asking.asked import APART_S, Asked
from memory.proactive.asking.frame import holds_a_frame
from memory.proactive.asking.heard import Heard
from memory.proactive.asking.label import label
from memory.proactive.asking.lens import Lens
from memory.proactive.asking.stating import is_statement
from memory.proactive.asking.telling import is_telling
from memory.proactive.asking.triangle import SAME_INTENT, Triangle, is_near, nearest_first, triangles
from memory.proactive.asking.wording import local, month_and_day, quote, weekday
from memory.terms import language

WINDOW_S = 7 * DAY_S
_CANDIDATES = 8
_READ = 40  # of the nearest, so many are read for candidates; the others of a burst are passed over
_TOPIC_MEMBERS = 12


@dataclass(frozen=True, slots=True)
class _Said:
    """A turn with its words."""

    turn: Asked
    text: str
    seen: Seen


class RepeatedIntentDetector:
    """Three turns, any two half an hour and at most a week apart, each similar enough to the others.

    Greetings and the like never count, nor what the user only tells of themselves, nor one sentence with
    another name in it each time. A turn about a topic that was predicted already is more evidence for it. In
    order of arrival, at the turns' own times, so that a replay predicts what was predicted live.
    """

    name = "repeated_intent"

    def __init__(
        self,
        embedder: Embedder,
        database: Database,
        clock: Clock,
        horizon_s: int,
        heard: Heard | None = None,
    ) -> None:
        self._horizon_s = horizon_s
        self._lens = Lens(embedder, database, clock)
        self._heard = heard or Heard(embedder.name)

    async def prepare(self) -> None:
        """Have the anchors in the embedder's vectors. Raises TemporaryError like it."""
        self._heard.refresh()
        await self._lens.prepare()

    def detect(self, connection: apsw.Connection, turn: Resource) -> list[Prediction]:
        """One prediction for a third asking; none before `prepare` was awaited."""
        anchors = self._lens.anchors
        if anchors is None or not asked.is_asking(turn):
            return []
        seen = self._heard.turn(connection, anchors, turn.id)
        if seen is None:
            return []
        others = self._candidates(connection, anchors, turn, seen)
        found = _best(turn, seen, others)
        if found is None:
            return []
        members = [others[place] for place in found.places]
        known = self._known(connection, anchors, turn, seen, members)
        return [known or self._new(turn, members, found.strength)]

    def _candidates(
        self, connection: apsw.Connection, anchors: Anchors, turn: Resource, seen: Seen
    ) -> list[_Said]:
        """The nearest turns, each half an hour from this one and from each other."""
        around = self._heard.around(connection, anchors, turn, WINDOW_S)
        near = around.nearest(seen, around.other_askings(turn))
        others = around.rows.seen(near)
        chosen: list[_Said] = []
        for place in nearest_first(seen, others)[:_READ]:
            one = around.rows.asked(int(near[place]))
            if any(abs(one.at - other.turn.at) < APART_S for other in chosen):
                continue
            text = asked.words(connection, one.key)
            if is_telling(text):
                chosen.append(_Said(one, text, others.at([place])))
            if len(chosen) == _CANDIDATES:
                break
        return chosen

    def _known(
        self,
        connection: apsw.Connection,
        anchors: Anchors,
        turn: Resource,
        seen: Seen,
        members: Sequence[_Said],
    ) -> Prediction | None:
        """The topic that a member belongs to, or the turn by its meaning; with the turn as evidence."""
        user_id, at = turn.turn.scope.user_id, turn.turn.timestamp
        ids = {member.turn.id for member in members}
        for item in ledger.near(connection, user_id, self.name, at, WINDOW_S):
            evidence = [one.resource_id for one in item.evidence]
            if ids & set(evidence) or self._is_near(connection, anchors, seen, evidence):
                return ledger.restated(item, Evidence(turn.id, key=turn.turn.event_key))
        return None

    def _is_near(
        self, connection: apsw.Connection, anchors: Anchors, seen: Seen, evidence: Sequence[str]
    ) -> bool:
        return is_near(seen, self._heard.turns(connection, anchors, evidence[:_TOPIC_MEMBERS]))

    def _new(self, turn: Resource, members: Sequence[_Said], strength: float) -> Prediction:
        said = turn.turn
        told = [(one.turn.at, one.turn.id, one.turn.event_key, one.text) for one in members]
        told = sorted([*told, (said.timestamp, turn.id, said.event_key, said.text)])
        moments, texts = [one[0] for one in told], [one[3] for one in told]
        topic = label(texts) or quote(texts[-1])
        return Prediction(
            detector=self.name,
            topic=topic,
            text=_text(topic, moments[0], texts[-1], said.tz),
            why=_why(moments, texts[-1], said.tz),
            probability=round(min(0.9, 0.6 + 0.7 * (strength - min(SAME_INTENT.values()))), 2),
            evidence=tuple(Evidence(turn_id, key=key) for _, turn_id, key, _ in told),
            due_at=None,
            expires_at=moments[-1] + self._horizon_s,
            session_id=said.scope.session_id,
        )


def _best(turn: Resource, seen: Seen, others: Sequence[_Said]) -> Triangle | None:
    """The strongest triangle of askings within the window, and no frame with another slot each time."""
    if len(others) < 2:
        return None
    said = turn.turn
    least = SAME_INTENT[language(said.text)]
    for triangle in triangles(seen, joined([one.seen for one in others]), least):
        members = [others[place] for place in triangle.places]
        moments = [said.timestamp, *(member.turn.at for member in members)]
        if max(moments) - min(moments) > WINDOW_S or any(map(_is_statement, members)):
            continue
        if holds_a_frame([said.text, *(member.text for member in members)]):
            continue
        return None if is_statement(said.text, said.timestamp, said.tz) else triangle
    return None


def _is_statement(one: _Said) -> bool:
    return is_statement(one.text, one.turn.at, one.turn.tz)


def _text(topic: str, first: int, newest: str, tz: str) -> str:
    day, words = local(first, tz), language(newest)
    if words == "zh":
        return f"从{weekday(day, words)}（{month_and_day(day)}）到现在，你三次问到“{topic}”，要不要先准备好？"
    return f"You have asked about “{topic}” three times since {day:%A} ({day:%Y-%m-%d}): prepare it?"


def _why(moments: Sequence[int], newest: str, tz: str) -> str:
    days = ", ".join(f"{local(moment, tz):%Y-%m-%d %H:%M}" for moment in moments)
    if language(newest) == "zh":
        return f"问过三次：{days.replace(', ', '、')}；最近一次：“{quote(newest)}”"
    return f"asked on {days}; the last time: “{quote(newest)}”"
