"""Asks a model, now and then, what a user who told something new is likely to want next."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import apsw
import structlog

from config.settings import ProactiveSettings
from memory import queue
from memory.database import Database
from memory.errors import AnswerError, TemporaryError
from memory.ids import NewId
from memory.model import Prediction
from memory.ports import Clock, LanguageModel
from memory.proactive import recording
from memory.proactive.detectors import llm_intent
from memory.proactive.detectors.llm_intent import Lately
from memory.store import cursors, resources

log = structlog.get_logger()

_NAME = llm_intent.NAME
_CALLS_A_TICK = 5
_LOOKS_BACK = 1_000  # turns, when it is asked for the first time


@dataclass(frozen=True, slots=True)
class _News:
    """A user who told something, and the last of it."""

    user_id: str
    until: int


class Forecaster:
    """At most one call a user and period, none where nothing new was told, a few users a tick.

    While the model is away the turns wait. An answer of no use is an answer: the same is not asked again.
    """

    def __init__(
        self,
        database: Database,
        model: LanguageModel,
        settings: ProactiveSettings,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self._database = database
        self._model = model
        self._period_s = settings.ask_period_s
        self._clock = clock
        self._new_id = new_id
        self._asked_at: dict[str, int] = {}

    async def run(self, user_id: str | None, now: int) -> int:
        """The number of predictions that are new, as of `now`, Unix seconds."""
        until = await self._database.read(_newest)
        found, left, calls = 0, 0, 0
        for news in await self._database.read(partial(_news, until=until, user_id=user_id)):
            if calls == _CALLS_A_TICK or not self._may_ask(news.user_id):
                left += 1
                continue
            lately = await self._database.read(partial(_lately, news=news, now=now))
            predictions: list[Prediction] | None = []
            if lately.turns:
                calls += 1
                predictions = await self._ask(news.user_id, lately)
            if predictions is None:
                return found
            found += await self._record(news, predictions)
        if user_id is None and not left:
            await self._advance(until)
        return found

    def _may_ask(self, user_id: str) -> bool:
        """Not within the period; a clock that was set back holds nobody up."""
        last = self._asked_at.get(user_id)
        return last is None or not 0 <= self._clock.now() - last < self._period_s

    async def _ask(self, user_id: str, lately: Lately) -> list[Prediction] | None:
        """None while the model is away."""
        self._asked_at[user_id] = self._clock.now()
        try:
            return await llm_intent.foresee(self._model, lately)
        except TemporaryError as error:
            log.info("forecast_postponed", reason=error.reason)
            return None
        except AnswerError as error:
            log.warning("forecast_failed", reason=error.reason)
            return []

    async def _record(self, news: _News, predictions: Sequence[Prediction]) -> int:
        def record(connection: apsw.Connection) -> int:
            now = self._clock.now()
            made = [
                recording.record(connection, news.user_id, one, self._new_id("p"), now) for one in predictions
            ]
            cursors.advance(connection, _own(news.user_id), news.until)
            return sum(one is not None for one in made)

        return await self._database.write(record)

    async def _advance(self, until: int) -> None:
        """Everybody was asked about up to here."""
        if await self._database.read(lambda c: cursors.position(c, _NAME)) < until:
            await self._database.write(lambda c: cursors.advance(c, _NAME, until))


def _own(user_id: str) -> str:
    return f"{_NAME}/{user_id}"


def _newest(connection: apsw.Connection) -> int:
    """The last turn that has its effects, like all before it."""
    bound = queue.first_underway(connection)
    newest = resources.newest_key(connection)
    return newest if bound is None else min(newest, bound - 1)


def _news(connection: apsw.Connection, until: int, user_id: str | None) -> list[_News]:
    after = cursors.position(connection, _NAME) or until - _LOOKS_BACK
    if after >= until:
        return []
    found = resources.speakers_between(connection, after, until)
    return [
        _News(owner, last)
        for owner, last in found
        if user_id in (None, owner) and cursors.position(connection, _own(owner)) < last
    ]


def _lately(connection: apsw.Connection, news: _News, now: int) -> Lately:
    after = cursors.position(connection, _own(news.user_id))
    return llm_intent.lately(connection, news.user_id, after, news.until, now)
