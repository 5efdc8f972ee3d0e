"""A language model within the day's budget: refused before the call, booked after it."""

import apsw
import msgspec

from memory.budget import Budget, Reservation
from memory.database import Database
from memory.errors import AnswerError
from memory.ports import Answer, Clock, LanguageModel, Prompt, Usage
from memory.reserving import reserved
from memory.tokens import estimate_tokens

_FRAME_TOKENS = 500  # what a provider adds of its own around a prompt with a schema


class MeteredModel:
    """The LanguageModel behind it. Every answer is booked as soon as it is there, whatever becomes of it.

    Raises BudgetError before a call that could lead past a limit, beside what the model raises. An answer
    that can't be used is booked as far as the provider told what it cost. What fails without one is not
    booked; a provider may bill a call that was hung up on all the same.
    """

    def __init__(self, model: LanguageModel, budget: Budget, database: Database, clock: Clock) -> None:
        self._model = model
        self._budget = budget
        self._database = database
        self._clock = clock

    @property
    def name(self) -> str:
        """The name of the model behind it."""
        return self._model.name

    async def answer(self, prompt: Prompt) -> Answer:
        """One call within the budget."""
        now = self._clock.now()
        held = await reserved(self._database, self._budget, lambda c: self.reserve(c, prompt, now))
        try:
            return await self.answer_from(held, prompt)
        except BaseException:
            await self._database.write(lambda c: self.release(c, held), frees_space=True)
            raise

    async def answer_from(self, held: Reservation, prompt: Prompt) -> Answer:
        """One call that was reserved before. Where nobody says what it took, `held` stays reserved."""
        try:
            answer = await self._model.answer(prompt)
        except AnswerError as error:
            if used := _told(error, self.name):
                await self._book(held, used)
            raise
        await self._book(held, answer.usage)
        return answer

    def reserve(self, connection: apsw.Connection, prompt: Prompt, now: int) -> Reservation:
        """Keep free what a prompt takes at most. Raises BudgetError."""
        return self._budget.reserve(connection, prompt.purpose, expected_usage(self.name, prompt), now)

    def release(self, connection: apsw.Connection, held: Reservation) -> None:
        """Give back what was kept free; nothing if it is booked."""
        self._budget.release(connection, held)

    async def _book(self, held: Reservation, used: Usage) -> None:
        await self._database.write(lambda c: self._budget.book(c, held, used), frees_space=True)


class PrepaidModel:
    """A metered model whose first call was reserved before; whoever reserved releases what is not booked."""

    def __init__(self, metered: MeteredModel, held: Reservation) -> None:
        self._metered = metered
        self._held: Reservation | None = held

    @property
    def name(self) -> str:
        """The name of the model behind it."""
        return self._metered.name

    async def answer(self, prompt: Prompt) -> Answer:
        """One call from what is held; any further one reserves its own."""
        held, self._held = self._held, None
        if held is None:
            return await self._metered.answer(prompt)
        return await self._metered.answer_from(held, prompt)


def _told(error: AnswerError, model: str) -> Usage | None:
    """What a call took that gave no usable answer; None where nobody said, as of one refused unread."""
    if error.input_tokens is None:
        return None
    return Usage(model, error.input_tokens, error.output_tokens)


def expected_usage(model: str, prompt: Prompt) -> Usage:
    """What a prompt takes at most, by estimate: its words and schema in, the longest answer out."""
    asked = prompt.system + prompt.text + msgspec.json.encode(prompt.schema).decode()
    return Usage(model, estimate_tokens(asked) + _FRAME_TOKENS, prompt.max_output_tokens)
