"""Secrets known by their shape: keys of providers, private keys, card numbers, identity numbers."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret found in a text: `text[start:end]` is all of it."""

    name: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Shape:
    name: str
    pattern: re.Pattern[str]
    accepts: Callable[[str], bool]


def find_by_shape(text: str) -> Iterator[Secret]:
    """The secrets whose own characters give them away. Linear in the text's length."""
    if not _ROOM.search(text):
        return
    for shape in _SHAPES if _ROOM_FOR_KEYS.search(text) else _SHAPES_OF_DIGITS:
        for match in shape.pattern.finditer(text):
            if shape.accepts(match["secret"]):
                yield Secret(shape.name, *match.span("secret"))
    yield from _headless_keys(text)


def _always(_: str) -> bool:
    return True


def _shape(name: str, body: str, accepts: Callable[[str], bool] = _always) -> _Shape:
    """A shape that stands free: no ASCII letter or digit before or after it. Chinese may touch it.

    Each body either has a fixed length or ends in an open class of every letter and digit: then
    no secret can hide behind another, and one look at the text is nearly always enough.
    """
    return _Shape(name, re.compile(rf"(?<![A-Za-z0-9])(?P<secret>{body})(?![A-Za-z0-9])"), accepts)


def _within(name: str, pattern: str) -> _Shape:
    """A shape with its context; the group `secret` is what is masked."""
    return _Shape(name, re.compile(pattern), _always)


def _is_random_enough(token: str) -> bool:
    """`sk-` also begins package names; a key has a long run without a hyphen."""
    return re.search(r"[A-Za-z0-9]{16}", token) is not None


def passes_luhn(number: str) -> bool:
    """Whether the check digit of a card number is right; spaces and hyphens don't count."""
    digits = [int(c) for c in number if c.isdigit()]
    doubled = [sum(divmod(d * 2, 10)) for d in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _is_card(number: str) -> bool:
    digits = re.sub(r"\D", "", number)
    return len(set(digits)) > 1 and _CARD_PREFIX.fullmatch(digits) is not None and passes_luhn(digits)


def _is_chinese_id(number: str) -> bool:
    """Birth date and check digit (GB 11643) fit."""
    try:
        date(int(number[6:10]), int(number[10:12]), int(number[12:14]))
    except ValueError:
        return False
    weighted = sum(int(digit) * (2 ** (17 - i) % 11) for i, digit in enumerate(number[:17]))
    return "10X98765432"[weighted % 11] == number[17].upper()


_OPEN = r"[A-Za-z0-9_-]"
_CARD_PREFIX = re.compile(
    r"4\d{12}(?:\d{3})?|5[1-5]\d{14}|2[2-7]\d{14}|6\d{15}|35\d{14}|3[47]\d{13}|3[068]\d{12}|62\d{15,17}|81\d{14,17}"
)
# A possessive group must hold nothing to backtrack into: Python before 3.11.5 gets that wrong (gh-106052).
_KEY_BODY = r"[^-]*+(?:-(?!----)[^-]*+)*+"

_SHAPES = (
    _within(
        "private_key",
        rf"(?P<secret>-----BEGIN [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----{_KEY_BODY}"
        r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)",
    ),
    _within(  # cut off: only what looks like key material, so that words below it stay
        "private_key",
        r"(?P<secret>-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:\\[rn]|[ \t\r\n]|(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]*+"
        r"|[A-Za-z0-9+/=]{16,}+|[A-Za-z0-9+/=]++(?=[ \t\r]*(?:\n|\Z)))*)",
    ),
    _within("private_key", r"(?<![A-Za-z0-9])(?P<secret>PuTTY-User-Key-File-\d:[^\n]*+(?:\n[^\n]++)*+)"),
    _shape("age_key", r"AGE-SECRET-KEY-1[0-9A-Z]{20,}"),
    _shape("anthropic_key", rf"sk-ant-{_OPEN}{{16,}}"),
    _shape("openrouter_key", rf"sk-or-{_OPEN}{{20,}}"),
    _shape("openai_key", rf"sk-{_OPEN}{{16,}}", _is_random_enough),
    _shape("aws_access_key", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    _within(
        "aws_secret_key",
        r"(?i:aws|secret[ _-]?access)[^\n]{0,40}?(?<![A-Za-z0-9+/])"
        r"(?P<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])",
    ),
    _shape("github_token", r"gh[pousr]_[A-Za-z0-9]{20,}"),
    _shape("github_token", r"github_pat_[A-Za-z0-9_]{20,}"),
    _shape("gitlab_token", rf"gl(?:pat|ptt|dt|rt|soat|ft|agent|cbt|imt)-{_OPEN}{{16,}}(?:\.{_OPEN}++)*+"),
    _shape("slack_token", r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}"),
    _shape("slack_token", r"xapp-[A-Za-z0-9-]{10,}"),
    _shape(
        "slack_webhook",
        r"https://hooks\.slack(?:-gov)?\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_+-]{10,}",
    ),
    _shape(
        "discord_webhook",
        rf"https://(?:\w{{1,10}}\.)?discord(?:app)?\.com/api/webhooks/\d{{6,25}}/{_OPEN}{{20,}}",
    ),
    _shape("discord_token", rf"[MNO][A-Za-z0-9_-]{{22,27}}\.{_OPEN}{{6}}\.{_OPEN}{{25,}}"),
    _shape("telegram_token", rf"(?:bot)?\d{{8,10}}:AA{_OPEN}{{30,}}"),
    _shape("telegram_token", rf"(?:bot)?\d{{8,10}}:{_OPEN}{{35}}"),
    _shape(
        "feishu_webhook",
        r"https://open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/[A-Za-z0-9-]{10,}",
    ),
    _shape("wecom_webhook", r"https://qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=[A-Za-z0-9-]{10,}"),
    _shape("dingtalk_webhook", r"https://oapi\.dingtalk\.com/robot/send\?access_token=[A-Za-z0-9]{20,}"),
    _shape("google_api_key", rf"AIza{_OPEN}{{30,}}"),
    _shape("google_oauth", rf"(?:GOCSPX-{_OPEN}{{20,}}|ya29\.{_OPEN}{{20,}}|1//0{_OPEN}{{30,}})"),
    _shape("stripe_key", r"(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}"),
    _shape("twilio_key", r"SK[0-9a-f]{32}"),
    _shape("sendgrid_key", rf"SG\.{_OPEN}{{16,}}\.{_OPEN}{{16,}}"),
    _shape("mailgun_key", r"key-[0-9a-f]{32}"),
    _shape("npm_token", r"npm_[A-Za-z0-9]{30,}"),
    _shape("pypi_token", rf"pypi-{_OPEN}{{30,}}"),
    _shape("huggingface_token", r"(?:hf|api_org)_[A-Za-z0-9]{20,}"),
    _shape("groq_key", r"gsk_[A-Za-z0-9]{20,}"),
    _shape("xai_key", rf"xai-{_OPEN}{{30,}}"),
    _shape("replicate_token", r"r8_[A-Za-z0-9]{30,}"),
    _shape("perplexity_key", r"pplx-[A-Za-z0-9]{30,}"),
    _shape("nvidia_key", rf"nvapi-{_OPEN}{{30,}}"),
    _shape("tavily_key", rf"tvly-{_OPEN}{{20,}}", _is_random_enough),
    _shape("notion_token", r"ntn_[A-Za-z0-9]{30,}"),
    _shape("linear_key", r"lin_(?:api|oauth)_[A-Za-z0-9]{30,}"),
    _shape("figma_token", rf"figd_{_OPEN}{{30,}}"),
    _shape("shopify_token", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    _shape("digitalocean_token", r"do[opr]_v1_[0-9a-f]{60,}+[A-Za-z0-9]*"),
    _shape("docker_token", rf"dckr_pat_{_OPEN}{{20,}}"),
    _shape("databricks_token", r"dapi[0-9a-f]{32}(?:-\d)?"),
    _shape("tailscale_key", rf"tskey-[a-z]{{2,10}}-{_OPEN}{{16,}}"),
    _shape("alibaba_key", r"LTAI[A-Za-z0-9]{12,}"),
    _shape("tencent_key", r"AKID[A-Za-z0-9]{28,}"),
    _within(
        "azure_key", r"(?i:(?:AccountKey|SharedAccessKey)=|[?&]sig=)(?P<secret>[A-Za-z0-9+/%]{20,}={0,2})"
    ),
    _within("jwt", rf"(?<!{_OPEN})(?P<secret>eyJ{_OPEN}{{6,}}+\.{_OPEN}{{6,}}+(?:\.{_OPEN}*+){{0,3}})"),
    _within(
        "url_password",
        r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/?#:@]{0,100}:(?P<secret>[^\s/?#]{1,200})@(?=[\w\[])",
    ),
    _within(
        "bearer_token", r"(?i:\bbearer)\s{1,3}(?P<secret>(?=[A-Za-z._~+/-]*\d)[A-Za-z0-9._~+/-]{16,}+=*)"
    ),
    _shape("credit_card", r"\d{13,19}", _is_card),
    _shape(
        "credit_card", r"\d{4}([ -])\d{4}\2\d{4}\2\d{4}(?:\2\d{1,3})?|\d{4}([ -])\d{6}\3\d{4,5}", _is_card
    ),
    _shape("chinese_id", r"[1-9]\d{16}[0-9Xx]", _is_chinese_id),
)

# What every shape above contains: most sentences hold none of it, and need no look for sixty shapes.
_ROOM = re.compile(r"[A-Za-z\d_+/=.:~%-]{13}|\d{4}[ -]\d{4}|-----|://")
# Where that is a number and nothing else, such as a moment in milliseconds, a few shapes fit.
_ROOM_FOR_KEYS = re.compile(
    r"(?<![A-Za-z\d_+/=.:~%-])(?!\d++(?![A-Za-z_+/=.:~%-]))[A-Za-z\d_+/=.:~%-]{13}|-----|://"
)
_OF_DIGITS = frozenset({"aws_secret_key", "bearer_token", "credit_card", "chinese_id"})
_SHAPES_OF_DIGITS = tuple(shape for shape in _SHAPES if shape.name in _OF_DIGITS)

_KEY_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINE = re.compile(r"[ \t]*[A-Za-z0-9+/=]{40,}[ \t\r]*")
_LAST_KEY_LINE = re.compile(r"[ \t]*[A-Za-z0-9+/=]+[ \t\r]*")


def _headless_keys(text: str) -> Iterator[Secret]:
    """Private keys whose first lines were cut off: the key lines above an END mark."""
    for mark in _KEY_END.finditer(text):
        start = mark.start()
        shape = _LAST_KEY_LINE
        while start > 0:
            line = text.rfind("\n", 0, start - 1) + 1
            if not shape.fullmatch(text, line, start - 1):
                break
            start, shape = line, _KEY_LINE
        if start < mark.start():
            yield Secret("private_key", start, mark.end())
