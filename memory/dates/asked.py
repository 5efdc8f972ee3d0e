"""The times that a question asks about. A question looks back, unless its words say that it looks ahead."""

import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from memory.dates import chinese, english, named_chinese, named_english
from memory.dates.lookalikes import dates_only
from memory.dates.moment import Said, Stretch, is_in_calendar, whole
from memory.dates.named import Named, beside
from memory.dates.pieces import Piece

_MAX_CHARS = 2_000  # dates beyond it are those of a pasted text
_MAX_SPANS = 6  # more times than a question asks about: a pasted list
_MAX_GROUPS = 20
_HAN = re.compile(r"[㐀-鿿]")
_HINT = re.compile(
    r"\d|day\b|\b(?:jan|feb|mar|apr|may|june?\b|july?\b|aug|sep|oct|nov|dec|week|month|year|ago\b|to(?:day|night|morrow)|tmr"
    r"|(?:this|last)\s+(?:morning|afternoon|evening|night)|mon|tues?|wed|thu|fri|sat|sun|spring|summer|autumn|fall|winter)"
    r"|[月号號周週年天日晚早夜夏秋冬]|星期|礼拜|禮拜|节|春|除夕|元旦|清明|端午|中秋|国庆|五一|双十|[前后後内里]",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"\s*(?:-|–|—|~|－|～|to|through|thru|until|till|直到|到|至)\s*(?:the\s+|on\s+)?", re.IGNORECASE
)
_LIST = re.compile(
    r"\s*(?:,|，|、|&|,?\s*\b(?:and|or)\b|和|与|及|跟|还有|或者?)\s*(?:on\s+|in\s+|the\s+)*", re.IGNORECASE
)
_AND = re.compile(r"\s*(?:and|和)\s*(?:the\s+)?", re.IGNORECASE)
_BETWEEN = re.compile(r"\bbetween\s+(?:the\s+)?$", re.IGNORECASE)
_BESIDE = re.compile(r"\s+(?P<way>before|after|prior\s+to)\s+(?:the\s+|on\s+)?", re.IGNORECASE)
_OF = re.compile(r"的?")
_FROM = re.compile(r"\b(?:from|between)\s+$", re.IGNORECASE)
_SINCE_BEFORE = re.compile(r"\bsince\s+(?:the\s+)?$", re.IGNORECASE)
_SINCE_AFTER = re.compile(r"\s?(?:份)?(?:以来|以來|至今|到现在|到今天|开始到)")
_LIMIT_BEFORE = re.compile(
    r"\b(?:before|by|until|till|up\s+to)\s+(?:the\s+)?(?:end\s+of\s+)?$", re.IGNORECASE
)
_AFTER_BEFORE = re.compile(r"\bafter\s+(?:the\s+)?$", re.IGNORECASE)
_AFTER_AFTER = re.compile(r"\s?(?:之后|以后|之後|以後|后(?![来天面台边期]))")
_FUTURE = re.compile(
    r"\b(?:will|won't|going\s+to|gonna|shall|upcoming|coming\s+up|plans?|planned|planning|scheduled?|remind|due|deadline"
    r"|do\s+(?:i|we)\s+(?:have|need)|have\s+(?:i|we)\s+got|(?:am|are)\s+(?:i|we)\s+(?:\w+ing|free|busy|available)"
    r"|(?:have|has|need|want)\s+to|should|must|let's|what's\s+on|don't\s+forget|remember\s+to|next|(?<!\w)in\s+(?:\d+|an?|two|three|a\s+few)"
    r"\s+(?:minute|hour|day|week|month|year)s?)\b|'ll\b"
    r"|(?<![重主需必只摘纪概简])要(?![求点素闻])|(?<![聚约开学机社年晚宴大工协体])会(?=[去来有在做开是不发到举])"
    r"|提醒|记得|别忘|(?:打算|准备|计划)(?=[去做来买在要吃和跟干写学])|(?:有|什么|啥|哪些)(?:安排|计划)"
    r"|(?:安排|计划)(?:是|有|$)|将[要在会]|截止|到期|日程|行程|待办|有空|有(?:什么|啥)[事会活课]|有[会课]吗",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:said|told|mentioned|talked|discussed|asked)\b"
    r"|[了过]|说|聊|提到|来着|当时|那[天时]|上次|[做吃买看去写见]的"
)
# Beside dates it points at them: "on May 3 and 5 ... in these two days".
_THOSE_DAYS = re.compile(r"(?:in\s+)?these\s+(?:two|few|three)?\s*days|[这這][两兩几幾三]天", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?;\n](?=\s|$)|[。！？；]")
_LEAD_WORDS = re.compile(
    r"(?:\b(?:on|in|at|during|since|until|till|from|between|around|by|before|after|over|throughout|for|of|back|within)"
    r"\s+)*(?:\bthe\s+)?$|[在从于自]$",
    re.IGNORECASE,
)
_TAIL_WORDS = re.compile(
    r"(?:['’]s\b|\s+(?:in\s+the\s+)?(?:morning|afternoon|evening|night)\b|(?:那|这)[天周月年]|的?(?:早上|上午|中午|下午|晚上|傍晚))?"
    r"(?:以来|以後|以后|之后|以前|之前|之间|期间|的时候|前后)?的?"
)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the asker's calendar, whole local days: Unix seconds, `end` is the first one after it.

    `is_open`: the words fit many times ("in March", "on Monday"), and this is the nearest.
    """

    start: int
    end: int
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class _Group:
    """Names of times that belong together, in order; `is_range[i]`: the i-th reaches to the next one."""

    names: tuple[Named, ...]
    is_range: tuple[bool, ...] = ()

    @property
    def start(self) -> int:
        return self.names[0].start

    @property
    def end(self) -> int:
        return self.names[-1].end


def asked_times(text: str, now: int, tz: str, *, looks_back: bool = False) -> tuple[Span, ...]:
    """The times that a question asks about, in order, each once; () where it names no day, month or year.

    Whole days in the asker's zone: "this morning" is today. Weekdays, dates and months without a year are
    the latest past ones ("Monday" is never today), or the next ones where the sentence looks ahead, unless
    `looks_back` says that it can't. "Three
    weeks ago" is the seven days around that day, "since May" lasts until today, "before May" has no start
    and gives nothing. More than six times are a pasted list, and give nothing. Never raises.
    """
    if not is_in_calendar(now) or not _HINT.search(text[:_MAX_CHARS]):
        return ()
    text, said = text[:_MAX_CHARS], Said(now, tz)
    spans: set[Span] = set()
    groups = _groups(text)
    for group in groups if len(groups) <= _MAX_GROUPS else ():
        with contextlib.suppress(ValueError, OverflowError, OSError):  # no calendar has it
            is_open = all(name.is_open for name in group.names)
            is_past = looks_back or _looks_back(text, group)
            spans.update(_span(stretch, said, is_open) for stretch in _stretches(text, group, said, is_past))
    return tuple(sorted(spans, key=lambda span: (span.start, span.end))) if len(spans) <= _MAX_SPANS else ()


def without_times(text: str) -> str:
    """The question without the words that name a time, so that its other words remain."""
    if not _HINT.search(text[:_MAX_CHARS]):
        return text
    parts: list[str] = []
    last = 0
    for group in _groups(text[:_MAX_CHARS]):
        lead = _LEAD_WORDS.search(text, max(last, group.start - 30), group.start)
        parts.append(text[last : lead.start() if lead else group.start])
        tail = _TAIL_WORDS.match(text, group.end)
        last = tail.end() if tail else group.end
    if not parts:
        return text
    rest = " ".join("".join([*parts, text[last:]]).split())
    return re.sub(r"\s+([?.!,;])", r"\1", rest.lstrip(",，、;； "))


def _span(stretch: Stretch, said: Said, is_open: bool) -> Span:
    start, end = said.unix(stretch.start), said.unix(stretch.end)
    if not start < end:
        raise ValueError("the time ends before it begins")
    return Span(start, end, is_open)


def _groups(text: str) -> list[_Group]:
    groups: list[_Group] = []
    for name in _names(text):
        before = groups[-1] if groups else None
        counted = _counted(text, before.names[0], name) if before and len(before.names) == 1 else None
        link = _link(text, before, name) if before else None
        if counted is not None:
            groups[-1] = _Group((counted,))
        elif before is None or link is None:
            groups.append(_Group((name,)))
        else:
            groups[-1] = _Group((*before.names, name), (*before.is_range, link))
    firm = [group for group in groups if _is_firm(text, group)]
    if any(name.date for group in firm for name in group.names):
        firm = [group for group in firm if not _THOSE_DAYS.fullmatch(text, group.start, group.end)]
    return [_completed(group) for group in firm if not any(name.is_void for name in group.names)]


def _is_firm(text: str, group: _Group) -> bool:
    """Whether it means a time: one of its names does by itself, or it is "from March to May"."""
    if not all(name.is_weak for name in group.names):
        return True
    is_months = all(name.date and name.date.month for name in group.names)
    return (
        is_months and any(group.is_range) and bool(_FROM.search(text, max(0, group.start - 20), group.start))
    )


def _counted(text: str, first: Named, second: Named) -> Named | None:
    """The one time that two names mean, of which one counts from the other; None: they are two."""
    if first.is_void or second.is_void:
        return None
    span = first.start, second.end
    if second.is_beside and not first.is_weak and _OF.fullmatch(text, first.end, second.start):
        return beside(second, first, span, is_before=text[second.start] == "前")
    way = _BESIDE.fullmatch(text, first.end, second.start)
    if way is None or second.is_weak or not (first.is_beside or first.comes_again):
        return None
    return beside(first, second, span, is_before=way["way"].lower() != "after")


def _link(text: str, before: _Group, name: Named) -> bool | None:
    """Whether a name follows as the end of a range (True) or in a list (False); None: not at all."""
    last = before.names[-1]
    if name.is_void or last.is_void or name.is_beside or last.is_beside:
        return None
    if _RANGE.fullmatch(text, before.end, name.start):
        return True
    is_between = _BETWEEN.search(text, max(0, before.start - 20), before.start)
    if is_between and len(before.names) == 1 and _AND.fullmatch(text, before.end, name.start):
        return True
    return False if _LIST.fullmatch(text, before.end, name.start) else None


def _completed(group: _Group) -> _Group:
    """Years and months that one name of a group has are those of the others; the one after decides."""
    names = list(group.names)
    for here, there in (*_backwards(len(names)), *_forwards(len(names))):
        mine, other = names[here].date, names[there].date
        if mine and other:
            names[here] = replace(names[here], date=mine.completed(other))
    return _Group(tuple(names), group.is_range)


def _backwards(count: int) -> Iterator[tuple[int, int]]:
    return ((at, at + 1) for at in range(count - 2, -1, -1))


def _forwards(count: int) -> Iterator[tuple[int, int]]:
    return ((at, at - 1) for at in range(1, count))


def _names(text: str) -> list[Named]:
    """The names of times in order, the longest where some overlap, without lookalikes."""
    found = list(named_english.named(text))
    if _HAN.search(text):
        found += named_chinese.named(text)
    kept: list[Named] = []
    for name in sorted(found, key=lambda name: (name.start, -name.end, name.is_weak)):
        if not kept or name.start >= kept[-1].end:
            kept.append(name)
    dates = {piece.start for piece in dates_only(text, _as_pieces(kept)) if not piece.is_void}
    return [name for name in kept if name.is_void or name.start in dates]


def _as_pieces(names: Iterable[Named]) -> Iterator[Piece]:
    some_day = whole(Said(0, "UTC").midnight, "day")
    return (Piece(name.start, name.end, day=some_day) for name in names if not name.is_void)


def _stretches(text: str, group: _Group, said: Said, is_past: bool) -> Iterator[Stretch]:
    at = 0
    while at < len(group.names):
        first = last = at
        while last < len(group.is_range) and group.is_range[last]:
            last += 1
        yield from _bounded(
            text, group, _reach(group.names[first], group.names[last], said, is_past), said, is_past
        )
        at = last + 1


def _reach(first: Named, last: Named, said: Said, is_past: bool) -> Stretch:
    """From the first to the end of the last; the one that is open is the nearest before, or ahead after."""
    if first is last:
        return first.stretch(said, is_past)
    if is_past or not last.is_open:
        end = last.stretch(said, is_past)
        anchor = Said(said.unix(end.start), said.tz) if first.is_open else said
        return Stretch(first.stretch(anchor, first.is_open or is_past).start, end.end, "day")
    start = first.stretch(said, is_past)
    return Stretch(start.start, last.stretch(Said(said.unix(start.start), said.tz), False).end, "day")


def _bounded(text: str, group: _Group, found: Stretch, said: Said, is_past: bool) -> Iterator[Stretch]:
    """The stretch itself, or what lies since, after or before it."""
    today = whole(said.midnight, "day")
    before = max(0, group.start - 25)
    if _SINCE_BEFORE.search(text, before, group.start) or _SINCE_AFTER.match(text, group.end):
        yield Stretch(found.start, max(found.end, today.end), "day")
    elif _LIMIT_BEFORE.search(text, before, group.start) or chinese.LIMIT_AFTER.match(text, group.end):
        if not is_past and found.end > today.start:
            yield Stretch(today.start, found.end, "day")
    elif _AFTER_BEFORE.search(text, before, group.start) or _AFTER_AFTER.match(text, group.end):
        if found.end < today.end:
            yield Stretch(found.end, today.end, "day")
    else:
        yield found


def _looks_back(text: str, group: _Group) -> bool:
    sentence_start = max((end.end() for end in _SENTENCE_END.finditer(text, 0, group.start)), default=0)
    sentence_end = _SENTENCE_END.search(text, group.end)
    sentence = text[sentence_start : sentence_end.start() if sentence_end else len(text)]
    return bool(english.PAST.search(sentence) or _PAST.search(sentence)) or not _FUTURE.search(sentence)
