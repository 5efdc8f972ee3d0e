"""Recalls prepared for questions that are expected, in memory, within bounds."""

import threading
from collections import OrderedDict
from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from typing import Final

from memory.ports import Vector
from memory.recall.asked_alike import sense
from memory.recall.asking import Asked
from memory.recall.freshness import Stamp
from memory.recall.query import Query
from memory.recall.scored import Weighed

MAX_BYTES: Final = 32 * 2**20
MAX_BYTES_OF_USER: Final = 8 * 2**20
_CANDIDATE_BYTES = 1_500  # beside its words, about

_Key = tuple[str, Hashable]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A question with its candidates as they were weighed at a stamp. Holds up to `until`, Unix seconds."""

    asked: Asked
    weighed: Weighed
    stamp: Stamp
    until: int

    def holds(self, stamp: Stamp | None, now: int) -> bool:
        """Whether a recall that starts now would weigh the same."""
        return self.stamp == stamp and self.asked.now <= now < self.until

    def asked_by(self, query: Query, now: int) -> Asked:
        """The same question, by who asks it now and as briefly as they want it."""
        own = replace(
            self.asked.query,
            scope=query.scope,
            limit=query.limit,
            max_tokens=query.max_tokens,
            in_prompt_since=query.in_prompt_since,
        )
        return replace(self.asked, query=own, now=now)

    @property
    def nbytes(self) -> int:
        """What it takes in memory, about."""
        found = self.weighed.candidates
        return sum(_CANDIDATE_BYTES + 2 * len(one.text) for one in found)


@dataclass(frozen=True, slots=True)
class Counts:
    """Since the start: recalls answered from here, and those that found only what no longer holds."""

    hits: int
    stale: int
    kept: int
    nbytes: int

    @property
    def named(self) -> dict[str, int]:
        """By name, as `stats` shows them."""
        return {"hits": self.hits, "stale": self.stale, "kept": self.kept, "bytes": self.nbytes}


class Warm:
    """What is least lately used goes first, of a user with too much before anybody else's. Thread-safe.

    An entry that no longer holds stays until it is prepared anew, for its question's vectors: those are the
    same as ever. Whoever finds one asks `Prepared.holds` in the snapshot in which the answer is given.
    """

    def __init__(self, max_bytes: int = MAX_BYTES, max_bytes_of_user: int = MAX_BYTES_OF_USER) -> None:
        self._max_bytes = max_bytes
        self._max_bytes_of_user = max_bytes_of_user
        self._entries: OrderedDict[_Key, Prepared] = OrderedDict()
        self._sizes: dict[str, int] = {}  # by user
        self._lock = threading.Lock()
        self._hits = self._stale = 0

    def find(self, query: Query) -> Prepared | None:
        """What is prepared for a prompt; None for one with bounds of its own, or that nobody expected."""
        if query.scope.user_id not in self._sizes or not _is_plain(query):
            return None
        key = query.scope.user_id, sense(query.text)
        with self._lock:
            found = self._entries.get(key)
            if found is not None:
                self._entries.move_to_end(key)
        return found

    def vector(self, user_id: str, text: str, model: str) -> Vector | None:
        """The vector of a question that is expected in just these words, by this model."""
        if user_id not in self._sizes:
            return None
        with self._lock:
            found = self._entries.get((user_id, sense(text)))
        if found is None or found.asked.names.spoken != text:
            return None
        return next((aim.vector for aim in found.asked.aims if aim.generation.name == model), None)

    def keep(self, prepared: Prepared) -> None:
        """Take the place of what was prepared for the question before."""
        user_id, key = _key(prepared.asked.query)
        with self._lock:
            self._remove((user_id, key))
            if prepared.nbytes > self._max_bytes_of_user:
                return
            self._entries[user_id, key] = prepared
            self._sizes[user_id] = self._sizes.get(user_id, 0) + prepared.nbytes
            self._make_room(user_id)

    def retain(self, user_id: str, texts: Collection[str]) -> None:
        """Let go of the user's other questions: nobody expects them any more."""
        wanted = {sense(text) for text in texts}
        with self._lock:
            for key in [key for key in self._entries if key[0] == user_id and key[1] not in wanted]:
                self._remove(key)

    def users(self) -> set[str]:
        """Whose questions are kept."""
        return set(self._sizes)

    def count_hit(self) -> None:
        """A recall was answered from here."""
        self._hits += 1

    def count_stale(self) -> None:
        """A recall found what no longer held."""
        self._stale += 1

    @property
    def counts(self) -> Counts:
        """The figures of now."""
        with self._lock:
            return Counts(self._hits, self._stale, len(self._entries), sum(self._sizes.values()))

    def _make_room(self, user_id: str) -> None:
        while self._sizes[user_id] > self._max_bytes_of_user:
            self._remove(next(key for key in self._entries if key[0] == user_id))
        while sum(self._sizes.values()) > self._max_bytes:
            self._remove(next(iter(self._entries)))

    def _remove(self, key: _Key) -> None:
        gone = self._entries.pop(key, None)
        if gone is None:
            return
        self._sizes[key[0]] -= gone.nbytes
        if not self._sizes[key[0]]:
            del self._sizes[key[0]]


def _key(query: Query) -> _Key:
    return query.scope.user_id, sense(query.text)


def _is_plain(query: Query) -> bool:
    """Whether only scope, size and what stands in the prompt are its own."""
    scope = replace(query.scope, agent_id=None, session_id=None)
    plain = Query(query.text, scope, query.limit, max_tokens=query.max_tokens)
    own = replace(plain, scope=query.scope, in_prompt_since=query.in_prompt_since)
    return query == own and not scope.public_only
