"""Asks a model, now and then, about pairs of facts that rules only doubt."""

import asyncio

import structlog

from memory.database import Database
from memory.errors import AnswerError, TemporaryError
from memory.knowledge.judging import UNSURE, apply_verdicts, judging_prompt, open_pairs, read_verdicts
from memory.ports import Clock, LanguageModel

log = structlog.get_logger()

MAX_PAIRS = 8


class Judge:
    """One small call a tick, about the pairs of one user; none where nothing is doubted."""

    def __init__(self, database: Database, model: LanguageModel, clock: Clock) -> None:
        self._database = database
        self._model = model
        self._clock = clock

    async def run(self, user_id: str | None = None) -> int:
        """The number of facts that a verdict ended. What is asked for in vain is not asked again.

        A provider's outage or a spent budget leaves the pairs for a later tick.
        """
        pairs = await self._database.read(lambda c: open_pairs(c, user_id, MAX_PAIRS))
        if not pairs:
            return 0
        try:
            answer = await self._model.answer(judging_prompt(pairs))
            verdicts = await asyncio.to_thread(read_verdicts, answer.raw, len(pairs))
        except TemporaryError as error:
            log.info("judging_postponed", pairs=len(pairs), reason=error.reason)
            return 0
        except AnswerError as error:
            log.warning("judging_failed", pairs=len(pairs), reason=error.reason)
            verdicts = [UNSURE] * len(pairs)
        name, now = self._model.name, self._clock.now()
        return await self._database.write(lambda c: apply_verdicts(c, pairs, verdicts, name, now))
