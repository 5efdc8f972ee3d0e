"""Numbers as what they count: money, dates, times, phone numbers, so many people. English and Chinese."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

MAX_NUMBER_CHARS = 15  # longer ones are ids and stay as they are written

_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4}
_DIGITS |= {"五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_POWERS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "亿": 100_000_000}
_MEASURES = (
    "点|月|号|日(?!常)|块|元|岁|公里|公斤|千克|斤|次|杯|片|粒|颗|个|人|位|名|年级|楼|层|码|小时|分钟"
    "|度|平|只|条|辆|本|天|周|年|包|支|根|米|毫克|门|套|架|匹|头|双|台|张|间|座|件|场|口|节|瓶|碗|盒|袋|季|集|章"
)
_AFTER_ONE = "片|杯|次|元|岁|公里|公斤|小时|粒|颗|度|楼|层|月[^份]?\\d|号"  # "一个", "一点" seldom count
_SIGN = "(?!一[个天年次晚份位杯小周顿张人])[零〇一二两三四五六七八九十百千万亿]"  # 三千五一个月: 3500 a month
_HAN_NUMBER = re.compile(
    rf"(?<![周第礼期拜唯统十百千万\d])(?:一(?={_AFTER_ONE})|[二两三四五六七八九](?={_MEASURES})"
    rf"|(?:{_SIGN}){{0,9}}[十百千](?:{_SIGN}){{0,9}}(?!分|足)"
    rf"|[一二两三四五六七八九十百千]{{1,9}}[万亿][一二三四五六七八九]?)"
)
_UNITS_BY_WORD = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
_TEENS = {"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15}
_TEENS |= {"sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19}
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80}
_TENS |= {"ninety": 90}
_SCALES = {"hundred": 100, "thousand": 1_000, "million": 1_000_000}
_WORDS = _UNITS_BY_WORD | _TEENS | _TENS | {"a": 1, "one": 1}


def _number_words() -> str:
    """From "two" to "twenty-five thousand three hundred and six"; a bare "one" counts nothing."""
    unit, few = (
        "|".join(_UNITS_BY_WORD),
        rf"(?:{'|'.join(_TENS)})(?:[ -](?:one|{'|'.join(_UNITS_BY_WORD)})\b)?",
    )
    below_hundred = rf"(?:{few}|{'|'.join(_TEENS)}|{unit})"
    hundreds = rf"(?:(?:a|one|{below_hundred}) hundred(?:(?: and)? {below_hundred})?|{below_hundred})"
    scaled = rf"(?:a|one|{hundreds}) (?:thousand|million)(?:(?: and)? {hundreds})?"
    return rf"\b(?:{scaled}|{hundreds})\b(?![-\u2019'])"


_NUMBER_WORD = re.compile(_number_words())
_ONE_EACH = re.compile(r"\bone\b(?= [a-z]+ (?:a|per|every|each) (?:day|week|month|year)\b)")
_ONCE = re.compile(r"\b(?:once|twice)\b(?= (?:a|per|every|each) )")
_HAN_HALF = re.compile(r"半(?=包|片|杯|斤|小时|天)")
_HAN_TENTHS = re.compile(r"([一二两三四五六七八九]|\d)块([一二三四五六七八九])(?![个天年次毛分])")  # 两块八

_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_SHORT_MONTHS = "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_MONTH_NUMBERS = {name[:3]: str(number) for number, name in enumerate(_MONTHS.split("|"), 1)}
_MONTH = rf"(?:{_MONTHS}|{_SHORT_MONTHS})\.?"
_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_FREE = (  # no "I am free on Monday"
    r"(?<=\bis )free(?: of charge)?(?= for |[.,;!]|$| \W)|(?<=\bare )free of charge|\bfor free\b"
    r"|不要钱|不用钱|不花钱|不收费|免费"
)
_UNITS = (
    "kg|kilos?|kilograms?|km|kilomet(?:er|re)s?|miles?|mi|mg|ml|cm|lbs?|pounds?|gb|tb|mb"
    "|people|persons?|members|employees|engineers|developers|kids|cats|dogs|brothers|sisters"
    "|hours?|hrs?|minutes?|mins?|days?|weeks?|months?|years?|times|cups?|pills?|tablets?"
    "|公里|公斤|千克|斤|次|杯|片|粒|颗|个人|人|位|名|年级|楼|层|码|小时|分钟|度|平米?|只|条|辆|本|天|周|年|包|支|根"
    "|米|毫克|岁|个月|个|门|套"
)
_UNIT_NAMES = {
    "kg": "kilo kilogram 公斤 千克",
    "km": "kilometer kilometre 公里",
    "mile": "mi",
    "lb": "pound",
    "people": "person member employee 个人 人 位 名",
    "hour": "hr 小时",
    "minute": "min 分钟",
    "平": "平米",
}
_SAME_UNIT = {name: unit for unit, names in _UNIT_NAMES.items() for name in names.split()}


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number of a text: what it counts, how much, and where it stands."""

    kind: str
    value: str
    start: int
    end: int


def with_digits(text: str) -> str:
    """The text with numerals that count something as digits: two is 2, 六千 is 6000, 下午三点 is 下午3点."""
    text = _ONCE.sub(lambda match: "1 times" if match.group() == "once" else "2 times", text)
    text = _ONE_EACH.sub("1", text)
    text = _NUMBER_WORD.sub(lambda match: _worded(match.group()), text)
    text = _HAN_HALF.sub("0.5", text)
    text = _HAN_TENTHS.sub(lambda match: f"{_DIGITS.get(match[1], match[1])}.{_DIGITS[match[2]]}块", text)
    return _HAN_NUMBER.sub(lambda match: _shown(_han_value(match.group())), text)


def quantities(text: str) -> list[Quantity]:
    """The numbers of a folded text, left to right; each character belongs to one at most."""
    found: list[Quantity] = []
    taken = bytearray(len(text))
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            if not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = b"\1" * len(match.group())
                kind, value = read(match)
                found.append(Quantity(kind, value, match.start(), match.end()))
    return sorted(found, key=lambda quantity: quantity.start)


def _han_value(numeral: str) -> int:
    """三千万 closes at 万, 十二亿三千万 at both; 三百五 is 350, 三百零五 is 305."""
    total = section = digit = 0
    step = 1  # what a digit at the end counts
    for sign in numeral:
        if sign in _DIGITS:
            digit, step = _DIGITS[sign], step if _DIGITS[sign] else 1
            continue
        power = _POWERS[sign]
        if power == _POWERS["亿"]:
            total, section = (total + section + digit) * power, 0
        elif power == _POWERS["万"]:
            total, section = total + (section + digit) * power, 0
        else:
            section += (digit or 1) * power
        digit, step = 0, max(power // 10, 1)
    return total + section + digit * step


def _worded(words: str) -> str:
    """twenty-five thousand three hundred is 25300."""
    total = section = 0
    for word in re.findall(r"[a-z]+", words):
        if word == "hundred":
            section *= _SCALES[word]
        elif word in _SCALES:
            total, section = total + section * _SCALES[word], 0
        elif word != "and":
            section += _WORDS[word]
    return str(total + section)


def _shown(number: float) -> str:
    return f"{number:.12g}"


def _number(written: str) -> float:
    return float(written.replace(",", ""))


def _amount(match: re.Match[str]) -> str:
    if len(match["number"]) > MAX_NUMBER_CHARS:
        return match["number"]
    scale = {"k": 1e3, "千": 1e3, "万": 1e4, "m": 1e6, "亿": 1e8}.get(match["scale"] or "", 1)
    return _shown(_number(match["number"]) * scale)


def _date(match: re.Match[str]) -> tuple[str, str]:
    named = match["month"] or match["month_after"]
    return "date", f"{_MONTH_NUMBERS[named[:3]]} {int(match['day'] or match['day_before'])}"


def _clock(match: re.Match[str]) -> tuple[str, str]:
    hour, half = int(match["hour"]), match["half"] if "half" in match.re.groupindex else None
    late = (match["late"] or "") in ("pm", "p.m.", "下午", "晚上", "傍晚")
    minute = 30 if half else int(match["minute"] or 0)
    return "time", f"{hour + 12 * (late and hour < 12)}:{minute:02}"


def _unit(match: re.Match[str]) -> tuple[str, str]:
    unit = match["unit"]
    stem = unit[:-1] if unit.isascii() and unit.endswith("s") else unit
    return "unit:" + _SAME_UNIT.get(stem, stem), _amount(match)


def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z0-9.]){source}(?![a-z0-9])")


_SCALED = rf"(?P<number>{_NUMBER})(?P<scale>[km千万亿])?"


def _readers() -> Iterator[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[str, str]]]]:
    """The patterns, the surest first: what one has taken, no later one sees."""
    yield re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", re.ASCII), lambda m: ("email", m.group())
    yield re.compile(r"https?://[\x21-\x7e]+|www\.[\x21-\x7e]+"), lambda m: ("url", m.group())
    yield (
        _pattern(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})"),
        lambda m: ("date", f"{int(m[2])} {int(m[3])} {m[1]}"),
    )
    yield (
        re.compile(r"(?<![a-z0-9.,$])\+?(?:\d[ -]?){6,14}\d(?![\d.,]\d|[a-z0-9万千元块])"),
        lambda m: ("phone", re.sub(r"\D", "", m.group())),
    )
    yield (
        _pattern(
            rf"(?:(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
            rf"|(?P<day_before>\d{{1,2}})(?:st|nd|rd|th)?\.? (?:of )?(?P<month_after>{_MONTH}))"
        ),
        _date,
    )
    yield re.compile(r"(\d{1,2})月(\d{1,2})[日号]?"), lambda m: ("date", f"{int(m[1])} {int(m[2])}")
    yield re.compile(r"(\d{1,2})月(?!份?的?报)"), lambda m: ("month", m[1])
    yield (
        _pattern(rf"(?:in|by|until|till|since|of|this|next) ({_MONTH})"),
        lambda m: ("month", _MONTH_NUMBERS[m[1][:3]]),
    )
    yield _pattern(rf"({_MONTHS.replace('may|', '')})"), lambda m: ("month", _MONTH_NUMBERS[m[1][:3]])
    yield re.compile(r"(?<!\d)((?:19|20)\d\d)年"), lambda m: ("year", m[1])
    yield _pattern(r"(?:in|since|until|from|to) ((?:19|20)\d\d)"), lambda m: ("year", m[1])
    yield re.compile(r"(?<!\d)(\d{1,2})[号日](?!楼|线)"), lambda m: ("day", m[1])
    yield _pattern(r"(?:the )?(\d{1,2})(?:st|nd|rd|th)"), lambda m: ("day", m[1])
    yield _pattern(r"(?P<hour>\d{1,2}):(?P<minute>\d\d) ?(?P<late>am|pm|a\.m\.|p\.m\.)?"), _clock
    yield _pattern(r"(?P<hour>\d{1,2})(?P<minute>)(?P<late> ?(?:am|pm|a\.m\.|p\.m\.))"), _stripped_clock
    yield re.compile(r"(?P<late>下午|晚上|傍晚)?(?P<hour>\d{1,2}):(?P<minute>\d\d)"), _clock
    yield (
        re.compile(
            r"(?P<late>下午|晚上|傍晚)?(?P<hour>\d{1,2})点钟?(?:(?P<half>半)|(?P<minute>\d{1,2})分?)?"
        ),
        _clock,
    )
    yield _pattern(r"at (?P<hour>\d{1,2})(?P<minute>)(?P<late>)(?! ?[%$€£]|,\d| \d)"), _clock
    yield re.compile(rf"(?<![\d.])({_NUMBER}) ?(?:%|percent|per cent|个点)"), lambda m: ("percent", m[1])
    yield re.compile(rf"百分之({_NUMBER})"), lambda m: ("percent", m[1])
    yield re.compile(rf"[$€£¥] ?{_SCALED}(?![a-z0-9])"), lambda m: ("money", _amount(m))
    yield (
        _pattern(rf"{_SCALED} ?(?:euros?|dollars?|eur|usd|bucks|gbp|chf|yuan|rmb|cny|yen)"),
        lambda m: ("money", _amount(m)),
    )
    yield (
        re.compile(rf"(?<![\d.]){_SCALED} ?(?:块钱?|元|美元|美金|欧元|人民币|港币|日元)"),
        lambda m: ("money", _amount(m)),
    )
    yield re.compile(_FREE), lambda m: ("money", "0")
    yield re.compile(r"初([一二三四五六七八九十])"), lambda m: ("lunar", str(_han_value(m[1])))
    yield _pattern(r"size (?P<number>\d+(?:\.\d)?)(?P<scale>)"), lambda m: ("unit:size", _amount(m))
    yield _pattern(r"(\d{1,3})[ -]years?[ -]old"), lambda m: ("number", m[1])  # "is six" says the same
    yield re.compile(rf"(?<![a-z0-9.]){_SCALED}[ -]?(?P<unit>{_UNITS})(?![a-z])"), _unit
    yield re.compile(rf"(?<![a-z0-9.]){_SCALED}(?![a-z0-9])"), lambda m: ("number", _amount(m))
    yield re.compile(r"(?<=[a-z])\d+(?:\.\d+)*|(?<![\d.])\d+(?:\.\d+)+"), lambda m: ("number", m.group())


def _stripped_clock(match: re.Match[str]) -> tuple[str, str]:
    hour, late = int(match["hour"]), match["late"].strip().startswith("p")
    return "time", f"{hour + 12 * (late and hour < 12)}:00"


_READERS = tuple(_readers())
