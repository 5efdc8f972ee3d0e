"""A model that guesses by words, and what it foresees put as a detector, turn by turn."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from html import unescape
from typing import Any

import apsw

from memory.model import Prediction, Resource
from memory.proactive.detectors import llm_intent
from memory.testing import FakeLanguageModel

_TURN = re.compile(r'<turn id="(t\d+)"[^>]*>\n(.*?)\n</turn>', re.DOTALL)

Guess = tuple[str, str]  # topic, text


def guessing(guesses: Mapping[str, Guess]) -> FakeLanguageModel:
    """Foresees, wherever a word stands in the turns that it is shown, the guess that belongs to the word.

    It points to every turn with that word, also to those that it was asked about before.
    """

    def truth(prompt: str) -> dict[str, Any]:
        turns = [(handle, unescape(words)) for handle, words in _TURN.findall(prompt)]
        found = [_intent(turns, word, guess) for word, guess in guesses.items()]
        return {"intents": [one for one in found if one["turns"]]}

    return FakeLanguageModel(truth)


def _intent(turns: Sequence[tuple[str, str]], word: str, guess: Guess) -> dict[str, Any]:
    topic, text = guess
    named = [handle for handle, words in turns if word in words]
    return {"topic": topic, "text": text, "turns": named, "probability": 0.8, "when": "", "days": 14}


class GuessDetector:
    """`llm_intent` as if each turn were all that is new; the answer is waited for in the reader's thread."""

    name = llm_intent.NAME

    def __init__(self, model: FakeLanguageModel) -> None:
        self._model = model

    async def prepare(self) -> None:
        """Nothing to load."""

    def detect(self, connection: apsw.Connection, turn: Resource) -> list[Prediction]:
        """What the model makes of the turn and those before it."""
        user_id, now = turn.turn.scope.user_id, turn.turn.timestamp
        seen = llm_intent.lately(connection, user_id, turn.key - 1, turn.key, now)
        return asyncio.run(llm_intent.foresee(self._model, seen)) if seen.turns else []
