"""The extractor with a model: one call a batch, its answer kept before it is read."""

import asyncio
from collections.abc import Sequence

from memory.errors import AnswerError
from memory.extract.answer import read_answer
from memory.extract.kept import KeptAnswers
from memory.extract.own import is_told
from memory.extract.prompt import MAX_KNOWN, Asked, dearest_prompt, extraction_prompt
from memory.model import Item, Resource
from memory.ports import Batching, LanguageModel, Prompt, Proposal
from memory.store.extractions import StoredAnswer


class LlmExtractor:
    """Draws facts from turns of one session with a language model.

    At most one call a batch, none where no user told anything, none where an answer about just these turns
    is kept from before a crash. Of one turn the `max_facts` weightiest are taken.
    """

    def __init__(
        self, model: LanguageModel, answers: KeptAnswers, batching: Batching, max_facts: int = 5
    ) -> None:
        self._model = model
        self._answers = answers
        self._batching = batching
        self._max_facts = max_facts

    @property
    def name(self) -> str:
        """Provider and model."""
        return self._model.name

    @property
    def batching(self) -> Batching:
        """As the settings say."""
        return self._batching

    def asking(self, model: LanguageModel) -> "LlmExtractor":
        """The same, with another model."""
        return LlmExtractor(model, self._answers, self._batching, self._max_facts)

    def dearest(self, sizes: Sequence[int]) -> Prompt:
        """What turns of so many bytes may be asked about at most."""
        return dearest_prompt(sizes, self._max_facts)

    async def extract(self, turns: Sequence[Resource], known: Sequence[Item]) -> Sequence[Proposal]:
        """The durable facts of what users told in these turns; `known` are the nearest facts."""
        told = [turn for turn in turns if is_told(turn.turn)]
        if not told:
            return []
        answer = await self._answers.about(told) or await self._ask(told, known)
        try:
            asked = Asked(tuple(told), answer.known)
            return await asyncio.to_thread(read_answer, answer.raw, asked, self._max_facts)
        except AnswerError as error:
            await self._answers.spoilt(answer, error)
            raise

    async def _ask(self, told: Sequence[Resource], known: Sequence[Item]) -> StoredAnswer:
        answer = await self._model.answer(extraction_prompt(told, known, self._max_facts))
        shown = tuple(item.id for item in known[:MAX_KNOWN])
        return await self._answers.keep(told, answer.raw, shown, self._model.name)
