"""What looks like a date and is none (a name, a place, a brand, a lunar day), or comes every year."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from memory.dates.pieces import Piece

_MONTH = r"(?:闰?(?:正|冬|腊|十[一二]?|[二三四五六七八九]|一|1[0-2]|[1-9])月)"
_LUNAR_DAY = (
    r"(?:初[一二三四五六七八九十](?![中直起般些定样共边旦时同个天次位家名只条级])|廿[一二三四五六七八九]?"
    r"|(?:二十|三十|十)[一二三四五六七八九]?(?![号日天个年岁月]))"
)
_LUNAR = re.compile(
    rf"(?:大年|年)(?:{_LUNAR_DAY}|三十)|{_MONTH}{_LUNAR_DAY}|[正腊冬]月(?:底|里|{_LUNAR_DAY})?|初[一二三四五六七八九十](?=[早晚]|[上下中]午)"
)
_LUNAR_WORD = re.compile(r"农历|阴历|旧历|\blunar\b(?!\s+new\s+year)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[。！？；!?;\n]|\.(?=\s|$)")
_CALENDAR_WORD = re.compile(
    r"\d|[月号]|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\bthe\s+\w+(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)

_SURNAME = "[李王张刘陈杨赵吴徐孙朱郭罗梁宋郑谢韩唐冯董程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾魏薛叶潘杜戴姚谭廖邹熊]"
_NAMED_BEFORE = re.compile(
    rf"(?:叫做?|名为|取名|起名|(?:姓名|名字|小名|大名|昵称|网名)(?:就?是|叫)?)\s?{_SURNAME}?$"
    r"|\b(?:called|named|nicknamed|names?(?:\s+(?:is|are)|['’]s)|(?:cat|dog|puppy|kitten|horse|pet|rabbit|hamster|parrot))"
    r"\s+(?:(?-i:[A-Z])\w+\s+)?$",
    re.IGNORECASE,
)
# 老板叫周一早上开会 calls people in; a name ends, or is told on about.
_CALLED_IN = re.compile(
    r"(?:早|晚|上午|下午|中午|去|来|到|开|过|集合|交|一起|之?前|以前|我|他|她|你|大家|回|再|的会|\d|[一二两三四五六七八九十]+点)"
)
_SURNAME_BEFORE = re.compile(rf"{_SURNAME}$")
_FESTIVAL_NAME = re.compile(r"国庆|元旦|中秋|端午|清明|春节|五一")
_FRIEND_BEFORE = re.compile(
    r"\b(?:my|our)\s+(?:friend|colleague|neighbou?r|son|daughter|sister|brother|cousin|niece|nephew|wife|husband|boss)\s+$",
    re.IGNORECASE,
)
_VERB_AFTER = re.compile(r"\s+(?:is|has|likes|loves|lives|works|hates|wants|eats|plays)\b")
_NAME_AFTER = re.compile(
    r"(?:诺(?!言)|鸣|帆(?!船)|凡(?!是)|涵|航(?![班线空司天展])|萱|轩|楠|然(?![后而])|宸|菲|琳|妍|瑶|铭|睿|桐|雯|围)"
)
_PLACE_AFTER = re.compile(
    r"(?:花园|小区|新村|小学|中学|商场|酒店|宾馆|路(?![演上过况程])|大道|大街|书店|书屋|咖啡|公寓|大厦|广场|餐厅|餐馆|饭店|面馆|火锅|茶馆|茶楼|酒吧|酒馆|"
    r"民宿|客栈|工作室|幼儿园|传媒|科技|影业|文化|设计|出版社|乐队|集团|超市|便利店|烘焙|面包|蛋糕店|新城|家园|公馆|庄园|苑|雅居|"
    r"诊所|画室|琴行|照相馆|理发店|美发|花店|剧场|影城)"
)
_BRAND_AFTER = re.compile(
    r"头条|方舟|香(?![港菇])|帝国|\.(?:com|io|org|net)\b"
    r"|\s+(?-i:(?:[A-Z]\w+\s+)?(?:Street|Road|Avenue|Lane|Square|Caf[eé]|Hotel|Books|Bakery|Club|Bar|Gardens?|Park|Court|Market|Times|Records|Press|Coffee|Kitchen|Bakers))\b"
)

_BARE_WEEKDAY = re.compile(
    r"(?:on\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:\s+(?:night|morning|evening|afternoon))?",
    re.IGNORECASE,
)
_EACH_AFTER = re.compile(r"s\b|\s+(?:nights|mornings|evenings|afternoons)\b", re.IGNORECASE)
_OWN_BEFORE = re.compile(r"\b(?:my|our|their|your|usual|regular|weekly|every|each)\s+$", re.IGNORECASE)

_MONTH_NAMED = re.compile(r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*\b", re.IGNORECASE)
_YEAR_AFTER = re.compile(r",?\s+\d{4,}\s*(?:$|[.,;!?])")

_YEARLY = re.compile(
    r"(?:生日|纪念日|周年)(?!派对|聚会|会|宴|晚|蛋糕|礼|快乐|大餐|旅行)|出生"
    r"|\b(?:birthdays?|anniversar(?:y|ies))\b(?!['’]?s?\s+(?:party|dinner|lunch|present|gift|cake|trip|bash|celebration|weekend|card))"
    r"|\bborn\b|\b(?:was|were|got)\s+married\b|结婚的|结的婚|领的证|领证的",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[，,。！？；!?;\n]|\.(?=\s|$)|\b(?:but|and)\b|但是?|不过")


def dates_only(text: str, pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces without names and brands; lunar days, which are not computed, void all that joins them."""
    for match in _LUNAR.finditer(text):
        yield Piece(*match.span(), is_void=True)
    for piece in pieces:
        if _is_lunar(text, piece) or _is_beyond(text, piece):
            yield replace(piece, is_void=True)
        elif not _is_name(text, piece):
            yield piece


def is_habit(text: str, start: int, end: int) -> bool:
    """Whether a bare weekday means each of them: "on Friday nights", "my Saturday run"."""
    if not _BARE_WEEKDAY.fullmatch(text, start, end):
        return False
    return bool(_EACH_AFTER.match(text, end) or _OWN_BEFORE.search(text, max(0, start - 20), start))


def is_yearly(text: str, start: int, end: int) -> bool:
    """Whether it is the calendar day of a birthday or an anniversary, which has no one year."""
    clause = _around(text, start, end, _CLAUSE_END)
    return bool(_CALENDAR_WORD.search(text, start, end) and _YEARLY.search(clause))


def _is_beyond(text: str, piece: Piece) -> bool:
    """Whether a year follows that no date here has: 31 December 9999 is not this December."""
    return bool(_MONTH_NAMED.search(text, piece.start, piece.end) and _YEAR_AFTER.match(text, piece.end))


def _is_lunar(text: str, piece: Piece) -> bool:
    if not _CALENDAR_WORD.search(text, piece.start, piece.end):
        return False
    return bool(_LUNAR_WORD.search(_around(text, piece.start, piece.end, _SENTENCE_END)))


def _is_name(text: str, piece: Piece) -> bool:
    if piece.day is None:
        return False
    words, before = text[piece.start : piece.end], text[max(0, piece.start - 40) : piece.start]
    if _NAMED_BEFORE.search(before):
        return not _CALLED_IN.match(text, piece.end)
    if _FESTIVAL_NAME.fullmatch(words) and _SURNAME_BEFORE.search(before):
        return True
    if words.startswith("周") and _NAME_AFTER.match(text, piece.end):
        return True
    if _FRIEND_BEFORE.search(before) and _VERB_AFTER.match(text, piece.end):
        return True
    may_be_place = words.endswith("月") or _FESTIVAL_NAME.fullmatch(words)
    is_place = may_be_place and _PLACE_AFTER.match(text, piece.end)
    return bool(is_place or _BRAND_AFTER.match(text, piece.end))


def _around(text: str, start: int, end: int, stop: re.Pattern[str]) -> str:
    first = max(
        (found.end() for found in stop.finditer(text, max(0, start - 60), start)), default=max(0, start - 60)
    )
    last = stop.search(text, end, end + 60)
    return text[first : last.start() if last else end + 60]
