"""Secrets known by what people say about them: "my pin is ...", 密码是……, 验证码……"""

import re
from collections.abc import Iterator

from memory.redact.named import (
    ALGORITHM,
    Values,
    is_secret_at,
    is_secret_value,
    kind_of_name,
    quoted_span,
    sounds_secret,
)
from memory.redact.shapes import Secret

_GAP = r"(?:[ ]{1,3}(?:for|of|to|on|at|in)[ ][^.,;:!?\n]{1,40}?)?"
_FILLER = (
    r"(?:(?:now|still|just|simply|currently|actually|probably|again|set[ ]to|changed[ ]to|called"
    r"|as[ ]follows:?)[ ]{1,3})?"
)
_KEY = (
    r"(?P<key>pass[ -]?words?|pass[ -]?codes?|pass[ -]?phrase|passwd|pwd|pw"
    r"|(?:api|secret|access|private|encryption|license)[ -]?key|(?:access|auth|api|bot|bearer)[ -]token"
    r"|client[ -]secret|token|secret)"
)
_SAID = re.compile(
    rf"(?i)(?<![A-Za-z0-9_]){_KEY}{_GAP}"
    r"(?:['’]s[ ]{1,3}|[ ]{1,3}(?:is|was|will[ ]be|should[ ]be)(?:[ ]{1,3}|:[ ]{0,3})|[ ]{0,3}[:：=][ ]{0,3})"
    rf"{_FILLER}"
)
_CHANGED = re.compile(
    r"(?i)\b(?:chang|set|reset|updat|switch|mad)[a-z]{0,4}[ ](?:[A-Za-z'’]{1,20}[ ]){0,5}?"
    rf"{_KEY}{_GAP}[ ]{{1,3}}(?:to|as)[ ]{{1,3}}(?:be[ ])?"
)
_PHRASE = r"(?i)\bpass[ -]?phrase(?:[ ]is|[ ]?[:=])[ ]{1,3}(?P<secret>[a-z]{3,12}(?:[ -][a-z]{3,12}){2,9})"
_SEED_PHRASE = (
    r"(?i)\b(?:seed|recovery|backup|mnemonic|wallet)[ ](?:phrase|words?)\b[^a-z\n]{0,5}(?:is|are)?"
    r"[^a-z\n]{1,5}(?P<secret>[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})(?![a-z])"
)
_CODE = (
    r"(?i)(?<![A-Za-z0-9_])(?:pin(?:[ -]?codes?|[ ]number)?|otp|combination"
    r"|(?:verification|security|one[- ]time|login|auth|authentication|2fa|mfa|sms|access|door|gate|alarm"
    r"|unlock|entry|garage|lock|voicemail|confirmation|recovery|backup)[ ](?:pass)?codes?)"
    rf"{_GAP}(?:['’]s|[ ]{{1,3}}(?:is|was|are))?[ ]{{0,3}}[:：=#]?[ ]{{0,3}}{_FILLER}"
    r"(?P<secret>\d(?:[ -]?\d){3,11}|(?=[A-Z-]{0,11}\d)[A-Z0-9]{4,12}(?:-[A-Z0-9]{3,8}){0,3})(?![A-Za-z0-9])"
)
_CARD_CODE = r"(?i)(?<![A-Za-z0-9_])(?:cvv2?|cvc2?)(?:[ ]?码)?\D{0,6}(?P<secret>\d{3,4})(?!\d)"
_CARD_NUMBER = r"(?i)\bcard[ ](?:number|no\.?)[^0-9\n]{0,20}(?P<secret>\d(?:[ -]?\d){11,18})(?!\d)"
_SOCIAL_SECURITY = (
    r"(?i)\b(?:ssn|social security(?: number)?)\b[^0-9\n]{0,15}(?P<secret>\d{3}[- ]?\d\d[- ]?\d{4})(?!\d)"
)

_ZH_KEY = r"(?:密码|密碼|口令|暗号|密钥|密鑰|秘钥|密匙|私钥|令牌|助记词|通行码)"
_ZH_NOTE = r"(?:[（(][^）)\n]{0,20}[）)])?[ ]{0,2}(?:一直|现在|目前|以后|已经)?"
_ZH_SAID = re.compile(
    rf"{_ZH_KEY}{_ZH_NOTE}(?P<verb>[就还仍都]?是|為|为|[:：=]"
    r"|(?:改|换|設|设|变|设置|更新|重置)[成为到]了?|叫)(?P<colon>[:：]?)[ ]{0,3}"
)
_ZH_BARE = (
    rf"{_ZH_KEY}[ ]{{0,3}}(?P<secret>(?=[!-/:-~]{{0,30}}\d)(?!\d[.、，)])[!-~]{{4,64}})"
    r"(?![!-~年月日号位个次天种字])"
)
_NOT_A_COUNT = r"(?![0-9A-Za-z年月日位个次天元分秒])"
_ZH_CODE = (
    r"(?i)(?:验证码|驗證碼|校验码|动态码|动态密码|短信码|提取码|取件码|安全码|pin[ ]?码?)"
    r"(?:[^0-9A-Za-z\n。！？]{1,8}(?P<secret>\d{4,10}|(?=[A-Za-z]{0,9}\d)[A-Za-z0-9]{4,10})"
    rf"|(?P<glued>\d{{4,10}})){_NOT_A_COUNT}"
)
_ZH_CARD_NUMBER = (
    r"(?:银行卡|信用卡|储蓄卡|借记卡|卡号|银行[账帐][号户]|收款[账帐]号)[^0-9\n]{0,12}"
    r"(?P<secret>\d(?:[ -]?\d){11,22})(?!\d)"
)
_ZH_ID = r"身份证[^0-9\n]{0,12}(?P<secret>\d{14}(?:\d{3})?[\dXx])(?![0-9A-Za-z])"
_ASCII_RUN = re.compile(r"[!-~]{3,256}")
_HAN = re.compile(r"[㐀-鿿]")
_HAN_PHRASE = re.compile(r"[㐀-鿿]{3,12}(?=[\s，。；！、,.;!]|\Z)")
# Han words that begin or make up a remark about a password, not the password.
_HAN_REMARK = re.compile(
    r"[请請不没沒无無什多忘见看问在由必需可已同略随你我他她它怎是的了要别谁哪如待未自用保和与也很太都]"
)

# What of every pattern above stands in plain ASCII: most sentences name no secret at all.
_NAMES = (
    "pass", "pwd", "pw", "key", "token", "secret", "phrase", "word", "code", "pin", "otp", "combination",
    "cvv", "cvc", "card", "ssn", "social",
)  # fmt: skip

_LABELLED = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("password", _PHRASE),
        ("password", _ZH_BARE),
        ("seed_phrase", _SEED_PHRASE),
        ("code", _CODE),
        ("code", _ZH_CODE),
        ("card_code", _CARD_CODE),
        ("card_number", _CARD_NUMBER),
        ("card_number", _ZH_CARD_NUMBER),
        ("social_security", _SOCIAL_SECURITY),
        ("chinese_id", _ZH_ID),
    )
)


def find_spoken(text: str) -> Iterator[Secret]:
    """The secrets that a sentence or label gives away, in English and Chinese. Linear in length."""
    if text.isascii() and not _names_any(text.lower()):
        return
    yield from _said(text, _SAID)
    yield from _said(text, _CHANGED)
    yield from _said_in_chinese(text)
    for name, pattern in _LABELLED:
        for match in pattern.finditer(text):
            secret = Secret(name, *match.span(match.lastgroup or 0))
            if not ALGORITHM.match(text[secret.start : secret.end]):
                yield secret


def _names_any(lowered: str) -> bool:
    return any(word in lowered for word in _NAMES)


def _said(text: str, sentence: re.Pattern[str]) -> Iterator[Secret]:
    values = Values(text)
    for match in sentence.finditer(text):
        key = match["key"].lower()
        start, end = values.span(match.end())
        is_quoted = start > match.end()
        if is_secret_at(text, start, end, key) and (is_quoted or sounds_secret(text, start, end)):
            yield Secret(kind_of_name(key) or "password", start, end)


def _said_in_chinese(text: str) -> Iterator[Secret]:
    for match in _ZH_SAID.finditer(text):
        has_colon = bool(match["colon"]) or match["verb"] in ":：="
        quoted = quoted_span(text, match.end())
        start, end = quoted or _chinese_value(text, match.end(), has_colon)
        if end > start:
            yield Secret("password", start, end)


def _chinese_value(text: str, at: int, has_colon: bool) -> tuple[int, int]:
    """ASCII after any verb, Han words only after a colon: 密码是什么 is a question."""
    run = _ASCII_RUN.match(text, at)
    if run:
        end = at + len(run[0].rstrip(".,;:?)]}"))
        return (at, end) if _is_chinese_answer(text[at:end], text[end : end + 1]) else (at, at)
    phrase = _HAN_PHRASE.match(text, at) if has_colon else None
    return phrase.span() if phrase and not _HAN_REMARK.search(phrase[0]) else (at, at)


def _is_chinese_answer(value: str, following: str) -> bool:
    """A password ends its clause, or has digits: 是MD5加密的 goes on."""
    if not is_secret_value("password", value) or ALGORITHM.match(value):
        return False
    goes_on = _HAN.match(following) is not None
    return not goes_on or (len(value) >= 6 and any(c.isdigit() for c in value))
