"""A language model within the day's budget: refused before the call, booked after it."""

import apsw
import msgspec

from memory.budget import Budget, Reservation
from memory.database import Database
from memory.errors import AnswerError
from memory.ports import Answer, Clock, LanguageModel, Prompt, Usage
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
        expected, now = expected_usage(self._model.name, prompt), self._clock.now()
        held = await self._database.write(lambda c: self._budget.reserve(c, prompt.purpose, expected, now))
        try:
            answer = await self._model.answer(prompt)
        except BaseException as error:
            await self._end(held, _told(error, self.name))
            raise
        await self._end(held, answer.usage)
        return answer

    async def _end(self, held: Reservation, used: Usage | None) -> None:
        def end(connection: apsw.Connection) -> None:
            if used is None:
                self._budget.release(connection, held)
            else:
                self._budget.book(connection, held, used)

        await self._database.write(end, frees_space=True)


def _told(error: BaseException, model: str) -> Usage | None:
    """What a call took that gave no usable answer; None where nobody said, as of one refused unread."""
    if not isinstance(error, AnswerError) or error.input_tokens is None:
        return None
    return Usage(model, error.input_tokens, error.output_tokens)


def expected_usage(model: str, prompt: Prompt) -> Usage:
    """What a prompt takes at most, by estimate: its words and schema in, the longest answer out."""
    asked = prompt.system + prompt.text + msgspec.json.encode(prompt.schema).decode()
    return Usage(model, estimate_tokens(asked) + _FRAME_TOKENS, prompt.max_output_tokens)
