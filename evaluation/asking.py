"""Questions to whatever is measured, and its answers as the sets judge them."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from evaluation.stand import Stand
from evaluation.store import Store
from memory.terms import estimate_tokens


@dataclass(frozen=True, slots=True)
class Answer:
    """`keys` has the turns behind each result, best first; `context` is the block for the prompt."""

    keys: Sequence[frozenset[str]]
    context: str = ""
    tokens: int = 0

    def found(self, at_most: int | None = None) -> frozenset[str]:
        """The turns behind the first so many results, or all."""
        return frozenset[str]().union(*self.keys[:at_most])

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
        return Answer([_keys(result) for result in reply["results"]], tokens=tokens)

    def recall(self, store: Store, text: str, *, as_of: int | None = None, **options: Any) -> Answer:
        """`recall`, a day after the last turn if not told otherwise; the shipped gate without options."""
        begun = time.perf_counter()
        reply = self._stand.client.recall(
            text, user_id=store.name, as_of=store.as_of if as_of is None else as_of, **options
        )
        self._stand.tally.add("recall", 1000 * (time.perf_counter() - begun), reply["tokens"])
        keys = [_keys(result) for result in reply["results"]]
        return Answer(keys, reply["context"], reply["tokens"])


def _keys(result: Mapping[str, Any]) -> frozenset[str]:
    said = [result["source"], *result["sources"]]
    return frozenset(one["key"] for one in said if one["key"])
