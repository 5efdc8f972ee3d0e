"""The times that a Chinese question names, as words; 三个月 and 第三周 alone name none."""

import re
from collections.abc import Callable, Iterator

from memory.dates.chinese import REPEATED, THINGS, festivals, number
from memory.dates.named import CalendarDate, Named, Portion, Reader
from memory.dates.relative import (
    Unit,
    adjacent,
    day_of_month_away,
    days_away,
    few_ago,
    latest,
    months_from_this,
    offset,
    weekday_near,
    weekday_of_week,
    weekend_near,
    weekend_of_week,
    weeks_away,
)
from memory.dates.seasons import season

_N = r"(?:\d{1,3}|[零〇一二两三四五六七八九十]{1,3})"
_NUMERAL = r"\d零〇一二两三四五六七八九十"
_WEEK = r"(?:周|週|星期|礼拜|禮拜)"
_SIDE = r"(?P<side>(?:上{1,3}|下{1,3}|这|這|本)[个個]?)"
_FULL_YEAR = r"(?:(?:19|20)\d\d|[一二][九零〇][零〇一二三四五六七八九]{2})"
_NEAR_YEARS = {"今年": 0, "本年": 0, "去年": -1, "前年": -2, "大前年": -3, "明年": 1, "后年": 2, "後年": 2}
_NEAR_YEAR = "大前年|今年|本年|去年|前年|明年|后年|後年"
_DAY = rf"(?P<day>{_N})\s?[日号號]"
_TO = r"\s?[-~—–－～到至、和]\s?"
_DAYS_FOLLOW = rf"(?:[日号號]|{_TO}\d{{1,2}}[日号號])"
_WEEKDAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_DAYS = {"大前天": -3, "前天": -2, "昨": -1, "今": 0, "明": 1, "大后天": 3, "大後天": 3, "后天": 2, "後天": 2}
_UNITS: dict[str, Unit] = {"天": "day", "日": "day", "周": "week", "週": "week", "月": "month", "年": "year"}
_UNIT = r"(?P<unit>分钟|小时|钟头|天|日|周|週|星期|礼拜|月|年)"
_DIGITS = str.maketrans("零〇一二三四五六七八九", "00123456789")

_PORTION = re.compile(
    r"的?(?:(?:第(?P<week>[一二三四五1-5])|(?P<last>最后一))[个個]?(?:周|週|星期|礼拜)(?![一二三四五六日天末])"
    r"|年?(?P<side>初|底|末|中旬|中|上旬|下旬|上半[年月]|下半[年月]|前半[年月]|后半[年月])(?![学国间午]))"
)
_PORTIONS: dict[str, Portion] = {
    "初": "early",
    "上旬": "early",
    "中": "middle",
    "中旬": "middle",
    "底": "late",
    "末": "late",
    "下旬": "late",
    "上": "first half",
    "前": "first half",
    "下": "second half",
    "后": "second half",
}

Maker = Callable[[re.Match[str]], Named | None]


def named(text: str) -> Iterator[Named]:
    """Every name of a time in the text, overlapping ones too, in no order."""
    for match in REPEATED.finditer(text):
        yield Named(*match.span(), is_void=True)
    for pattern, make in _PATTERNS:
        for match in pattern.finditer(text):
            found = make(match)
            if found is not None:
                yield _portioned(text, found)
    for start, end, read in festivals(text):
        yield Named(start, end, read=read, comes_again=True)


def _portioned(text: str, found: Named) -> Named:
    """With the words after it that take a part of it: 6月第一周, 上个月底, 去年年初."""
    tail = _PORTION.match(text, found.end)
    is_period = found.date is None or found.date.day is None
    if tail is None or not is_period or text[found.end - 1] not in "月份年":
        return found
    portion: Portion = -1
    if tail["week"]:
        portion = number(tail["week"])
    elif tail["side"]:
        portion = _PORTIONS.get(tail["side"]) or _PORTIONS[tail["side"][0]]
    return Named(found.start, tail.end(), found.date, found.read, portion)


def _calendar(match: re.Match[str]) -> Named | None:
    words = match.groupdict()
    try:
        day = number(words["day"]) if words.get("day") else None
        month = number(words["month"]) if words.get("month") else None
    except ValueError:
        return None
    if (day is not None and not 1 <= day <= 31) or (month is not None and not 1 <= month <= 12):
        return None
    year, away = _year(words.get("year") or "", words.get("near") or "")
    return Named(*match.span(), CalendarDate(year, away, month, day))


def _weak(match: re.Match[str]) -> Named | None:
    found = _calendar(match)
    return found and Named(found.start, found.end, found.date, is_weak=True)


def _year(year: str, near: str) -> tuple[int | None, int | None]:
    if near:
        return None, _NEAR_YEARS[near]
    if not year:
        return None, None
    digits = int(year.translate(_DIGITS))
    return digits if digits > 99 else 2000 + digits, None


def _side(words: str | None) -> int:
    return (words or "").count("下") - (words or "").count("上")


def _weekday(match: re.Match[str]) -> Named:
    weekday, side = _WEEKDAYS[match["weekday"]], match["side"]
    read = weekday_of_week(weekday, _side(side)) if side else weekday_near(weekday)
    return Named(*match.span(), read=read, comes_again=not side)


def _day(match: re.Match[str]) -> Named:
    count = next(away for words, away in _DAYS.items() if match[0].startswith(words))
    return Named(*match.span(), read=days_away(count))


def _week(match: re.Match[str]) -> Named:
    return Named(*match.span(), read=weeks_away(_side(match["side"])))


def _weekend(match: re.Match[str]) -> Named:
    side = match["side"]
    read: Reader = weekend_of_week(_side(side)) if side else weekend_near
    return Named(*match.span(), read=read, comes_again=not side)


def _month(match: re.Match[str]) -> Named | None:
    side, day = _side(match["side"]), match["day"]
    if day is None:
        return Named(*match.span(), read=months_from_this(side))
    try:
        return Named(*match.span(), read=day_of_month_away(number(day), side))
    except ValueError:
        return None


def _edge(match: re.Match[str]) -> Named:
    portion: Portion = "early" if match[0].endswith("初") else "late"
    if match[0][0] == "年":
        return Named(*match.span(), CalendarDate(years_away=0), portion=portion)
    return Named(*match.span(), read=months_from_this(0), portion=portion)


def _offset(match: re.Match[str]) -> Named | None:
    sign = -1 if "前" in match["way"] else 1
    if match["count"] == "几" or match["count"] == "幾":
        return Named(*match.span(), read=few_ago(_unit(match))) if sign < 0 else None
    return Named(*match.span(), read=offset(sign * _count(match), _unit(match)))


def _latest(match: re.Match[str]) -> Named | None:
    return Named(*match.span(), read=latest(_count(match), _unit(match)))


def _beside(match: re.Match[str]) -> Named:
    """前一天, 后两周: beside the date that it counts from."""
    read = adjacent(number(match["count"]), _unit(match))
    return Named(*match.span(), read=read, is_weak=True, is_beside=True)


def _season(match: re.Match[str]) -> Named:
    """去年夏天, 2021年春季, 上个冬天."""
    place = "春夏秋冬".index(match["season"])
    year, away = _year(match["year"] or "", match["near"] or "")
    side = _side(match["side"]) if match["side"] else None
    return Named(*match.span(), read=season(place, year=year, years=away, side=side))


def _few_days(match: re.Match[str]) -> Named:
    return Named(*match.span(), read=few_ago("day") if match[0][0] == "前" else latest(4, "day"))


def _count(match: re.Match[str]) -> float:
    words = match["count"]
    count = 0.5 if words == "半" else 5.0 if words in "几幾" else float(number(words))
    return count / 60 if match["unit"] == "分钟" else count


def _unit(match: re.Match[str]) -> Unit:
    words = match["unit"]
    return "week" if words in ("星期", "礼拜") else _UNITS.get(words, "moment")


_COUNT = rf"(?P<count>半|几|幾|{_N})[个個]?"
_PATTERNS: tuple[tuple[re.Pattern[str], Maker], ...] = (
    (
        re.compile(
            rf"(?<![{_NUMERAL}])(?:(?P<year>{_FULL_YEAR}|\d\d(?=年))年|(?P<near>{_NEAR_YEAR}))的?\s?(?P<month>{_N})\s?月份?(?:\s?{_DAY})?"
        ),
        _calendar,
    ),
    (
        re.compile(rf"(?<![{_NUMERAL}第.年])(?P<month>{_N})\s?月份?\s?{_DAY}"),
        _calendar,
    ),
    (
        re.compile(
            rf"(?<![{_NUMERAL}第.])(?P<month>{_N})\s?月(?:份)?(?![{_NUMERAL}]{{1,3}}\s?{_DAYS_FOLLOW}|球|饼|亮|票|租|嫂|刊|薪)"
        ),
        _calendar,
    ),
    (
        re.compile(
            rf"(?<![{_NUMERAL}第.年])(?P<month>{_N})\s?月\s?(?P<day>\d{{1,2}})(?={_TO}\d{{1,2}}[日号號])"
        ),
        _calendar,
    ),
    (re.compile(rf"(?<![{_NUMERAL}])(?P<year>{_FULL_YEAR})年(?![前后後来內内间级])"), _calendar),
    (re.compile(rf"(?P<near>{_NEAR_YEAR})"), _calendar),
    (
        re.compile(rf"(?<![月第路街道弄巷村区栋舟A-Za-z{_NUMERAL}.])(?P<day>{_N})[号號](?!{THINGS})"),
        _calendar,
    ),
    (re.compile(rf"(?<![{_NUMERAL}第.])(?P<day>{_N})[日号號]"), _weak),
    (re.compile(rf"(?<![{_NUMERAL}第.])(?P<day>\d{{1,2}})(?={_TO}\d{{1,2}}[日号號])"), _weak),
    (
        re.compile(
            rf"(?<![每一两二三四五六七八九十几\d])(?:{_SIDE}(?:{_WEEK}的?)?)?{_WEEK}(?P<weekday>[一二三四五六日天])(?![次遍])"
        ),
        _weekday,
    ),
    (
        re.compile(
            r"大?[前后後]天(?:[早晚](?!上)|晚上|早上)?|[昨今明](?:天|日|儿|兒)(?!报)|[昨今明][早晚](?![报餐])|今[晨夜]|昨夜"
        ),
        _day,
    ),
    (re.compile(rf"(?<![每一]){_SIDE}{_WEEK}(?![一二三四五六日天末])"), _week),
    (re.compile(rf"(?<![每一{_NUMERAL}个])(?:{_SIDE})?周末"), _weekend),
    (re.compile(rf"(?<!每){_SIDE}月(?:份)?(?:的?(?P<day>{_N})[号號日])?"), _month),
    (re.compile(rf"(?<![每几半个個年份上下这這本{_NUMERAL}])[年月][底初]"), _edge),
    (
        re.compile(
            rf"(?<![第{_NUMERAL}.]){_COUNT}{_UNIT}(?P<way>之前|以前|前|之后|之後|以后|以後|后|後)(?![来來])"
        ),
        _offset,
    ),
    (
        re.compile(
            rf"(?:最近|过去|過去|近|这|這)的?{_COUNT}(?P<unit>天|日|周|週|星期|礼拜|月|年)(?:以来|之内|以内|内|里|来)?"
        ),
        _latest,
    ),
    (re.compile(r"[这這前][几幾两]天"), _few_days),
    (
        re.compile(
            rf"(?:(?P<year>{_FULL_YEAR})年|(?P<near>{_NEAR_YEAR})|{_SIDE})的?(?P<season>[春夏秋冬])[天季]"
        ),
        _season,
    ),
    (re.compile(rf"[前后後](?P<count>{_N})[个個]?(?P<unit>天|日|周|週|星期|礼拜|月)"), _beside),
)
