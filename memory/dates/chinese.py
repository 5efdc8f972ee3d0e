"""Chinese dates: our own patterns find the words (一周三次 is no Wednesday), jionlp reads the days."""

import functools
import re
from collections.abc import Callable, Iterator
from datetime import timedelta

from memory.dates.clock import Clock, Part
from memory.dates.jio import chinese_day
from memory.dates.moment import (
    DAY,
    Precision,
    Said,
    Stretch,
    day_of_month,
    elapsed,
    is_just_over,
    last_day,
    months_away,
    next_month,
    weekend,
    whole,
)
from memory.dates.pieces import Piece

_N = r"(?:\d{1,3}|[零〇一二两俩三四五六七八九十]{1,3})"
_WEEK = r"(?:周|星期|礼拜)"
_SIDE = r"(?:上{1,2}|下{1,2}|这|本)个?"
_YEAR = r"(?:(?:19|20)\d\d年|今年|明年|后年|去年|前年|大前年)"
# A market, a tree, a gala: what is named after a festival is no day.
_NAMED_AFTER_IT = (
    "(?:市场|市集|集市|树|礼|贺卡|卡片|老人|帽|歌|音乐|装饰|晚会|联欢|汇演|[大晚套]餐|饭|促销|大促|活动|特卖|优惠|档|"
    "电影|晚宴|粽|月饼|汤圆|灯|快乐|祝福|红包|对联|主题|系列|限定|限量|版|款|甜品|蛋糕|饼干|广场|路|大道|购物|商品|"
    "公园|习俗|传统|故事|由来|的由来)"
)
_FESTIVAL = (
    r"(?:(?:春节|除夕夜?|平安夜|跨年夜|元宵节|元旦|情人节|清明节?|端午节?|中秋节?|国庆节?|圣诞节?|五一|双十一|双十二)"
    rf"(?!的?{_NAMED_AFTER_IT}|节(?:的?{_NAMED_AFTER_IT})))"
)
THINGS = r"[楼线店院车门馆机库桌房球码厅台站井坑柜仓区选手员技师文字键]"  # 2号楼, 3号线

GAP = re.compile(r"[\s,，]{0,2}的?")
LIMIT_AFTER = re.compile(
    r"\s?(?:(?:下班|放学|睡觉?)?(?:之前|以前|前(?![往去来面台后端任妻女男方提辈言]))|为止|截止"
    r"|(?:之内|以内|内(?![容部存裤衣饰向心蒙测卷])))"
)

# 在家过 celebrates, 去过 is over.
_PAST = re.compile(
    r"(?<![就快要到该为])(?:了|(?<![家里起么])过(?![年节生来去几两后完]))|上次|那天|当时|才[一-鿿]{1,4}的"
    r"|[结生买来去认识见吃](?:的|过)(?![时])|(?:入职|开始|毕业|开业|成立|装修|出生|离职|搬家?|转|考|读|[学上建住换签])"
    r"[^，。]{0,5}的(?:$|[，。])|开始[学做养练用]的|[搬毕结入离]的[家业婚职]|刚(?!好|才|要|刚好)|(?:起|开始)[^，。]{0,4}(?:一直|就在)"
)
_FUTURE = re.compile(
    r"(?<![摘纪概简主重])要|得|会|(?:改签?|挪|换|调|推迟|延期|提前|延)到|打算|准备|计划|提醒|记得|别忘|之前|以前|截止|到期|就该|预[定约订]|(?:说|约|讲)好|答应|约了|定了|订了|买了.{0,16}票"
)
_CLAUSE_END = re.compile(r"[。！？；，、,.!?;\n]")

_PARTS: dict[str, Part] = {
    "凌晨": "dawn",
    "半夜": "dawn",
    "清晨": "morning",
    "一大早": "morning",
    "一早": "morning",
    "早上": "morning",
    "早晨": "morning",
    "上午": "morning",
    "早": "morning",
    "中午": "noon",
    "下午": "afternoon",
    "傍晚": "evening",
    "晚上": "evening",
    "夜里": "night",
    "晚": "evening",
}
_PART = "|".join(_PARTS)
_PART_WORDS = re.compile(rf"(?!(?<=[周期拜])一早)(?<!最)(?P<part>{_PART})")  # 周一早上 is no 一早
_CLOCKS = re.compile(
    rf"(?<![第\d.零〇一二两三四五六七八九十有差])(?P<hour>{_N})[点點](?P<rest>钟|整|半|[一三]刻|[零〇]?{_N}分?)?"
    r"(?![儿个建意原求问内\d]|要(?:求|点|注意|强调|说|补充|改)|左右.?不)"
)
_CLOCK_NEAR = re.compile(r"[\s的]?(?:之前|以前|前|钟|开|出发|到|去|见|叫|提醒|吃|起床|集合|左右|要|我|来|打)")
_ALONE_BEFORE = re.compile(r"[，,]\s*$")  # 明晚聚餐，七点
_ALONE_AFTER = re.compile(r"\s*(?:$|[，,。！!])")
_PART_NEAR = re.compile(
    r"[\s，,]?(?:提醒|叫我|记得|别忘|开会|有会)"
)  # 晚上提醒我 is tonight; 晚上睡不着 is no date
REPEATED = re.compile(
    rf"周一[到至]周五|每(?:隔)?(?:个|[一两二三]个?)?(?:{_WEEK}[一二三四五六日天]?(?:[和、跟及到至]+(?:{_WEEK})?[一二三四五六日天])*|工作日|天|日|月(?:{_N}[号日])?|年|早|晚)"
)
_DIGITS = {d: i for i, d in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "俩": 2}

Reader = Callable[[str, Said, bool], Stretch]


def pieces(text: str, said: Said) -> Iterator[Piece]:
    """Every piece of a date in the text, overlapping ones too."""
    for pattern, read in _DAYS:
        for match in pattern.finditer(text):
            yield from _day_piece(text, match, read, said)
    for match in REPEATED.finditer(text):
        yield Piece(*match.span(), is_void=True)
    for match in _CLOCKS.finditer(text):
        yield from _clock_piece(text, match)
    for match in _PART_WORDS.finditer(text):
        is_firm = bool(_PART_NEAR.match(text, match.end()))
        yield Piece(*match.span(), part=_PARTS[match["part"]], is_firm=is_firm)


def festivals(text: str) -> Iterator[tuple[int, int, Callable[[Said, bool], Stretch]]]:
    """The festivals that a text names: where they stand, and the day for who asks, back or ahead."""
    for pattern, read in _FESTIVALS:
        for match in pattern.finditer(text):
            yield *match.span(), functools.partial(read, match[0])


def _day_piece(text: str, match: re.Match[str], read: Reader, said: Said) -> Iterator[Piece]:
    is_past = _is_past(text, match.start(), match.end())
    try:
        day = read(match[0], said, is_past)
        if read is _yearly and not is_past and not _is_ahead(text, *match.span()):
            before = read(match[0], said, True)
            day, is_past = (before, True) if is_just_over(before, said) else (day, False)
    except (ValueError, OverflowError):
        return  # 2月30号
    part = _PART_WORDS.search(match[0])
    yield Piece(
        *match.span(),
        day=day,
        part=_PARTS[part["part"]] if part else None,
        is_past=is_past,
        is_weekday=read is _weekday and match[0].startswith(("周", "星", "礼")),
        is_limit=match[0].endswith("内"),
    )


def _clock_piece(text: str, match: re.Match[str]) -> Iterator[Piece]:
    hour, rest = number(match["hour"]), match["rest"] or ""
    minute = {"": 0, "钟": 0, "整": 0, "半": 30, "一刻": 15, "三刻": 45}.get(rest)
    minute = number(rest.strip("零〇分") or "0") if minute is None else minute
    has_minutes = rest not in ("", "钟", "整")
    is_firm = bool(rest in ("钟", "整", "半", "一刻", "三刻") or _CLOCK_NEAR.match(text, match.end()))
    is_firm = is_firm or bool(
        _ALONE_BEFORE.search(text, 0, match.start()) and _ALONE_AFTER.match(text, match.end())
    )
    is_firm = is_firm and (match["hour"] != "一" or bool(rest))  # 一点 mostly means "a little"
    is_past = _is_past(text, match.start(), match.end())
    clock = Clock(hour, minute, has_minutes, is_open=0 < hour <= 12)
    yield Piece(*match.span(), clock=clock, is_firm=is_firm, is_past=is_past)


def number(words: str) -> int:
    """A Chinese or Arabic numeral under a thousand. Raises ValueError for other words."""
    if words.isascii():
        return int(words)
    tens, ten, ones = words.partition("十")
    if not ten:
        return int("".join(str(_digit(word)) for word in words))
    return 10 * (_digit(tens) if tens else 1) + (_digit(ones) if ones else 0)


def _digit(word: str) -> int:
    if word not in _DIGITS:
        raise ValueError(f"{word!r} is no numeral")
    return _DIGITS[word]


def _is_past(text: str, start: int, end: int) -> bool:
    return bool(_PAST.search(_clause(text, start, end))) and not _is_ahead(text, start, end)


def _is_ahead(text: str, start: int, end: int) -> bool:
    return bool(_FUTURE.search(_clause(text, start, end)))


def _clause(text: str, start: int, end: int) -> str:
    clause_start = max((m.end() for m in _CLAUSE_END.finditer(text, max(0, start - 60), start)), default=0)
    clause_end = _CLAUSE_END.search(text, end, end + 60)
    return text[max(clause_start, start - 60) : clause_end.start() if clause_end else end + 60]


def _day(words: str, said: Said, _is_past: bool) -> Stretch:
    name = re.sub(rf"(?:{_PART}|儿个?)$", "", words).replace("今日", "今天").replace("明日", "明天")
    name = name + "天" if name in ("今", "明", "昨", "后") else name
    return whole(chinese_day(name, said).start, "day")


def _weekday(words: str, said: Said, is_past: bool) -> Stretch:
    words = re.sub("[1-7]", lambda digit: "一二三四五六日"[int(digit[0]) - 1], words)
    day = whole(chinese_day(words, said).start, "day")
    if not words.startswith(("周", "星", "礼")):
        return day
    if is_past:
        return day if day.start <= said.midnight else whole(chinese_day("上" + words, said).start, "day")
    return day if day.start >= said.midnight else whole(chinese_day("下" + words, said).start, "day")


_EVES = {"除夕": "春节", "除夕夜": "春节", "平安夜": "圣诞节", "跨年夜": "元旦"}  # each the day before


def _yearly(words: str, said: Said, is_past: bool) -> Stretch:
    """A day that comes once a year: 12月5号, 春节."""
    if eve := _EVES.get(words):
        return whole(_yearly(eve, said, is_past).start - DAY, "day")
    month, is_month, _ = words.partition("月")
    if is_month and not 1 <= number(month.strip()) <= 12:
        raise ValueError("a year has twelve months")
    this = whole(chinese_day("今年" + words, said).start, "day")
    if is_past:
        return this if this.start <= said.midnight else whole(chinese_day("去年" + words, said).start, "day")
    return this if this.start >= said.midnight else whole(chinese_day("明年" + words, said).start, "day")


def _dotted(words: str, said: Said, is_past: bool) -> Stretch:
    """12.8号, 12/8下午."""
    return _yearly(re.sub(r"[./]", "月", words.rstrip("号日")) + "号", said, is_past)


def _dated(words: str, said: Said, _is_past: bool) -> Stretch:
    return whole(chinese_day(words, said).start, "day")


def _festival_of_year(words: str, said: Said, is_past: bool) -> Stretch:
    for name, eve in _EVES.items():
        if words.endswith(name):
            return whole(_dated(words.removesuffix(name) + eve, said, is_past).start - DAY, "day")
    return _dated(words, said, is_past)


def _month(words: str, said: Said, is_past: bool) -> Stretch:
    month = number(words.removesuffix("份").removesuffix("月"))
    this = said.midnight.replace(day=1)
    away = (month - this.month) % 12
    if not 1 <= month <= 12:
        raise ValueError("a year has twelve months")
    return whole(next_month(this, away - 12 if is_past and away else away), "month")


def _month_of_year(words: str, said: Said, _is_past: bool) -> Stretch:
    return whole(chinese_day(words.removesuffix("份"), said).start, "month")


def _year(words: str, said: Said, _is_past: bool) -> Stretch:
    return whole(chinese_day(words, said).start, "year")


def _year_end(words: str, said: Said, _is_past: bool) -> Stretch:
    year = words.removesuffix("底").removesuffix("年") + "年"
    return last_day(whole(said.midnight if year == "年" else chinese_day(year, said).start, "year"))


def _near_month(words: str, said: Said, is_past: bool) -> Stretch:
    """下个月, 月底, 下个月5号, 上月初."""
    month = whole(next_month(said.midnight.replace(day=1), _steps(words)), "month")
    day = re.search(rf"月({_N})[号日]", words)
    if day:
        found = month.start + (number(day[1]) - 1) * timedelta(days=1)
        if not month.start <= found < month.end:
            raise ValueError("the month has no such day")
        return whole(found, "day")
    if words.endswith("底"):
        return last_day(month)
    if not words.endswith("初"):
        return month
    start = month.start
    if words == "月初" and not is_past and start + timedelta(days=5) <= said.midnight:
        start = next_month(start)
    return Stretch(start, start + timedelta(days=5), "day")


def _week(words: str, said: Said, _is_past: bool) -> Stretch:
    monday = said.midnight + timedelta(days=7 * _steps(words))
    return weekend(monday) if words.endswith("末") else whole(monday, "week")


def _steps(words: str) -> int:
    return words.count("下") - words.count("上")


def _nth(words: str, said: Said, is_past: bool) -> Stretch:
    return whole(day_of_month(said, number(words[:-1]), is_past=is_past), "day")


def _offset(words: str, said: Said, _is_past: bool) -> Stretch:
    match = _OFFSET.fullmatch(words)
    if match is None:
        raise ValueError("not an offset")
    count = 0.5 if match["n"] == "半" else float(number(match["n"]))
    count += 0.5 if match["half"] else 0
    count *= -1 if "前" in (match["side"] or "") else 1
    unit = match["unit"]
    if unit == "月" and match["n"] == "半" and count > 0:
        return whole(said.midnight + timedelta(days=_HALF_A_MONTH_DAYS), "day")
    if unit in ("年", "月"):
        months = round(count * 12) if unit == "年" else round(count)
        return whole(months_away(said.midnight, months), _exactness(match))
    seconds = {"分钟": 60, "刻钟": 900, "小时": 3600, "钟头": 3600}.get(unit)
    if seconds:
        return elapsed(said, count * seconds)
    return whole(said.midnight + timedelta(days=round(count * (1 if unit == "天" else 7))), "day")


def _exactness(offset: re.Match[str]) -> Precision:
    """三年前 is a year, 两个月前 and 半年前 a month; what lies ahead is a day."""
    if "前" not in (offset["side"] or ""):
        return "day"
    return "year" if offset["unit"] == "年" and offset["n"] != "半" else "month"


_HALF_A_MONTH_DAYS = 15
_OFFSET = re.compile(
    rf"(?P<pass>再?过)?(?P<n>半|{_N})个?(?P<half>半)?(?P<unit>分钟|刻钟|小时|钟头|天|周|星期|礼拜|月|年)"
    r"(?P<side>之后|以后|后|之前|以前|前|之内|以内|内|(?(pass)|(?!)))"
)
_FESTIVALS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    (re.compile(rf"{_YEAR}{_FESTIVAL}"), _festival_of_year),
    (re.compile(_FESTIVAL), _yearly),
)
_DAYS: tuple[tuple[re.Pattern[str], Reader], ...] = (
    *_FESTIVALS,
    (
        re.compile(
            r"大?[前后]天(?:[早晚](?![上晨]))?|[昨今明](?:天|日|儿个?)(?!报)|[昨今明][早晚](?!报|餐|点名)"
        ),
        _day,
    ),
    (
        re.compile(
            rf"(?<![每一两二三四五六七八九十几\d])(?:{_SIDE})?{_WEEK}(?:[一二三四五六日天](?![次遍])|[1-7](?![\d个.:：点天人次遍月号日]))"
        ),
        _weekday,
    ),
    (
        re.compile(rf"(?<!\d){_YEAR}\s?{_N}月\s?{_N}[日号]|(?<!\d)(?:19|20)\d\d/\d{{1,2}}/\d{{1,2}}(?!\d)"),
        _dated,
    ),
    (re.compile(rf"(?<![年\d零〇一二两三四五六七八九十]){_N}月\s?{_N}[日号]"), _yearly),
    (
        re.compile(
            rf"(?<![年\d零〇一二两三四五六七八九十个]){_N}月份?(?![\d零〇一二两三四五六七八九十底初]|\s?\d)"
        ),
        _month,
    ),
    (re.compile(rf"{_YEAR}\s?{_N}月份?(?!\s?{_N}[日号])"), _month_of_year),
    (re.compile(rf"{_YEAR}(?![底初\d]|\s?{_N}月)"), _year),
    (re.compile(rf"(?:{_YEAR}|(?<![\d年])年)年?底"), _year_end),
    (
        re.compile(r"(?<![\d零〇一二两三四五六七八九十几多数半百千整今明去后每往当前周])年(?=前[^面后夜])"),
        _year_end,
    ),
    (
        re.compile(
            r"(?<![\d.])(?:1[0-2]|0?[1-9])[./](?:3[01]|[12]\d|0?[1-9])(?![\d./%])(?:[号日]|(?=\s?(?:[上下中]午|[早晚][上晨]|凌晨|之前|以前|[要得必提叫喊]|前[，要得必交把提]|\d{1,2}[:点])))"
        ),
        _dotted,
    ),
    (
        re.compile(
            rf"(?<![每几\d半一两三四五六七八九十个])(?:{_SIDE})?月[底初]|{_SIDE}月(?:{_N}[号日])?(?!底|初)"
        ),
        _near_month,
    ),
    (re.compile(rf"(?<![每一]){_SIDE}{_WEEK}(?![一二三四五六日天末])|(?<![每一])(?:{_SIDE})?周末"), _week),
    (
        re.compile(rf"(?<![月第路街道弄巷村区栋舟A-Za-z\d零〇一二两三四五六七八九十]){_N}号(?!{THINGS})"),
        _nth,
    ),
    (_OFFSET, _offset),
)
