"""What a question names - people who speak here, times - and what it asks for beside them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import apsw

from memory.dates.asked import Span, asked_times, without_times
from memory.recall import people
from memory.recall.query import Query
from memory.recall.timing import lacks_subject
from memory.store import counting, resources, speakers

# "Busy again this Wednesday" tells of a Wednesday and asks about none.
_ASKS = re.compile(
    r"[?？]|\b(?:what|which|who|whom|whose|when|where|why|how|did|remind|summari[sz]e|recap|list|find|show)\b"
    r"|什么|什麼|啥|哪|谁|誰|[几幾][个個次点點时時号號天]|多少|吗|嗎|怎么|怎麼|如何|是否|何[时時]"
    r"|回顾|回顧|总结|總結|找[一出到]|列出",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Naming:
    """`spoken` is the question without the speakers that it names, `content` that without the times, too.

    `has_no_subject`: nothing else is asked than what was said then, or by whom. `hears_talks`: several people
    speak in the user's sessions.
    """

    spoken: str
    content: str
    speakers: tuple[str, ...] = ()
    times: tuple[Span, ...] = ()
    has_no_subject: bool = False
    hears_talks: bool = False


def naming(connection: apsw.Connection, query: Query, now: int) -> Naming:
    """What a question names when it is asked at a moment (Unix seconds); in a reader's thread."""
    heard = speakers.names(connection, query.scope.user_id)
    hears_talks = len(heard) > 1
    named = tuple(people.named(query.text, heard)) if hears_talks else ()
    spoken = people.without(query.text, named)
    times = _times(connection, query, now)
    content = without_times(spoken) if times else spoken
    has_no_subject = bool(times or named) and lacks_subject(content)
    return Naming(spoken, content, named, times, has_no_subject, hears_talks)


def _times(connection: apsw.Connection, query: Query, now: int) -> tuple[Span, ...]:
    """The times asked about: of several that fit the words, the latest that something is known of.

    Who asks about "March" a year after the last talk, or in February of last year's plans for it, means the
    March that there is something of.
    """
    if not (query.is_search or _ASKS.search(query.text)):
        return ()
    user_id = query.scope.user_id
    tz = resources.latest_zone(connection, user_id)
    times = asked_times(query.text, now, tz)
    if not times or not all(span.is_open for span in times) or _is_known_of(connection, user_id, times):
        return times
    latest = resources.latest_moment(connection, user_id, now)
    before = () if latest is None else asked_times(query.text, latest, tz, looks_back=True)
    return before if _is_known_of(connection, user_id, before) else times


def _is_known_of(connection: apsw.Connection, user_id: str, times: Sequence[Span]) -> bool:
    """Whether anything was said in one of the times, or is known to be due there."""
    return any(
        counting.texts_between(connection, user_id, span.start, span.end)
        or counting.due_between(connection, user_id, span.start, span.end)
        for span in times
    )
