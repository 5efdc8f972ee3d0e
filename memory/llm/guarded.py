"""A language model behind its breaker, with one quick retry: what the rest of memud is given."""

import asyncio

from memory.llm.breaker import Breaker
from memory.llm.retry import Sleep, once_more
from memory.ports import Answer, LanguageModel, Prompt


class GuardedModel:
    """The LanguageModel behind it, asked only while its breaker lets calls through."""

    def __init__(self, model: LanguageModel, breaker: Breaker, sleep: Sleep = asyncio.sleep) -> None:
        self._model = model
        self._sleep = sleep
        self.breaker = breaker

    @property
    def name(self) -> str:
        """Provider and model."""
        return self._model.name

    async def answer(self, prompt: Prompt) -> Answer:
        """One call, and one more if it failed in passing; raises what the model or the breaker raises."""
        return await once_more(self._sleep)(self.breaker.run, lambda: self._model.answer(prompt))
