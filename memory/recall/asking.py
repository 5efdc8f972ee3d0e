"""From a question to what is asked: its vector, in time or without, the people and the times it names."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import apsw

from memory.database import Database
from memory.dates.asked import Span, asked_times, without_times
from memory.errors import TemporaryError
from memory.ports import Clock, Embedder, Vector
from memory.recall import people
from memory.recall.query import Query
from memory.recall.timing import asks_for_a_time_alone
from memory.store import resources, speakers

# "Busy again this Wednesday" tells of a Wednesday and asks about none.
_ASKS = re.compile(
    r"[?？]|\b(?:what|which|who|whom|whose|when|where|why|how|did|remind|summari[sz]e|recap|list|find|show)\b"
    r"|什么|什麼|啥|哪|谁|誰|几[个次点时号天]|多少|吗|嗎|怎么|怎麼|如何|是否|何时|回顾|总结|找[一出到]|列出",
    re.IGNORECASE,
)
_EMBEDDING_SHARE = 0.7  # of a deadline; the rest is for the search by words

Missing = Literal["index warming", "full text only", "embedder late", "embedder away"]
"""A part that could not help."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question at a moment (Unix seconds); `vector` is None where words alone must do.

    `content` is the question without the speakers and times that it names: nothing that was said at a time
    by somebody repeats those. `is_for_a_time`: nothing else is asked than what was said then. `hears_talks`:
    several people speak in the user's sessions. `degraded` names the parts that could not help, `is_late`
    says that the deadline came before the vector.
    """

    query: Query
    now: int
    vector: Vector | None
    content: str
    speakers: tuple[str, ...] = ()
    times: tuple[Span, ...] = ()
    is_for_a_time: bool = False
    hears_talks: bool = False
    degraded: tuple[Missing, ...] = ()
    is_late: bool = False


@dataclass(frozen=True, slots=True)
class _Heard:
    """Who speaks in a user's sessions, and the user's zone."""

    names: tuple[str, ...]
    tz: str


class Asker:
    """Embeds questions. A part that is away costs its share of the answer, never the answer."""

    def __init__(
        self, database: Database, embedder: Embedder | None, clock: Clock, is_warm: Callable[[], bool]
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._clock = clock
        self._is_warm = is_warm

    async def ask(self, query: Query, remaining_s: float | None = None) -> Asked:
        """The question with its vector, if that comes in time."""
        heard = await self._database.read(lambda c: _heard(c, query.scope.user_id))
        now = self._moment(query)
        hears_talks = len(heard.names) > 1
        named = tuple(people.named(query.text, heard.names)) if hears_talks else ()
        spoken = people.without(query.text, named)
        times = asked_times(query.text, now, heard.tz) if _names_times(query) else ()
        content = without_times(spoken) if times else spoken
        vector, missing = await self._vector(spoken, remaining_s)
        return Asked(
            query,
            now,
            vector,
            content=content,
            speakers=named,
            times=times,
            is_for_a_time=bool(times) and asks_for_a_time_alone(content),
            hears_talks=hears_talks,
            degraded=(*self._warming(), *missing),
            is_late="embedder late" in missing,
        )

    def silent(self, query: Query) -> Asked:
        """A question that needs no vector, as it is not going to be answered."""
        return Asked(query, self._moment(query), None, query.text, degraded=self._warming())

    def _warming(self) -> tuple[Missing, ...]:
        return () if self._is_warm() else ("index warming",)

    async def _vector(
        self, text: str, remaining_s: float | None
    ) -> tuple[Vector | None, tuple[Missing, ...]]:
        if self._embedder is None:
            return None, ("full text only",)
        if not text.strip():
            return None, ()
        try:
            async with asyncio.timeout(None if remaining_s is None else remaining_s * _EMBEDDING_SHARE):
                return await self._embedder.query(text), ()
        except TimeoutError:
            return None, ("embedder late",)
        except TemporaryError:
            return None, ("embedder away",)

    def _moment(self, query: Query) -> int:
        return self._clock.now() if query.as_of is None else query.as_of


def _names_times(query: Query) -> bool:
    """Whether dates in the text are what is asked for: in a question, or in a search."""
    return query.is_search or _ASKS.search(query.text) is not None


def _heard(connection: apsw.Connection, user_id: str) -> _Heard:
    return _Heard(tuple(speakers.names(connection, user_id)), resources.latest_zone(connection, user_id))
