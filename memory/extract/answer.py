"""A model's answer, read as what it is: somebody else's text. Bounded, stripped, and led back to a turn."""

import re
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from itertools import chain
from math import nan
from typing import TypeVar

import msgspec

from memory.dates import end_of_day
from memory.dates.moment import zone_of
from memory.errors import AnswerError
from memory.extract.own import is_hostile, is_others, is_passing
from memory.extract.plain import plain
from memory.extract.prompt import Asked
from memory.extract.quoted import has_foreign_link, place, speaks_of
from memory.extract.ranges import clamped
from memory.model import TYPE_DEFAULTS, Fact, Kind, MemoryType, Resource
from memory.ports import Proposal
from memory.redact import redact

MAX_ANSWER_BYTES = 4_194_304
MAX_READ = 200  # of an answer's facts; the prompt asks for a few
MAX_FACT_CHARS = 500
MIN_FACT_CHARS = 3
MAX_REPLACED = 3
MAX_NAMES = 3
MAX_NAME_CHARS = 40
_MAX_YEARS_AHEAD = 20
_MASK = re.compile(r"\[redacted", re.IGNORECASE)
Word = TypeVar("Word", bound=StrEnum)


class _Found(msgspec.Struct):
    turn: str = ""
    quote: str = ""
    text: str = ""
    kind: str = ""
    type: str = ""
    importance: float | str | None = None
    until: str | None = None
    action: str = ""
    known: list[str] | None = None
    categories: list[str] | None = None


class _Answer(msgspec.Struct):
    facts: list[msgspec.Raw]


def read_answer(raw: str, asked: Asked, max_facts: int) -> list[Proposal]:
    """The facts that may be kept, in the answer's order, at most `max_facts` a turn, the weightiest of them.

    Left out: what no turn says, what is not worth keeping, what a model is to be told by it, what holds a
    secret. Ids other than the prompt's handles mean nothing. Raises AnswerError when it is of another form.
    """
    found = [_found(one) for one in _decoded(raw)]
    readable = [one for one in found if one is not None]
    if found and not readable:
        raise _unreadable("holds no fact of the asked form")
    proposals = [proposal for one in readable if (proposal := _proposal(one, asked))]
    return _weightiest(proposals, max_facts)


def _decoded(raw: str) -> Sequence[msgspec.Raw]:
    if len(raw.encode("utf-8", "replace")) > MAX_ANSWER_BYTES:
        raise _unreadable("is too long")
    try:
        return msgspec.json.decode(raw.encode("utf-8", "replace"), type=_Answer).facts[:MAX_READ]
    except (msgspec.MsgspecError, RecursionError) as error:
        raise _unreadable("is not of the asked form") from error


def _unreadable(why: str) -> AnswerError:
    error = AnswerError(f"the model's answer {why}", hint="`memud queue retry` asks again")
    error.reason = "answer_form"
    return error


def _found(one: msgspec.Raw) -> _Found | None:
    try:
        return msgspec.json.decode(one, type=_Found, strict=False)
    except (msgspec.MsgspecError, RecursionError):
        return None


def _proposal(found: _Found, asked: Asked) -> Proposal | None:
    text = _plain(found.text)
    if text is None or is_passing(text) or is_hostile(text):
        return None
    source = _source(found, asked)
    if source is None or not speaks_of(source.turn.text, text):
        return None
    if has_foreign_link(text, source.turn.text):
        return None
    span = place(found.quote, source.turn.text) or (0, len(source.turn.text))
    if is_others(source.turn.text, span):
        return None
    memory_type = _word(found.type, MemoryType, MemoryType.GENERAL)
    fact = Fact(
        text=text,
        kind=_word(found.kind, Kind, Kind.SEMANTIC),
        memory_type=memory_type,
        importance=clamped(_number(found.importance), memory_type),
        half_life_days=TYPE_DEFAULTS[memory_type].half_life_days,
        span=span,
        valid_until=_until(found.until or "", source),
    )
    known = _known(found.known or (), asked)
    return Proposal(
        source.id,
        fact,
        repeats=known[0] if known and found.action == "repeat" else None,
        replaces=tuple(known[:MAX_REPLACED]) if found.action == "replace" else (),
        categories=_names(found.categories or ()),
    )


def _plain(text: str) -> str | None:
    """One line without tags, markup and secrets; None where nothing is left that could be a fact."""
    if len(text) > 4 * MAX_FACT_CHARS:
        return None
    text = redact(plain(text)).text
    if not MIN_FACT_CHARS <= len(text) <= MAX_FACT_CHARS or _MASK.search(text):
        return None
    return text


def _source(found: _Found, asked: Asked) -> Resource | None:
    """The turn it says it is from; else the first whose words it quotes, or the only one."""
    by_handle = {f"t{handle}": turn for handle, turn in enumerate(asked.turns, start=1)}
    if named := by_handle.get(found.turn.strip()):
        return named
    if len(asked.turns) == 1:
        return asked.turns[0]
    return next((turn for turn in asked.turns if place(found.quote, turn.turn.text)), None)


def _number(said: float | str | None) -> float:
    """NaN for what is none."""
    try:
        return nan if said is None else float(said)
    except ValueError:
        return nan


def _known(handles: Iterable[str], asked: Asked) -> list[str]:
    by_handle = {f"k{handle}": item_id for handle, item_id in enumerate(asked.known, start=1)}
    return list(dict.fromkeys(by_handle[one.strip()] for one in handles if one.strip() in by_handle))


def _word(said: str, words: type[Word], default: Word) -> Word:
    said = said.strip().lower()
    return words(said) if said in list(words) else default


def _until(said: str, source: Resource) -> int | None:
    """The end of that day where the writer was; None for no day, one that is over, or one far ahead."""
    turn = source.turn
    try:
        day = date.fromisoformat(said.strip()[:10])
        noon = datetime(day.year, day.month, day.day, 12, tzinfo=zone_of(turn.tz))
    except ValueError:
        return None
    ahead = noon.timestamp() - turn.timestamp
    if not -86_400 < ahead < _MAX_YEARS_AHEAD * timedelta(days=366).total_seconds():
        return None
    end = end_of_day(int(noon.timestamp()), turn.tz)
    return end if end > turn.timestamp else None


def _names(categories: Iterable[str]) -> tuple[str, ...]:
    names = (_plain(name) for name in list(categories)[:MAX_NAMES])
    return tuple(dict.fromkeys(name for name in names if name and len(name) <= MAX_NAME_CHARS))


def _weightiest(proposals: Sequence[Proposal], max_facts: int) -> list[Proposal]:
    """Each fact of a turn once; of a turn with too many the weightiest, in the order they came."""
    distinct: dict[tuple[str, str], Proposal] = {}
    for one in proposals:
        distinct.setdefault((one.resource_id, one.fact.text.casefold()), one)
    found = list(distinct.values())
    kept: dict[str, list[int]] = {}
    for place_in_answer in sorted(range(len(found)), key=lambda n: -found[n].fact.importance):
        kept.setdefault(found[place_in_answer].resource_id, []).append(place_in_answer)
    return [found[n] for n in sorted(chain.from_iterable(places[:max_facts] for places in kept.values()))]
