"""Questions to whatever is measured, and its answers as the sets judge them."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from memud_client import types

from evaluation.stand import Stand
from evaluation.store import Store
from memory.tokens import estimate_tokens


@dataclass(frozen=True, slots=True)
class Answer:
    """`keys` has the turns behind each result, in the answer's order; `scores` what each result scored.

    `context` is the block for the prompt.
    """

    keys: Sequence[frozenset[str]]
    scores: Sequence[float] = ()
    context: str = ""
    tokens: int = 0

    def found(self, at_most: int | None = None) -> frozenset[str]:
        """The turns behind the first so many results, or all."""
        return frozenset[str]().union(*self.keys[:at_most])

    def by_score(self) -> "Answer":
        """The same results, the highest score first."""
        order = sorted(range(len(self.keys)), key=lambda place: -self.scores[place])
        return replace(
            self,
            keys=[self.keys[place] for place in order],
            scores=[self.scores[place] for place in order],
        )

    def place(self, wanted: frozenset[str]) -> int | None:
        """The place of the first result that rests on one of these turns, from 0."""
        return next((place for place, keys in enumerate(self.keys) if keys & wanted), None)


class Searcher(Protocol):
    """What answers questions on a store: memud, or a baseline."""

    def search(self, store: Store, text: str, limit: int) -> Answer:
        """The best `limit` for a question."""
        ...


class Memud:
    """Asks the daemon of a stand; every answer's cost goes to the stand's tally."""

    def __init__(self, stand: Stand) -> None:
        self._stand = stand

    def search(self, store: Store, text: str, limit: int) -> Answer:
        """`search`, a day after the last turn."""
        begun = time.perf_counter()
        reply = self._stand.client.search(text, user_id=store.name, limit=limit, as_of=store.as_of)
        ms = 1000 * (time.perf_counter() - begun)
        tokens = sum(estimate_tokens(result["memory"]) for result in reply["results"])
        self._stand.tally.add("search", ms, tokens)
        return _answer(reply["results"], tokens=tokens)

    def recall(self, store: Store, text: str, as_of: int | None = None) -> Answer:
        """`recall` at the shipped gate, a day after the last turn if not told otherwise."""
        return self._recall("recall", store, text, as_of=store.as_of if as_of is None else as_of)

    def block(self, store: Store, text: str, limit: int, max_tokens: int) -> Answer:
        """`recall` without a gate: the best there is, whatever it is worth."""
        options = {"threshold": 0.0, "limit": limit, "max_tokens": max_tokens, "as_of": store.as_of}
        return self._recall("block", store, text, **options)

    def _recall(self, name: str, store: Store, text: str, **options: Any) -> Answer:
        begun = time.perf_counter()
        reply = self._stand.client.recall(text, user_id=store.name, **options)
        self._stand.tally.add(name, 1000 * (time.perf_counter() - begun), reply["tokens"])
        return _answer(reply["results"], reply["context"], reply["tokens"])


def _answer(results: Sequence[types.Result], context: str = "", tokens: int = 0) -> Answer:
    keys, scores = [_keys(each) for each in results], [each["score"] for each in results]
    return Answer(keys, scores, context, tokens)


def _keys(result: types.Result) -> frozenset[str]:
    said = [result["source"], *result["sources"]]
    return frozenset(one["key"] for one in said if one["key"])
